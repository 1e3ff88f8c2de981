import CheckoutLedger
import CheckoutModel
import EventLog

/// Holds what the ledger says against what was made up: the demo is its own end-to-end test.
struct DemoCheck: Sendable {
    private(set) var sessions = 0
    private(set) var right = 0
    /// What differs, a sentence each, at most ten.
    private(set) var differences: [String] = []

    var isRight: Bool { sessions == right && differences.isEmpty }

    init(_ truths: [DemoTruth], _ ledger: Ledger<LMDBStore>) throws {
        var contradictions: [String: Set<Discrepancy.Code>] = [:]
        try ledger.forEachDiscrepancy { session, found in
            contradictions[session.name] = Set(found.map(\.code))
            return .more
        }
        for truth in truths {
            sessions += 1
            let session = try ledger.session(named: truth.session)
            let evidence = session.state.evidence
            let found = DemoTruth(
                session: session.name, outcome: session.outcome, paid: evidence.paid.total,
                refunded: evidence.refunded.total,
                discrepancies: contradictions[session.name] ?? [])
            if found == truth { right += 1 } else { complain(truth, found) }
        }
    }

    mutating func expect(_ isRight: Bool, _ sentence: String) {
        guard !isRight, differences.count < 10 else { return }
        differences.append(sentence)
    }

    private mutating func complain(_ truth: DemoTruth, _ found: DemoTruth) {
        expect(false, "\(truth.session): made up \(truth.words), the ledger says \(found.words).")
    }
}

extension DemoTruth {
    fileprivate var words: String {
        let outcome = outcome.map { "\($0.status.name) (\($0.evidence.name))" } ?? "no outcome"
        let amounts = [paid, refunded].map { $0.map { "\($0.minorUnits)" } ?? "-" }
        let codes = discrepancies.map(\.rawValue).sorted()
        return ([outcome] + amounts + codes).joined(separator: " ")
    }
}
