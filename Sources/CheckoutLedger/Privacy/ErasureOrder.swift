public import CheckoutModel

/// Whose private fields are meant.
public enum ErasureTarget: Sendable, Hashable {
    /// One checkout with all its streams, by any name that `Ledger.session(named:)` takes.
    case session(String)
    /// Every checkout so far in which a customer's id at a provider was heard, as `provider/id`,
    /// `provider/account/id`, or the id alone where one account knows it.
    case customer(String)
    /// Every session whose last event was recorded before that.
    case retention(olderThan: Instant)

    var word: String {
        switch self {
        case .session: "session"
        case .customer: "customer"
        case .retention: Self.retentionWord
        }
    }

    static let retentionWord = "retention"
}

/// How much is done at once.
public enum ErasureDepth: Sendable, Hashable {
    /// Keys are removed; a rotation, which can wait for many requests, makes that final.
    case keysOnly
    /// The keystore is written anew, and the root key replaced where that can be done.
    case complete
}

/// An order to erase.
public struct ErasureOrder: Sendable, Hashable {
    /// Whose fields.
    public var target: ErasureTarget
    /// Which of them.
    public var classes: PrivateClasses
    /// Why it may be done, in a word: `request`, `retention`, `law`.
    public var ground = "request"
    /// Why, in a sentence; stays in the log, so it must name nobody.
    public var reason: String?
    /// Who ordered it: a role or a name that the host chose.
    public var actor: String?
    /// Copies outside the ledger that still hold the keys.
    public var copies: [PendingCopy] = []
    /// How much is done at once.
    public var depth = ErasureDepth.complete

    /// All classes, unless told otherwise.
    public init(_ target: ErasureTarget, classes: PrivateClasses = .all) {
        self.target = target
        self.classes = classes
    }
}

/// What an order would do, or did.
public struct ErasurePlan: Sendable, Hashable {
    /// Sessions, by name.
    public internal(set) var sessions: [String] = []
    /// How many keys there are to destroy.
    public internal(set) var keys = 0
    /// How many events have fields under them.
    public internal(set) var events: UInt64 = 0
    /// The first and the last of those events.
    public internal(set) var positions: ClosedRange<UInt64>?
    /// How many sessions past their time stay, since they are held; only of a retention order.
    public internal(set) var held = 0
    /// True when all of it was erased before, and nothing is left to do.
    public internal(set) var isDone = false
}

/// A request for erasure and what became of it.
public struct ErasureEntry: Sendable, Hashable {
    /// 32 hexadecimal digits.
    public let name: String
    /// The event that holds the request, or says that it was refused.
    public let request: RecordedEvent
    /// What was asked for.
    public let asked: PrivacyRecord
    /// The receipts, in order; empty while the request is under way.
    ///
    /// Where more of it came to light after a receipt, those that name all of it.
    public internal(set) var receipts: [RecordedEvent] = []
    /// How far the destruction has come, by the receipt or by a later rotation.
    public internal(set) var level: ErasureLevel?

    /// What the last receipt states.
    public var receipt: PrivacyRecord? { receipts.last?.payload.privacy }
    /// True for a request that was not carried out, since its subject is held.
    public var isRefused: Bool { request.event.type == .eraseRefused }
    /// True until there is a receipt.
    public var isUnderWay: Bool { receipts.isEmpty && !isRefused }

    /// True when the receipts state all that this one would.
    func isComplete(_ receipt: PrivacyRecord) -> Bool {
        let parts = receipt.keys.slices(of: Limits.keysPerReceipt).count
        return receipts.count == max(1, parts) && self.receipt?.keyCount == receipt.keyCount
    }
}

/// What an erasure came to.
public struct ErasureReport: Sendable, Hashable {
    /// What there was to do.
    public let plan: ErasurePlan
    /// The request with its receipts; nil when there was nothing to do.
    public let entry: ErasureEntry?
}
