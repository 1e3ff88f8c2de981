import TestSupport

@testable import CheckoutModel

/// Facts drawn from a small world, so that collisions and contradictions are frequent.
struct RandomFacts {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func fact() -> Fact {
        let type = EventType.vocabulary.randomElement(using: &generator)?.type ?? .noteAdded
        let references = ["pay_1", "pay_2", "ref_1"].map { EventReference(of: $0) } + [.none]
        let fact = Fact(
            type: type,
            source: EventSource.allCases.randomElement(using: &generator) ?? .app,
            evidence: Evidence.allCases.randomElement(using: &generator) ?? .hint,
            status: Bool.random(using: &generator)
                ? CheckoutStatus.allCases.randomElement(using: &generator) : nil,
            mode: ProviderMode.allCases.randomElement(using: &generator) ?? .unknown,
            amount: amount(),
            subject: references.randomElement(using: &generator) ?? .none,
            object: Bool.random(using: &generator)
                ? references.randomElement(using: &generator) ?? .none : .none,
            occurredAt: Int.random(in: 0..<5, using: &generator) == 0
                ? .min : Int64.random(in: 0..<6, using: &generator))
        return fact
    }

    mutating func facts(count: Int) -> [Fact] { (0..<count).map { _ in fact() } }

    private mutating func amount() -> Money? {
        guard Bool.random(using: &generator),
            let currency = Currency(["EUR", "JPY"].randomElement(using: &generator) ?? "EUR")
        else { return nil }
        return Money(
            minorUnits: [0, 900, 2500, .max].randomElement(using: &generator) ?? 0,
            currency: currency)
    }
}

func evidence(of facts: some Sequence<Fact>) -> SessionEvidence {
    var evidence = SessionEvidence()
    for fact in facts { evidence.absorb(fact, replacing: fact.replaced) }
    return evidence
}

extension Fact {
    /// The resolutions that a random one takes the place of, drawn with it as its object.
    var replaced: [EventReference] {
        type == .operatorResolved && object != .none ? [object] : []
    }
}
