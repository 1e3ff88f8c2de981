import CheckoutModel
import EventLog

extension Snapshot where Schema == CheckoutSchema {
    /// What a name leads to.
    struct Found: Hashable {
        let stream: UInt64
        let scope: AccountScope
    }

    /// Kinds of ids by which people name a session, the likeliest first.
    private static var namingKinds: [IdentityKey.Kind] {
        [.session, .payment, .refund, .dispute, .subscription, .delivery]
    }

    /// The stream a person means by a name; see `Ledger.session(named:)`.
    func find(_ name: String) throws(LedgerError) -> Found {
        let scopes = try self.scopes()
        let (candidates, id) = Self.split(name, scopes)
        for kind in Self.namingKinds {
            var found: [Found] = []
            for scope in candidates {
                guard let stream = try resolve(kind, id, scope) else { continue }
                found.append(Found(stream: stream, scope: scope))
            }
            if let only = try Self.only(found, name) { return only }
        }
        // Nothing at all would be a beginning of everything.
        for kind in Self.namingKinds where !name.isEmpty {
            var found: [Found] = []
            for scope in candidates {
                try forEachID(kind, in: scope, beginning: id) { _, stream in
                    found.append(Found(stream: stream, scope: scope))
                    return found.count < 20 ? .more : .stop
                }
            }
            if let only = try Self.only(found, name) { return only }
        }
        throw LedgerError(
            .notFound, "There is no session '\(name)'.",
            hint: "List them with: checkout-ledger sessions")
    }

    /// The streams that a beginning leads to, each once.
    func streams(beginning text: String, limit: Int) throws(LedgerError) -> [UInt64] {
        let (candidates, id) = Self.split(text, try scopes())
        var found: [UInt64] = []
        for kind in Self.namingKinds {
            for scope in candidates {
                try forEachID(kind, in: scope, beginning: id) { _, stream in
                    if !found.contains(stream) { found.append(stream) }
                    return found.count < limit ? .more : .stop
                }
            }
        }
        return found
    }

    /// Every scope that has ids, in order.
    ///
    /// One seek for each kind and scope.
    func scopes() throws(LedgerError) -> [AccountScope] {
        var scopes: [AccountScope] = []
        // Plain ids and hashed ones lie apart, told by the first byte.
        for first in Self.namingKinds.flatMap({ [$0.rawValue, $0.rawValue | 0x80] }) {
            var next: [UInt8]? = [first]
            while let from = next {
                next = nil
                try identities(from: from) { key, _ in
                    guard key.first == first, let parsed = IdentityKey.parse(key) else {
                        return .stop
                    }
                    if !scopes.contains(parsed.scope) { scopes.append(parsed.scope) }
                    // The beginning of the next scope's keys.
                    next = IdentityKey.successor(of: IdentityKey.prefix(first, parsed.scope))
                    return .stop
                }
            }
        }
        return scopes
    }

    /// Lends the ids of one kind in one scope that begin with a text, in order.
    func forEachID(
        _ kind: IdentityKey.Kind, in scope: AccountScope, beginning id: String,
        _ body: (String, UInt64) -> ScanStep
    ) throws(LedgerError) {
        // Longer ids are stored by their hash, and have no beginning to look for.
        guard id.utf8.count <= Limits.inlineIDBytes else { return }
        let prefix = IdentityKey.prefix(kind.rawValue, scope) + Array(id.utf8)
        try identities(from: prefix) { key, stream in
            guard key.starts(with: prefix), let parsed = IdentityKey.parse(key) else {
                return .stop
            }
            return body(parsed.id, stream)
        }
    }

    func resolve(
        _ kind: IdentityKey.Kind, _ id: String, _ scope: AccountScope
    ) throws(LedgerError) -> UInt64? {
        do throws(LogError) {
            return try resolve(IdentityKey(kind, id, in: scope).bytes)
        } catch {
            throw LedgerError(error)
        }
    }

    /// The streams of every order that several streams share.
    func streamsSharingOrders() throws(LogError) -> [[UInt64]] {
        var groups: [[UInt64]] = []
        var key: [UInt8] = []
        var sharing: [UInt64] = []
        try forEachSharedIdentity { stored, stream in
            let bytes = stored.withUnsafeBytes { Array($0) }
            guard bytes.first.map({ $0 & 0x7F }) == IdentityKey.Kind.order.rawValue else {
                return .more
            }
            if bytes != key {
                if sharing.count > 1 { groups.append(sharing) }
                key = bytes
                sharing = []
            }
            sharing.append(stream)
            return .more
        }
        if sharing.count > 1 { groups.append(sharing) }
        return groups
    }

    private func identities(
        from key: [UInt8], _ body: (UnsafeRawBufferPointer, UInt64) -> ScanStep
    ) throws(LedgerError) {
        do throws(LogError) {
            try forEachIdentity(from: key) { key, stream in
                key.withUnsafeBytes { body($0, stream) }
            }
        } catch {
            throw LedgerError(error)
        }
    }

    /// Takes `provider/id` or `provider/account/id` apart; a plain id is looked for everywhere.
    private static func split(
        _ name: String, _ scopes: [AccountScope]
    ) -> (scopes: [AccountScope], id: String) {
        for scope in scopes where name.hasPrefix("\(scope)/") {
            let id = String(name.dropFirst("\(scope)/".count))
            return (scopes.filter { "\($0)" == "\(scope)" }, id)
        }
        return (scopes, name)
    }

    private static func only(_ found: [Found], _ name: String) throws(LedgerError) -> Found? {
        guard let first = found.first else { return nil }
        guard Set(found.map(\.stream)).count == 1 else {
            throw LedgerError(
                .ambiguous, "'\(name)' names \(found.count) sessions or more.",
                hint: "Give more letters, or the provider: provider/id.")
        }
        return first
    }
}
