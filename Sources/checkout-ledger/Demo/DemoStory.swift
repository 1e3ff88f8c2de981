/// What happens to a pretend customer, told from outside: the truth that voices then report.
///
/// Every kind of trouble the ledger exists for is one of them, so that none is left to chance.
enum DemoStory: String, Sendable, CaseIterable {
    /// Pays, and the browser comes back.
    case paid
    /// Pays, and closes the page before it can send the browser back.
    case paidAfterClosing
    /// Pays; the app is killed, and the webhook comes hours later.
    case paidAndKilled
    /// Is declined and gives up.
    case failed
    /// Is declined, tries again, pays.
    case failedThenPaid
    /// Closes the page without paying.
    case closedUnpaid
    /// Leaves the page open until the provider calls it expired.
    case expired
    /// The app is killed and nobody is heard of again.
    case neverHeardOf
    /// Comes back with `status=succeeded` in the address, and has not paid.
    case lyingReturn
    /// The page cannot be shown.
    case failedToOpen
    /// Pays by a bank debit that is still under way at the end.
    case debitUnderWay
    /// Pays by a bank debit that goes through two days later.
    case debitPaid
    /// Pays less than was asked for.
    case paidTooLittle
    /// Pays twice inside one checkout.
    case paidTwice
    /// Gets a part back, and the provider says so under two delivery ids.
    case refundedInPart
    /// Gets everything back; the refund is heard of before the payment.
    case refundBeforePayment
    /// Pays, and the bank disputes it.
    case disputed
    /// Pays, disputes, and loses the dispute.
    case disputeWon
    /// Subscribes, and is renewed once.
    case subscribed
    /// Closes the page, begins again for the same order, and pays both.
    case orderPaidTwice
    /// Pays; later the same delivery id comes with other bytes.
    case tamperedRetry
    /// Closes the page, calls the shop, and a person writes down how it ended.
    case resolvedByPerson

    /// How often among a hundred and some checkouts.
    var weight: Int {
        switch self {
        case .paid: 52
        case .paidAfterClosing: 9
        case .paidAndKilled: 5
        case .failedThenPaid, .closedUnpaid: 6
        case .failed, .neverHeardOf: 4
        case .subscribed, .expired: 3
        case .refundedInPart, .debitPaid: 2
        case .lyingReturn, .failedToOpen, .debitUnderWay, .paidTooLittle, .paidTwice,
            .refundBeforePayment, .disputed, .disputeWon, .orderPaidTwice, .tamperedRetry,
            .resolvedByPerson:
            1
        }
    }

    /// The only provider that can tell this story; nil where both can.
    var provider: DemoProvider? {
        switch self {
        // A declined attempt that nobody repeats is told by payment alone at Stripe.
        case .failed, .subscribed, .lyingReturn, .paidTwice: .dodo
        case .expired, .debitUnderWay, .debitPaid: .stripe
        default: nil
        }
    }

    /// How many checkouts the story has.
    var checkouts: Int { self == .orderPaidTwice ? 2 : 1 }

    /// Stories that make as many checkouts as asked for: first one of each kind, then by weight, in
    /// a shuffled order.
    static func cast(_ count: Int, _ random: inout DemoRandom) -> [DemoStory] {
        let bag = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
        var first = allCases[...]
        var cast: [DemoStory] = []
        var room = count
        while room > 0 {
            let story = first.popFirst() ?? random.pick(bag)
            let fitting = story.checkouts <= room ? story : .paid
            cast.append(fitting)
            room -= fitting.checkouts
        }
        random.shuffle(&cast)
        return cast
    }
}

/// The providers that the pretend shop uses.
enum DemoProvider: String, Sendable, CaseIterable {
    case dodo
    case stripe

    /// Currencies the shop takes there, with its prices in minor units.
    var prices: [(currency: String, minorUnits: [Int64])] {
        switch self {
        case .dodo:
            [("EUR", [990, 1_900, 2_500, 4_900, 9_900]), ("USD", [700, 1_999, 5_900, 12_000])]
        case .stripe:
            [
                ("JPY", [980, 1_200, 3_000, 12_800]), ("KWD", [1_500, 3_250, 9_990]),
                ("EUR", [1_490, 3_900]),
            ]
        }
    }
}
