import TestSupport
import Testing

@testable import CheckoutModel

@Suite("The fold is a join of evidence")
struct FoldLawTests {
    @Test(
        "Every order of the same evidence gives the same state", arguments: 0..<60 as Range<UInt64>)
    func everyPermutation(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        let facts = random.facts(count: 5)
        let expected = evidence(of: facts)
        for order in permutations(of: facts) {
            #expect(evidence(of: order) == expected)
        }
    }

    @Test("Hearing evidence again, anywhere, changes nothing", arguments: 0..<300 as Range<UInt64>)
    func duplicates(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        let facts = random.facts(count: 12)
        var noisy = facts + facts.shuffled(using: &random.generator).prefix(7)
        noisy.shuffle(using: &random.generator)
        #expect(evidence(of: noisy) == evidence(of: facts))
    }

    @Test("Joining parts equals folding the whole", arguments: 0..<300 as Range<UInt64>)
    func joinOfParts(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        let facts = random.facts(count: 14)
        let cut = Int.random(in: 0...facts.count, using: &random.generator)
        var left = evidence(of: facts[..<cut])
        let right = evidence(of: facts[cut...])
        var mirrored = right
        mirrored.join(left)
        left.join(right)
        #expect(left == evidence(of: facts))
        #expect(mirrored == left)
        var again = left
        again.join(left)
        #expect(again == left)
    }

    @Test(
        "What is said not to decide changes neither outcome nor paid sum",
        arguments: 0..<300 as Range<UInt64>)
    func undecidingFacts(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        var evidence = SessionEvidence()
        for fact in random.facts(count: 20) {
            let before = evidence.decision
            evidence.absorb(fact, replacing: fact.replaced)
            if !fact.mayDecide { #expect(evidence.decision == before) }
        }
    }

    @Test("Joining is associative", arguments: 0..<200 as Range<UInt64>)
    func associativity(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        let parts = (0..<3).map { _ in evidence(of: random.facts(count: 6)) }
        var leftFirst = parts[0]
        leftFirst.join(parts[1])
        leftFirst.join(parts[2])
        var rest = parts[1]
        rest.join(parts[2])
        var rightFirst = parts[0]
        rightFirst.join(rest)
        #expect(leftFirst == rightFirst)
    }

    @Test(
        "A paid session never falls back, whatever is heard later",
        arguments: 0..<200 as Range<UInt64>)
    func paidStaysPaid(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        var evidence = SessionEvidence()
        evidence.absorb(
            Fact(
                type: .paymentSucceeded, source: .webhook, evidence: .verified,
                subject: EventReference(of: "pay_9")))
        // Totals that do not fit put a payment under review; nothing else may touch it.
        for fact in random.facts(count: 20) where fact.type != .sessionCreated {
            evidence.absorb(fact)
            #expect(evidence.outcome?.status == .succeeded)
        }
    }

    @Test("Hints alone never make an outcome", arguments: 0..<200 as Range<UInt64>)
    func hintsMakeNoOutcome(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        var evidence = SessionEvidence()
        for var fact in random.facts(count: 20) {
            fact.evidence = .hint
            evidence.absorb(fact)
            #expect(evidence.outcome == nil)
        }
    }

    @Test("A state's row reads back as the same state", arguments: 0..<200 as Range<UInt64>)
    func rowRoundTrip(seed: UInt64) throws {
        var random = RandomFacts(seed: seed)
        var state = SessionState()
        for fact in random.facts(count: 20) { state.evidence.absorb(fact) }
        state.trace.eventCount = 20
        state.trace.openedAt = 5
        state.trace.insert(link: 9)
        state.trace.insert(link: 3)
        var row: [UInt8] = []
        state.encode(into: &row)
        let read = try row.withUnsafeBytes { try SessionState(decoding: $0) }
        #expect(read == state)
    }

    @Test(
        "A cut or altered row is refused or read, and never traps",
        arguments: 0..<40 as Range<UInt64>)
    func damagedRows(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        var state = SessionState()
        for fact in random.facts(count: 20) { state.evidence.absorb(fact) }
        var row: [UInt8] = []
        state.encode(into: &row)
        for cut in 0..<row.count {
            let read = row.prefix(cut).withUnsafeBytes { try? SessionState(decoding: $0) }
            // Only the filling of a short row can be missing without a trace.
            #expect(read == nil || read == state && row[cut...].allSatisfy { $0 == 0 })
        }
        for index in row.indices {
            var altered = row
            altered[index] ^= 0x5A
            altered.withUnsafeBytes { _ = try? SessionState(decoding: $0) }
        }
    }

    private func permutations(of facts: [Fact]) -> [[Fact]] {
        if facts.count < 2 { return [facts] }
        return facts.indices.flatMap { index in
            var rest = facts
            let head = rest.remove(at: index)
            return permutations(of: rest).map { [head] + $0 }
        }
    }
}
