import CheckoutModel
import Cryptography
import EventLog

/// The key under which the log finds a stream by one of its ids.
///
/// | part | width | meaning |
/// |---|---|---|
/// | kind | 1 | what the id names; 0x80 is set when the rest is hashed |
/// | provider, 0x00, account, 0x00 | | UTF-8 |
/// | mode | 1 | the account's configured mode |
/// | id | | UTF-8; or SHA-256 of it, 32 bytes, when it is longer than `Limits.inlineIDBytes` |
///
/// The id stands last and unhashed, so that an ordered scan finds ids by their beginning.
struct IdentityKey: Hashable, Sendable {
    /// What an id names.
    ///
    /// Numbers are stored and never reused.
    enum Kind: UInt8, CaseIterable, Sendable {
        case session = 1
        case payment = 2
        case refund = 3
        case dispute = 4
        case subscription = 5
        case delivery = 6
        /// Shared by many sessions; finds them, never joins them.
        case order = 16
        case customer = 17
        /// Named by a voice that may not route: an unsigned return, a renewal's subscription.
        case mention = 18
    }

    private(set) var bytes: [UInt8]

    init(_ kind: Kind, _ id: String, in scope: AccountScope) {
        let count = id.utf8.count
        if count <= Limits.inlineIDBytes {
            bytes = Self.prefix(kind.rawValue, scope, before: count)
            bytes.append(contentsOf: id.utf8)
        } else {
            bytes = Self.prefix(kind.rawValue | 0x80, scope, before: Digest.byteCount)
            SHA256.hash(Array(id.utf8)).withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
    }

    /// What all keys of one kind in one scope begin with.
    ///
    /// With room for `count` bytes more: an event makes several keys, so each is made in one piece.
    static func prefix(
        _ kind: UInt8, _ scope: AccountScope, before count: Int = 0
    ) -> [UInt8] {
        let provider = scope.provider.rawValue.utf8
        var bytes: [UInt8] = []
        bytes.reserveCapacity(provider.count + scope.account.utf8.count + 4 + count)
        bytes.append(kind)
        bytes.append(contentsOf: provider)
        bytes.append(0)
        bytes.append(contentsOf: scope.account.utf8)
        bytes.append(0)
        bytes.append(scope.mode.rawValue)
        return bytes
    }

    /// The least key above all that begin so.
    ///
    /// The last byte is a mode, never 0xFF.
    static func successor(of prefix: [UInt8]) -> [UInt8] {
        prefix.dropLast() + [(prefix.last ?? 0) + 1]
    }

    /// Takes a stored key apart; nil for a hashed id or a key of another make.
    static func parse(_ key: UnsafeRawBufferPointer) -> (
        kind: Kind, scope: AccountScope, id: String
    )? {
        guard let first = key.first, let kind = Kind(rawValue: first & 0x7F),
            let providerEnd = key.dropFirst().firstIndex(of: 0),
            let accountEnd = key[(providerEnd + 1)...].firstIndex(of: 0),
            accountEnd + 1 < key.count,
            let mode = ProviderMode(rawValue: key[accountEnd + 1])
        else { return nil }
        let scope = AccountScope(
            ProviderID(rawValue: String(decoding: key[1..<providerEnd], as: UTF8.self)),
            account: String(decoding: key[(providerEnd + 1)..<accountEnd], as: UTF8.self),
            mode: mode)
        if first & 0x80 != 0 { return (kind, scope, "") }
        return (kind, scope, String(decoding: key[(accountEnd + 2)...], as: UTF8.self))
    }
}

extension IdentityKey {
    /// The identities that events of one request name, each once, in routing order: session,
    /// payment, refund or dispute, subscription, delivery.
    static func identities(
        of events: [CheckoutEvent], in scope: AccountScope
    ) -> [StreamIdentity] {
        if events.count == 1 { return identities(of: events[0], in: scope) }
        var found: [StreamIdentity] = []
        for event in events {
            for identity in identities(of: event, in: scope)
            where !found.contains(where: { $0.key == identity.key }) {
                found.append(identity)
            }
        }
        return found
    }

    /// What one event names.
    ///
    /// Only evidence that held may join two streams: an unsigned return could name anybody's
    /// payment. A subscription leads to its first checkout, and renewals, which name no session,
    /// only mention it.
    static func identities(
        of event: CheckoutEvent, in scope: AccountScope
    ) -> [StreamIdentity] {
        let ids = event.ids
        var found: [StreamIdentity] = []
        found.reserveCapacity(4)
        func add(_ kind: Kind, _ id: String?, _ role: StreamIdentity.Role) {
            guard let id else { return }
            found.append(StreamIdentity(key: IdentityKey(kind, id, in: scope).bytes, role: role))
        }
        let mayJoin = event.evidence > .hint
        add(.session, ids.session, mayJoin ? .joins : .routes)
        if mayJoin {
            add(.payment, ids.payment, .joins)
            add(.refund, ids.refund, .joins)
            add(.dispute, ids.dispute, .joins)
            if ids.session != nil {
                add(.subscription, ids.subscription, .joins)
            } else if ids.payment == nil {
                add(.subscription, ids.subscription, .routes)
            } else {
                add(.mention, ids.subscription, .finds)
            }
        } else if ids.session == nil, ids.payment != nil {
            add(.payment, ids.payment, .routes)
        } else {
            add(.mention, ids.payment, .finds)
            add(.mention, ids.subscription, .finds)
        }
        if found.allSatisfy({ $0.role == .finds }) { add(.delivery, event.deliveryID, .routes) }
        add(.order, ids.order, .finds)
        add(.customer, ids.customer, .finds)
        return found
    }
}
