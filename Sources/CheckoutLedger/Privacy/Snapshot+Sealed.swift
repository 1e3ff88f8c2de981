import CheckoutModel
import EventLog

/// A blob where it stands.
struct SealedUse {
    let key: UsedKey
    /// The commitment to the key, where this event states it.
    let commitment: [UInt8]?
    let position: UInt64
    let stream: UInt64
}

/// The streams of a target and the names under which more about it may come.
struct ErasureScope {
    var streams: [UInt64] = []
    var sessions: [Session] = []
    var subjects: [String] = []
    /// How many sessions were left out for a hold; only of a sweep.
    var held = 0
}

extension Snapshot where Schema == CheckoutSchema {
    /// Lends every sealed blob of these streams, the newest first in each.
    func forEachSealed(
        in streams: [UInt64], _ body: (SealedUse) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try each { snapshot in
            for stream in streams {
                try snapshot.walk(stream) { record in
                    try Self.lend(record, body)
                    return .more
                }
            }
        }
    }

    /// Lends every sealed blob of the log, in order.
    func forEachSealed(
        _ body: (SealedUse) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try each { snapshot in
            try snapshot.forEachRecord(in: 0..<snapshot.end) { record in
                try Self.lend(record, body)
                return .more
            }
        }
    }

    /// A payload that cannot be read names no key; `verify` reports it.
    private static func lend(
        _ record: borrowing RecordView, _ body: (SealedUse) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        let payload = record.payload.withUnsafeBytes { try? EventPayload(decoding: $0) }
        guard let payload else { return }
        for (index, blob) in payload.sealed.enumerated() {
            guard let key = SealedBlob.key(of: blob) else { continue }
            let commitments = payload.keyCommitments
            try body(
                SealedUse(
                    key: key, commitment: index < commitments.count ? commitments[index] : nil,
                    position: record.position, stream: record.stream))
        }
    }

    /// Every name under which the events of these streams were sealed, and later ones would be.
    func subjects(of streams: [UInt64]) throws(LedgerError) -> [String] {
        var found: Set<String> = []
        try each { snapshot in
            for stream in streams {
                try snapshot.walk(stream) { record in
                    guard let fact = Fact(record), !fact.type.isAboutPrivacy,
                        let payload = record.payload.withUnsafeBytes({
                            try? EventPayload(decoding: $0)
                        })
                    else { return .more }
                    let scope = AccountScope(
                        ProviderID(rawValue: payload.provider), account: payload.account,
                        mode: fact.accountMode)
                    found.formUnion(scope.subjects(payload.ids, fact.evidence))
                    return .more
                }
            }
        }
        return found.sorted()
    }

    /// The streams in which a customer was heard, with all that are linked to them, and the scopes
    /// that know the customer.
    ///
    /// A stream that began at `limit` or later counts only where it is linked to an earlier one.
    func streams(
        ofCustomer name: String, before limit: UInt64 = .max
    ) throws(LedgerError) -> (id: String, scopes: [AccountScope], streams: [UInt64]) {
        var id = name
        var candidates = try scopes()
        for scope in candidates where name.hasPrefix("\(scope)/") {
            id = String(name.dropFirst("\(scope)/".count))
            candidates = candidates.filter { "\($0)" == "\(scope)" }
            break
        }
        var scopes: [AccountScope] = []
        var streams: Set<UInt64> = []
        do throws(LogError) {
            for scope in candidates {
                let found = try self.streams(finding: IdentityKey(.customer, id, in: scope).bytes)
                guard !found.isEmpty else { continue }
                scopes.append(scope)
                for stream in found where stream < limit {
                    streams.formUnion(try group(of: stream))
                }
            }
        } catch {
            throw LedgerError(error)
        }
        guard let first = scopes.first else {
            throw LedgerError(
                .notFound, "There is no customer '\(name)'.",
                hint: "Give the provider's id of the customer, such as dodo/cus_1.")
        }
        guard scopes.allSatisfy({ "\($0)" == "\(first)" }) else {
            throw LedgerError(
                .ambiguous, "Several accounts know a customer '\(name)'.",
                hint: "Say whose: provider/id.")
        }
        return (id, scopes, streams.sorted())
    }
}

extension EventType {
    /// True for what states something about private fields, and has none.
    var isAboutPrivacy: Bool {
        [
            .eraseRequested, .subjectErased, .holdPlaced, .holdReleased, .subjectLinked,
            .keysRotated, .eraseRefused,
        ].contains(self)
    }
}

extension AccountScope {
    /// Every name under which more about an event's checkout may be sealed: the ids by which the
    /// event finds its stream.
    ///
    /// An id that an unsigned voice only mentions may be anybody's, and a renewal's subscription
    /// has other checkouts. Agrees with `IdentityKey.identities`.
    func subjects(_ ids: ProviderIDs, _ evidence: Evidence) -> [String] {
        var named = [("s", ids.session)]
        if evidence > .hint {
            named += [("p", ids.payment), ("r", ids.refund), ("d", ids.dispute)]
            if ids.session != nil || ids.payment == nil { named.append(("u", ids.subscription)) }
        } else if ids.session == nil {
            named.append(("p", ids.payment))
        }
        return named.compactMap { kind, id in id.map { subject(kind, $0) } }
    }
}
