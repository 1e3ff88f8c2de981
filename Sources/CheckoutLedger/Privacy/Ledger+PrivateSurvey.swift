public import CheckoutModel
import EventLog

/// How the sealed fields of one class stand; what became of them is never added up.
public struct PrivateSurvey: Sendable, Hashable {
    /// Which class.
    public let dataClass: PrivateClass
    /// Fields that can be opened.
    public internal(set) var readable = 0
    /// Fields whose key was destroyed by a request.
    public internal(set) var erased = 0
    /// Fields that came after an erasure and were never kept.
    public internal(set) var cameLater = 0
    /// Fields without a key and without a request that destroyed it.
    public internal(set) var keyMissing = 0
    /// Fields that are not what was sealed, or whose key was changed.
    public internal(set) var tampered = 0
    /// The first of those.
    public internal(set) var firstTampered: UInt64?
    /// The first field whose key is missing.
    public internal(set) var firstMissing: UInt64?

    init(_ dataClass: PrivateClass) { self.dataClass = dataClass }

    fileprivate mutating func count(_ answer: PrivateFieldsAnswer, at position: UInt64) {
        switch answer {
        case .none: break
        case .fields: readable += 1
        case .erased(let erasure) where erasure.cameLater: cameLater += 1
        case .erased: erased += 1
        case .keyMissing:
            keyMissing += 1
            firstMissing = firstMissing ?? position
        case .tampered:
            tampered += 1
            firstTampered = firstTampered ?? position
        }
    }
}

extension Ledger {
    /// Opens every sealed field of the log and counts what became of each, a class at a time.
    ///
    /// Nothing of what is opened is kept. Blocks its caller. Throws as `privateParts(of:)`.
    public func privateSurvey() throws(LedgerError) -> [PrivateSurvey] {
        var found = PrivateClass.allCases.map { PrivateSurvey($0) }
        try forEachEvent { (event) throws(LedgerError) in
            guard event.hasSealedFields || event.payload.discarded != nil else { return .more }
            for part in try privateParts(of: event) {
                for index in found.indices where found[index].dataClass == part.dataClass {
                    found[index].count(part.answer, at: event.position)
                }
            }
            return .more
        }
        return found
    }

    /// How many keys that receipts say were destroyed are in the keystore all the same, since an
    /// old copy of it was put back.
    public func returnedKeys(of entry: ErasureEntry) throws(LedgerError) -> Int {
        var count = 0
        for receipt in entry.receipts {
            for key in receipt.payload.privacy?.keys ?? [] where try keystore.holds(key.id) {
                count += 1
            }
        }
        return count
    }
}
