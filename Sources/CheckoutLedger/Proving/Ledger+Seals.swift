public import EventLog

/// How a ledger stands to the seals that are kept outside it.
public enum Standing: Sendable {
    /// There is none to compare with.
    case unknown
    /// The ledger has everything that was sealed, up to this size.
    case agrees(UInt64)
    /// It is not the ledger that was sealed: nothing is written until a new epoch begins.
    ///
    /// Codes `ROLLED_BACK`, `HISTORY_REWRITTEN`, `FORK`.
    case refused(LedgerError)
    /// What is kept outside cannot be read; events are recorded, and nothing is sealed.
    case unclear(LedgerError)
}

/// What sealing works with: made when a ledger is opened.
struct LedgerSealing: Sendable {
    let outside: OutsideSeals?
    let key: SealKey?
    let standing: Standing
    /// Why there is no key to seal with, where one could not be made.
    let trouble: LedgerError?

    /// For ledgers that are not sealed.
    static let none = LedgerSealing(outside: nil, key: nil, standing: .unknown, trouble: nil)
}

extension Ledger {
    /// How the ledger stands to the seals that are kept outside it.
    public var standing: Standing { sealing.standing }

    /// What others check this ledger's seals with; empty while it has no key.
    public var sealVerifiers: [NoteVerifier] { sealing.key?.signers.map(\.verifier) ?? [] }

    /// The last seals that are kept outside the ledger's directory.
    public func outsideSeals() throws(LedgerError) -> [OutsideSeals.Kept] {
        try sealing.outside?.read(epoch: log.identity.epoch) ?? []
    }

    /// Seals the ledger as it is now and keeps the seal outside too.
    ///
    /// Blocks its caller. Throws `NOT_SEALED` where the ledger has no key, `ROLLED_BACK`,
    /// `HISTORY_REWRITTEN`, `FORK`, `FILE_FAILED`, and what the storage says.
    public func seal() throws(LedgerError) -> Seal {
        if case .refused(let error) = standing { throw error }
        if let trouble = sealing.trouble { throw trouble }
        do throws(LogError) { return try log.seal() } catch { throw LedgerError(error) }
    }
}

extension Ledger where Store == LMDBStore {
    /// Compares a log with what is kept outside, and has it sealed or refuse to write.
    static func beginSealing(
        _ log: EventLog<CheckoutSchema, LMDBStore>, _ options: LedgerOptions
    ) throws(LedgerError) -> LedgerSealing {
        let identity = log.identity
        guard let outside = OutsideSeals(identity.id.bytes, options) else { return .none }
        if options.isPretend, !options.isReadOnly { try outside.forget(ifEmpty: log) }
        let path = options.sealKeyPath ?? outside.keyPath
        var key: SealKey?
        do throws(LedgerError) { key = try SealKey.read(path) } catch {
            // Reading needs no key but to check signatures with.
            guard options.isReadOnly else { throw error }
        }
        let standing = Self.standing(of: log, outside, key, isReadOnly: options.isReadOnly)
        guard !options.isReadOnly else {
            return LedgerSealing(outside: outside, key: key, standing: standing, trouble: nil)
        }
        var trouble: LedgerError?
        do throws(LogError) {
            switch standing {
            case .refused(let error): try log.refuseWrites(LogError(error))
            case .unclear(let error): trouble = error
            case .unknown, .agrees:
                do throws(LedgerError) {
                    let name = SealKey.defaultName(ledgerID: identity.id.bytes)
                    if key == nil { key = try SealKey.generate(name: name, at: path) }
                } catch {
                    // A ledger without a key is a ledger all the same.
                    trouble = error
                }
                if let key { try log.beginSealing(with: key, outside, options.clock) }
            }
        } catch {
            throw LedgerError(error)
        }
        return LedgerSealing(outside: outside, key: key, standing: standing, trouble: trouble)
    }

    /// A read-only opening compares sizes alone: what a reading command has time for.
    private static func standing(
        of log: EventLog<CheckoutSchema, LMDBStore>, _ outside: OutsideSeals, _ key: SealKey?,
        isReadOnly: Bool
    ) -> Standing {
        let epoch = log.identity.epoch
        if let later = outside.greatestEpoch(from: epoch + 1) {
            return .refused(
                LedgerError(
                    LedgerError.Code(rawValue: LogError.Code.rolledBack.rawValue),
                    "The ledger is of epoch \(epoch + 1); epoch \(later + 1) was sealed: it was "
                        + "rolled back.",
                    hint: "Find the newer ledger, or go on with 'recover --new-epoch'."))
        }
        do {
            var greatest: UInt64?
            for kept in try outside.read(epoch: epoch) {
                if let key { _ = try kept.seal.note.check(with: key.signers.map(\.verifier)) }
                try log.read { snapshot throws in
                    try compare(kept.seal.head, snapshot, isReadOnly: isReadOnly)
                }
                greatest = max(greatest ?? 0, kept.seal.head.size)
            }
            return greatest.map { .agrees($0) } ?? .unknown
        } catch {
            let error = LedgerError(any: error)
            return error.isAboutSealedHistory ? .refused(error) : .unclear(error)
        }
    }

    private static func compare(
        _ head: TreeHead, _ snapshot: borrowing Snapshot<CheckoutSchema, LMDBStore>,
        isReadOnly: Bool
    ) throws(LogError) {
        guard head.size <= snapshot.end else {
            throw .rolledBack(to: snapshot.end, from: head.size)
        }
        if isReadOnly { return }
        guard try snapshot.root(ofSize: head.size) != head.root else { return }
        throw head.size == snapshot.end ? .fork(head.size) : .historyRewritten(below: head.size)
    }
}

extension EventLog where Schema == CheckoutSchema, Store == LMDBStore {
    fileprivate func beginSealing(
        with key: SealKey, _ outside: OutsideSeals, _ clock: any LogClock
    ) throws(LogError) {
        let epoch = identity.epoch
        try beginSealing(
            Sealing(origin: key.origin(epoch: epoch), signers: key.signers, clock: clock) {
                (seal) throws(LogError) in
                do throws(LedgerError) { try outside.keep(seal, epoch: epoch) } catch {
                    throw LogError(error)
                }
            })
    }
}

extension LedgerError {
    /// True when the ledger is not the one that was sealed.
    package var isAboutSealedHistory: Bool {
        let codes: [LogError.Code] = [.rolledBack, .historyRewritten, .fork]
        return codes.contains { $0.rawValue == code.rawValue }
    }
}

extension LogError {
    /// The same in the log's words, for a log that was given what to say.
    init(_ error: LedgerError) {
        self.init(Code(rawValue: error.code.rawValue), error.message, hint: error.hint)
    }
}
