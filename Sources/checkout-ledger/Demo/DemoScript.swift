import CheckoutModel
import CommandKit
import ProviderKit

/// One thing that reaches the ledger at one moment.
struct DemoStep: Sendable {
    enum Action: Sendable {
        case event(CheckoutEvent)
        case returned(String, DemoCheckout, ReturnRequest.Landing)
        case delivery(WebhookDelivery, DemoProvider)
        case resolution(session: String, CheckoutStatus, reason: String)
    }

    /// What the ledger should answer.
    enum Answer: String, Sendable, CaseIterable {
        case recorded, unhandled, duplicate, conflicting, quarantined, refused
    }

    let at: Instant
    /// Steps of one lane never overtake each other.
    let lane: Int
    let action: Action
    let expected: Answer
    /// May write twice: done while nothing else is under way, so that the order of the log follows
    /// from the seed alone.
    let isAlone: Bool
}

/// What the ledger must come to hold of one session, known because it was made up here.
struct DemoTruth: Sendable, Hashable {
    let session: String
    var outcome: SessionOutcome?
    var paid: Money?
    var refunded: Money?
    var discrepancies: Set<Discrepancy.Code> = []
}

/// Some days of a made-up shop: everything that will be said, and what is true.
struct DemoScript: Sendable {
    private(set) var steps: [DemoStep] = []
    private(set) var truths: [DemoTruth] = []
    private(set) var checkouts: [DemoCheckout] = []
    var random: DemoRandom
    private var lanes = 0

    /// Monday, 2 March 2026, 08:00 UTC.
    static let start = Instant(seconds: 1_772_438_400)
    /// So many customers come at the same time, as they do when a sale begins.
    private static let rush = 32
    private static let minutesOfSales = 3 * 24 * 60

    init(seed: UInt64, checkouts count: Int) {
        random = DemoRandom(seed: seed)
        let cast = DemoStory.cast(count, &random)
        let rushes = max(1, (cast.count + Self.rush - 1) / Self.rush)
        for (index, story) in cast.enumerated() {
            let minute = index / Self.rush * (Self.minutesOfSales / rushes)
            let opening = Self.start.adding(seconds: minute * 60 + random.below(4))
            tell(story, opening)
        }
        addStrayMail(count)
        // Equal times keep the order in which the steps were written.
        steps = steps.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// A lane of its own, for what concerns no checkout.
    mutating func newLane() -> Int {
        lanes += 1
        return lanes
    }

    mutating func newCheckout(
        _ story: DemoStory, opening: Instant, order: String? = nil,
        provider given: DemoProvider? = nil
    ) -> DemoCheckout {
        let provider = given ?? story.provider ?? (random.chance(60) ? .dodo : .stripe)
        let (code, prices) = random.pick(provider.prices)
        guard let currency = Currency(code) else {
            preconditionFailure("\(code) is no currency")
        }
        let lane = newLane()
        let checkout = DemoCheckout(
            lane: lane, provider: provider,
            session: random.id(provider == .dodo ? "cks_" : "cs_test_"),
            order: order ?? "ORDER-\(1_000 + lane)",
            payment: random.id(provider == .dodo ? "pay_" : "pi_"),
            customer: random.id("cus_", 14), email: "customer-\(lane)@shop.example",
            total: Money(minorUnits: random.pick(prices), currency: currency),
            openedAt: opening)
        checkouts.append(checkout)
        return checkout
    }

    mutating func add(_ truth: DemoTruth) { truths.append(truth) }

    mutating func add(
        _ action: DemoStep.Action, at time: Instant, lane: Int,
        expecting answer: DemoStep.Answer = .recorded, alone isAlone: Bool = false
    ) {
        steps.append(
            DemoStep(at: time, lane: lane, action: action, expected: answer, isAlone: isAlone))
    }
}
