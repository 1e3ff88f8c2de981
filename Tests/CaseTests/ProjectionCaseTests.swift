import CheckoutLedger
import CheckoutModel
import EventLog
import ProviderKit
import Testing

/// Projection cases that list what arrives, straight from the file, through a ledger.
@Suite("Public projection cases")
struct ProjectionCaseTests {
    /// What the ledger held at one moment of a case.
    private struct Moment {
        var sessions: [Session]
        var arrivals: Int

        var session: Session {
            get throws {
                try #require(sessions.count == 1, "the case is about one checkout")
                return sessions[0]
            }
        }

        var evidence: SessionEvidence { get throws { try session.state.evidence } }

        func payment(_ id: some StringProtocol) throws -> PaymentEvidence {
            let reference = EventReference(of: id)
            let found = try evidence.payments.first { $0.reference == reference }
            return try #require(found, "\(id) is not there")
        }
    }

    static let cases = PublicCase.runnable("projection").filter {
        $0.input["arrival_order"] != nil
    }

    @Test("A ledger believes what its case says", arguments: cases)
    func run(_ item: PublicCase) async throws {
        let ledger = try CaseLedger.memory()
        var moments: [Moment] = []
        var queries: [Moment] = []
        for member in item.input["sessions"]?.caseMembers ?? [] {
            try await ledger.record(
                CheckoutEvent(
                    .sessionCreated, source: .host, provider: "dodo",
                    ids: ProviderIDs(session: member.name),
                    amount: try amount(member.value["expected_amount"], member.value["currency"])))
        }
        for (index, entry) in try #require(item.input["arrival_order"]?.elements).enumerated() {
            if entry.text == "<query>" {
                queries.append(try #require(moments.last))
            } else {
                try await arrive(entry, "msg_\(index)", in: ledger)
                moments.append(Moment(sessions: try ledger.sessions(), arrivals: index + 1))
            }
        }
        for condition in item.conditions { try check(condition, moments, queries) }
    }

    private func arrive(
        _ entry: JSONValue, _ delivery: String, in ledger: Ledger<InMemoryStore>
    ) async throws {
        if let answer = entry.text?.firstMatch(of: /^reconcile\((.+)\)=paid (\S+) (\d+) (...)$/) {
            let facts = PaymentFacts(
                status: .succeeded,
                amount: Money(
                    minorUnits: try #require(Int64(answer.3)),
                    currency: try #require(Currency(answer.4))),
                ids: ProviderIDs(session: String(answer.1), payment: String(answer.2)),
                mode: .unknown, rawStatus: "succeeded")
            try await ledger.record(
                answer: .known(facts), about: .session(String(answer.1)),
                scope: CaseLedger.scope, at: CaseLedger.now)
            return
        }
        let word = try #require(entry["type"]?.text)
        let time = try #require(entry["occurred_at"]?.text)
        // "processing" is Dodo's word; the ledger's own is "pending".
        let name = word == "payment.processing" ? "payment.pending" : word
        try await ledger.record(
            CheckoutEvent(
                try #require(EventType(name: name)), source: .webhook, evidence: .verified,
                occurredAt: Instant(iso8601: time),
                provider: "dodo",
                ids: ProviderIDs(
                    session: entry["session"]?.text, payment: entry["payment"]?.text,
                    refund: entry["refund"]?.text),
                amount: try amount(entry["amount"], entry["currency"]), rawType: word,
                deliveryID: delivery))
    }

    private func amount(_ units: JSONValue?, _ code: JSONValue?) throws -> Money? {
        guard let units = units?.integer else { return nil }
        return Money(minorUnits: units, currency: try Currency(caseCode: code))
    }

    private func check(
        _ condition: String, _ moments: [Moment], _ queries: [Moment]
    ) throws {
        let last = try #require(moments.last)
        if let rest = condition.after("first query: ") {
            try checkFirstQuery(rest, try #require(queries.first))
        } else if let rest = condition.after("second query: ") {
            try checkAmounts(rest, try #require(queries.dropFirst().first))
        } else if let rest = condition.after("session ") {
            try checkSession(rest, last)
        } else if condition.wholeMatch(of: Self.payment) != nil {
            try checkPayment(condition, last)
        } else if condition.contains("=") {
            try checkAmounts(condition, last)
        } else {
            try checkText(condition, moments, last)
        }
    }

    private static var payment: Regex<(Substring, Substring, Substring, Substring)> {
        /(pay_[^=]+)=(paid|failed)(.*)/
    }

    /// `pay_1=paid 2500 EUR` or `pay_1=failed`.
    private func checkPayment(_ condition: String, _ moment: Moment) throws {
        let match = try #require(condition.wholeMatch(of: Self.payment))
        let payment = try moment.payment(match.1)
        #expect(payment.status == (match.2 == "paid" ? .succeeded : .failed))
        guard match.2 == "paid" else { return }
        let parts = match.3.split(separator: " ")
        #expect(payment.highest?.minorUnits == Int64(parts[0]))
        #expect(payment.highest == payment.lowest)
        #expect(payment.highest?.currency.code == String(parts[1]))
        #expect(try moment.session.outcome?.status == .succeeded)
    }

    /// `cks_1=paid`, `cks_1=paid by pay_2`, `cks_1=needs_review reason=…`.
    private func checkSession(_ condition: String, _ moment: Moment) throws {
        let match = try #require(
            condition.wholeMatch(of: /([^=]+)=(paid|needs_review)(?: (by|reason=)\s?(\S+))?/),
            "no runner understands 'session \(condition)'")
        #expect(try moment.session.name == String(match.1))
        let evidence = try moment.evidence
        if match.2 == "paid" {
            #expect(
                try moment.session.outcome
                    == SessionOutcome(status: .succeeded, evidence: .verified))
            guard let id = match.4 else { return }
            #expect(evidence.succeededPayments.map(\.reference) == [EventReference(of: id)])
        } else {
            #expect(evidence.needsReview)
            #expect(evidence.discrepancies.map(\.code.rawValue) == [String(match.4 ?? "")])
        }
    }

    /// `paid=2000 refunded=500 net=1500`, and `state=partially_refunded`.
    private func checkAmounts(_ condition: String, _ moment: Moment) throws {
        let evidence = try moment.evidence
        for part in condition.split(separator: " ") {
            let pair = part.split(separator: "=")
            switch (pair[0], pair.last) {
            case ("paid", let value?): #expect(evidence.paid.total?.minorUnits == Int64(value))
            case ("refunded", let value?):
                #expect(evidence.refunded.total?.minorUnits == Int64(value))
            case ("net", let value?): #expect(evidence.net?.minorUnits == Int64(value))
            case ("state", "partially_refunded"?): #expect(evidence.refundState == .partial)
            default: Issue.record("no runner understands '\(part)'")
            }
        }
    }

    private func checkFirstQuery(_ condition: String, _ moment: Moment) throws {
        let match = try #require(
            condition.wholeMatch(of: /(\S+) is listed as unmatched, nothing lost/),
            "no runner understands '\(condition)'")
        let evidence = try moment.evidence
        #expect(evidence.refunds.map(\.reference) == [EventReference(of: match.1)])
        #expect(evidence.discrepancies.map(\.code) == [.refundWithoutPayment])
        #expect(try moment.session.state.trace.eventCount == UInt32(moment.arrivals))
    }

    private func checkText(_ condition: String, _ moments: [Moment], _ last: Moment) throws {
        switch condition {
        case "the late failure does not change the session":
            let before = try #require(moments.dropLast().last)
            #expect(try before.session.outcome == last.session.outcome)
            #expect(try before.evidence.discrepancies == last.evidence.discrepancies)
        case "the later failure is listed as an anomaly":
            #expect(try last.evidence.discrepancies.map(\.code) == [.failedAfterSuccess])
        case "not paid":
            #expect(try last.session.outcome == nil)
            #expect(try last.evidence.status != .succeeded)
        case "two evidence entries for one payment":
            let payments = try last.evidence.payments
            #expect(payments.count == 1)
            #expect(payments.first?.confirmedBy.nonzeroBitCount == 2)
        default:
            let total = try #require(
                condition.wholeMatch(of: /paid total (\d+) \(once\)/),
                "no runner understands '\(condition)'")
            #expect(try last.evidence.paid.total?.minorUnits == Int64(total.1))
            #expect(try !last.evidence.discrepancies.contains { $0.code == .paidTwice })
        }
    }
}

extension JSONValue {
    fileprivate var caseMembers: [JSONMember] {
        guard case .object(let members) = self else { return [] }
        return members
    }
}
