/// What an event about privacy states: an erasure that was asked for or done, a hold, new keys.
///
/// Holds no personal data: `subject` is a random name, and keys are named by random ids.
public struct PrivacyRecord: Sendable, Hashable {
    /// 16 random bytes that name the request; empty for what belongs to none.
    public var requestID: [UInt8] = []
    /// 16 random bytes that name the subject in requests and receipts.
    public var subject: [UInt8] = []
    /// What the request is about: `session`, `customer` or `retention`.
    public var target = ""
    /// Which private fields.
    public var classes: PrivateClasses = []
    /// Why it may be done, in a word such as `request` or `retention`.
    public var ground = ""
    /// Sessions whose last event is older are meant; only for `retention`.
    public var olderThan: Instant?
    /// The keys that were destroyed.
    public var keys: [ErasedKey] = []
    /// How many keys all receipts of the request name together.
    public var keyCount: UInt64 = 0
    /// How many events had fields under them.
    public var eventCount: UInt64 = 0
    /// The first of those events.
    public var firstPosition: UInt64?
    /// The last of them.
    public var lastPosition: UInt64?
    /// How far the destruction went.
    public var level: ErasureLevel?
    /// Fingerprint of the root key before; empty where it stayed.
    public var oldRoot = ""
    /// Fingerprint of the root key after.
    public var newRoot = ""
    /// Where the root key comes from: `file`, `credential`, `command`, `memory`.
    public var rootSource = ""
    /// True when the bytes of the old key file and keystore were overwritten before they went.
    public var isOverwritten = false
    /// How often the keystore was written anew.
    public var generation: UInt64 = 0
    /// Copies that may still hold what was destroyed here.
    public var copies: [PendingCopy] = []
    /// Program and version.
    public var tool = ""
    /// Where the hold stands for which a request was refused.
    public var heldPosition: UInt64?
    /// Fingerprints of root keys that their source was found to give no more.
    public var retiredRoots: [String] = []

    /// Nothing yet.
    public init() {}
}

/// A key that exists no more.
public struct ErasedKey: Sendable, Hashable {
    /// Its 16 random bytes of name.
    public var id: [UInt8]
    /// SHA-256 of label, id and key, as the key's first event states it; empty when none does.
    public var commitment: [UInt8]
    /// What it sealed.
    public var dataClass: PrivateClass

    /// Puts the three together.
    public init(id: [UInt8], commitment: [UInt8], dataClass: PrivateClass) {
        self.id = id
        self.commitment = commitment
        self.dataClass = dataClass
    }
}

/// A copy outside the ledger, and until when it exists.
public struct PendingCopy: Sendable, Hashable {
    /// What people call it.
    public var name: String
    /// When it is thrown away; nil when nobody said.
    public var expiresAt: Instant?

    /// Pairs name and end.
    public init(name: String, expiresAt: Instant? = nil) {
        self.name = name
        self.expiresAt = expiresAt
    }
}

/// How far the destruction of keys went; each level holds what the one before does.
public enum ErasureLevel: UInt8, Sendable, Hashable, CaseIterable, Comparable {
    /// Their rows are gone from the keystore; its file may still hold the old bytes.
    case keyRemoved = 1
    /// The keystore was written anew under new bucket keys, and the old file is gone.
    case keystoreRewritten = 2
    /// The root key was replaced where it lives: no older copy of the keystore opens any more.
    case rootReplaced = 3

    /// The word that receipts use.
    public var name: String {
        switch self {
        case .keyRemoved: "key-removed"
        case .keystoreRewritten: "keystore-rewritten"
        case .rootReplaced: "root-replaced"
        }
    }

    /// The lesser destruction first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Private fields that were thrown away unseen, since their subject had been erased before.
public struct DiscardedFields: Sendable, Hashable {
    /// What there was.
    public var classes: PrivateClasses
    /// The request by which the subject was erased.
    public var requestID: [UInt8]
    /// When it was.
    public var erasedAt: Instant

    /// Puts the three together.
    public init(classes: PrivateClasses, requestID: [UInt8], erasedAt: Instant) {
        self.classes = classes
        self.requestID = requestID
        self.erasedAt = erasedAt
    }
}
