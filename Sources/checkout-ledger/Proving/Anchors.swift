import CheckoutLedger
import CommandKit
import Cryptography
import EventLog

/// The heads that a verification is held against, and those of the given ones that cannot be used.
struct Anchors {
    /// A head that was given and says nothing of this ledger.
    struct Unusable {
        let name: String
        let reason: String
    }

    private(set) var usable: [Anchor] = []
    private(set) var unusable: [Unusable] = []
    /// What stored seals are checked with too.
    let verifiers: [NoteVerifier]

    /// Reads the files that `--anchor` names, and what is kept outside for this ledger.
    ///
    /// A seal of an earlier epoch counts where the ledger still has what it sealed: what was lost
    /// when the epoch began is no news. For an older copy, the ledger's own later seals are none
    /// either.
    init(_ context: Context, _ ledger: Ledger<LMDBStore>) throws {
        try self.init(
            ledger, given: context.command.values("anchor"),
            checkedBy: context.verifiers(), takesKept: !context.command.has("copy"))
    }

    /// The same with files that are given, and the ledger's own keys where none are.
    init(
        _ ledger: Ledger<LMDBStore>, given paths: [String] = [],
        checkedBy given: [NoteVerifier] = [], takesKept: Bool = true
    ) throws {
        verifiers = given.isEmpty ? ledger.sealVerifiers : given
        for path in paths {
            let bytes = try Files.read(path, limit: Limits.sealFileBytes)
            do {
                take(try Seal(bytes), path, isOutside: true, ledger)
            } catch {
                unusable.append(Unusable(name: path, reason: LedgerError(any: error).message))
            }
        }
        guard takesKept else { return }
        do throws(LedgerError) {
            for kept in try ledger.outsideSeals() {
                take(kept.seal, kept.path, isOutside: kept.isOutside, ledger)
            }
        } catch {
            unusable.append(Unusable(name: "the last seal", reason: error.message))
        }
    }

    private mutating func take(
        _ seal: Seal, _ name: String, isOutside: Bool, _ ledger: Ledger<LMDBStore>
    ) {
        do {
            let signed = try seal.note.check(with: verifiers)
            guard signed.contains(where: { $0.verifier.kind == .ed25519 }) else {
                throw LogError(
                    .noteNotSigned, "The log itself has not signed it with a given key.", hint: "")
            }
            let anchor = Anchor(seal.head, keptAt: name, isOutside: isOutside)
            switch try ledger.log.relation(to: seal.head, signed.map(\.verifier)) {
            case .sameEpoch, .earlierEpoch(holds: true): usable.append(anchor)
            case .earlierEpoch(holds: false):
                unusable.append(
                    Unusable(
                        name: name,
                        reason: "It is of an earlier epoch, and of events that were lost."))
            case .otherLog:
                unusable.append(
                    Unusable(name: name, reason: "It is of another log: \(seal.head.origin)."))
            }
        } catch {
            unusable.append(Unusable(name: name, reason: LedgerError(any: error).message))
        }
    }
}

/// How a sealed head relates to a log.
private enum Relation {
    case sameEpoch
    case earlierEpoch(holds: Bool)
    case otherLog
}

extension EventLog {
    /// By origin: the name of a key that signed, with the epoch's number behind it.
    fileprivate func relation(to head: TreeHead, _ keys: [NoteVerifier]) throws -> Relation {
        func isOrigin(_ epoch: UInt32) -> Bool {
            keys.contains { key in
                SealKey.origin(of: key.name, epoch: epoch).utf8.elementsEqual(head.origin.utf8)
            }
        }
        if isOrigin(identity.epoch) { return .sameEpoch }
        guard (0..<identity.epoch).contains(where: isOrigin) else { return .otherLog }
        let holds = try read { snapshot in
            guard head.size <= snapshot.end else { return false }
            return try snapshot.root(ofSize: head.size) == head.root
        }
        return .earlierEpoch(holds: holds)
    }
}
