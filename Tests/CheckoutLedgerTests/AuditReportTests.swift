import CheckoutLedger
import CheckoutModel
import Cryptography
import EventLog
import ProviderKit
import Testing

/// A report, a ledger with one case of what it looks for and one near miss, and the row it gives.
struct AuditCase: Sendable, CustomTestStringConvertible {
    typealias Shop = Ledger<InMemoryStore>

    let report: String
    /// What a row must hold, by column; one row is expected.
    let row: [String: String]
    var session: String?
    var actor: String?
    let fill: @Sendable (Shop, ManualClock) async throws -> Void
    var testDescription: String { report }

    static func event(
        _ type: EventType, _ session: String, source: EventSource = .app,
        evidence: Evidence = .hint, at time: Instant? = nil, mode: ProviderMode = .unknown,
        status: CheckoutStatus? = nil, reason: String? = nil, actor: String? = nil,
        payment: String? = nil, order: String? = nil, amount: Int64? = nil
    ) throws -> CheckoutEvent {
        CheckoutEvent(
            type, source: source, evidence: evidence, occurredAt: time, provider: "dodo",
            mode: mode, ids: ProviderIDs(session: session, payment: payment, order: order),
            amount: try amount.map {
                Money(minorUnits: $0, currency: try #require(Currency("EUR")))
            },
            status: status, reason: reason, actor: actor)
    }

    static func paid(
        _ session: String, _ payment: String, order: String? = nil, amount: Int64 = 2_500,
        mode: ProviderMode = .unknown
    ) throws -> CheckoutEvent {
        try event(
            .paymentSucceeded, session, source: .webhook, evidence: .verified, mode: mode,
            payment: payment, order: order, amount: amount)
    }

    static func seconds(_ seconds: Int64) -> Instant {
        Instant(seconds: Fixture.now.seconds + seconds)
    }

    static let all: [AuditCase] = [
        AuditCase(
            report: "Q1", row: ["session": "cks_1", "type": "session.opened"], session: "cks_1"
        ) { ledger, _ in
            try await ledger.record(event(.sessionOpened, "cks_1"))
            try await ledger.record(event(.sessionOpened, "cks_2"))
        },
        AuditCase(report: "Q3", row: ["actor": "ada", "reason": "called"], actor: "ada") {
            ledger, _ in
            try await ledger.record(event(.sessionOpened, "cks_1"))
            try await ledger.note("called", on: "cks_1", actor: "ada", at: Fixture.now)
            try await ledger.note("called too", on: "cks_1", actor: "bob", at: Fixture.now)
        },
        AuditCase(
            report: "Q4", row: ["session": "cks_1", "outcome": "failed", "reasoned": "no"]
        ) { ledger, _ in
            try await ledger.record(
                event(
                    .operatorResolved, "cks_1", source: .operator, evidence: .operator,
                    status: .failed, reason: " "))
            try await ledger.note("not a decision", on: "cks_1", at: Fixture.now)
        },
        AuditCase(report: "Q5", row: ["session": "cks_1", "from": "failed", "to": "succeeded"]) {
            ledger, _ in
            for session in ["cks_1", "cks_2"] {
                try await ledger.record(
                    event(
                        .paymentFailed, session, source: .webhook, evidence: .verified,
                        payment: "pay_\(session)"))
            }
            try await ledger.record(paid("cks_1", "pay_cks_1"))
            // A hint turns nothing round.
            try await ledger.record(event(.sessionReturned, "cks_2", status: .succeeded))
        },
        AuditCase(
            report: "Q6", row: ["session": "dodo/cks_1", "ledger": "none", "provider": "succeeded"]
        ) { ledger, _ in
            try await ledger.record(
                event(
                    .statusChecked, "cks_1", source: .query, evidence: .verified,
                    status: .succeeded))
            try await ledger.record(paid("cks_2", "pay_2"))
            try await ledger.record(
                event(
                    .statusChecked, "cks_2", source: .query, evidence: .verified,
                    status: .succeeded))
        },
        AuditCase(
            report: "Q7",
            row: [
                "session": "dodo/cks_1", "what": "amount_mismatch", "asked": "2400", "paid": "2500",
            ]
        ) { ledger, _ in
            try await ledger.record(event(.sessionCreated, "cks_1", source: .host, amount: 2_400))
            try await ledger.record(paid("cks_1", "pay_1"))
            try await ledger.record(event(.sessionCreated, "cks_2", source: .host, amount: 2_500))
            try await ledger.record(paid("cks_2", "pay_2"))
        },
        AuditCase(report: "Q8", row: ["what": "session paid twice", "session": "dodo/cks_1"]) {
            ledger, _ in
            try await ledger.record(paid("cks_1", "pay_1"))
            try await ledger.record(paid("cks_1", "pay_2"))
            // The same payment told twice is one.
            try await ledger.receive(
                Fixture.payment("payment.succeeded", payment: "pay_3", session: "cks_2"), id: "m_1")
            try await ledger.receive(
                Fixture.payment("payment.succeeded", payment: "pay_3", session: "cks_2"), id: "m_2")
        },
        AuditCase(
            report: "Q9",
            row: ["id": "ref_1", "minorUnits": "500", "paid": "2500", "overPaid": "no"]
        ) { ledger, _ in
            try await ledger.receive(
                Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1"), id: "m_1")
            try await ledger.receive(
                Fixture.refund("ref_1", payment: "pay_1", amount: 500), id: "m_2")
            try await ledger.receive(
                Fixture.payment("payment.succeeded", payment: "pay_2", session: "cks_2"), id: "m_3")
        },
        AuditCase(report: "Q10", row: ["session": "dodo/cks_1", "ageSeconds": "86400"]) {
            ledger, _ in
            try await ledger.record(event(.sessionOpened, "cks_1", at: seconds(-86_400)))
            try await ledger.record(event(.sessionOpened, "cks_2", at: seconds(-86_399)))
        },
        AuditCase(report: "Q11", row: ["verdict": "refused", "reason": "signature_mismatch"]) {
            ledger, _ in
            let body = Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1")
            let signed = Fixture.delivery(body, id: "m_1")
            let forged = WebhookDelivery(
                headers: signed.headers, body: signed.body + [UInt8(ascii: " ")])
            _ = try await ledger.record(
                forged, verifiedBy: Fixture.verifier(), scope: Fixture.scope, at: Fixture.now)
            try await ledger.receive(body, id: "m_2")
        },
        AuditCase(report: "Q12", row: ["session": "cks_1", "what": "late", "lagSeconds": "600"]) {
            ledger, _ in
            try await ledger.record(event(.sessionOpened, "cks_1", at: seconds(-600)))
            try await ledger.record(event(.sessionOpened, "cks_2", at: seconds(-599)))
        },
        AuditCase(report: "Q13", row: ["session": "cks_1", "what": "future"]) { ledger, _ in
            try await ledger.record(event(.sessionOpened, "cks_1", at: seconds(301)))
            try await ledger.record(event(.sessionOpened, "cks_2", at: seconds(300)))
        },
        AuditCase(report: "Q15", row: ["actor": "ada", "what": "outside business hours"]) {
            ledger, clock in
            try await ledger.record(event(.sessionOpened, "cks_1"))
            // A Wednesday, 5 in the morning; then noon.
            try await ledger.note("early", on: "cks_1", actor: "ada", at: Fixture.now)
            clock.advance(seconds: 7 * 3_600)
            try await ledger.note("noon", on: "cks_1", actor: "ada", at: Fixture.now)
        },
        AuditCase(report: "Q16", row: ["what": "signing key", "provider": "dodo"]) { ledger, _ in
            let body = #"{"type":"bird.seen"}"#
            try await ledger.receive(body, id: "m_1")
            try await ledger.receive(body, id: "m_2")
            let other = "whsec_" + "HxkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEAHh0cGxo="
            _ = try await ledger.record(
                Fixture.delivery(body, id: "m_3", secret: other),
                verifiedBy: Fixture.verifier(other), scope: Fixture.scope, at: Fixture.now)
        },
        AuditCase(report: "Q17", row: ["actor": "ada", "what": "Q5", "reason": "AUD-7"]) {
            ledger, _ in
            try await ledger.record(
                .auditRead, AuditNote(subject: "Q5", positions: 0..<1), actor: "ada",
                reason: "AUD-7", at: Fixture.now)
            try await ledger.record(
                .auditVerified, AuditNote(subject: "verify"), actor: "ada", reason: nil,
                at: Fixture.now)
        },
        AuditCase(report: "Q18", row: ["session": "cks_2", "mode": "test"]) { ledger, _ in
            try await ledger.record(paid("cks_1", "pay_1", mode: .live))
            try await ledger.record(paid("cks_2", "pay_2", mode: .test))
            try await ledger.record(paid("cks_3", "pay_3", mode: .live))
            try await ledger.record(paid("cks_4", "pay_4"))
        },
        AuditCase(
            report: "Q19",
            row: [
                "rule": "R1", "what": "pan:visa", "field": "reason", "source": "operator",
                "count": "1", "action": "mask",
            ]
        ) { ledger, _ in
            try await ledger.record(event(.sessionOpened, "cks_1"))
            try await ledger.note("card \(Canary.pan)", on: "cks_1", at: Fixture.now)
            try await ledger.note("order 4111111111111112", on: "cks_1", at: Fixture.now)
        },
        AuditCase(report: "Q20", row: ["state": "held", "session": "cks_1", "target": "session"]) {
            ledger, _ in
            try await ledger.record(event(.sessionOpened, "cks_1"))
            try ledger.hold(.session("cks_1"), reason: "a dispute", at: Fixture.now)
            try await ledger.note("no hold", on: "cks_1", at: Fixture.now)
        },
        AuditCase(report: "Q21", row: ["type": "privacy.subject_erased", "keys": "1"]) {
            ledger, clock in
            for session in ["cks_1", "cks_2"] {
                var opened = try event(.sessionOpened, session)
                opened.privateFields.customerEmail = "mira@mail.example"
                try await ledger.record(opened)
            }
            // Asked for, and not because its time had come.
            try ledger.erase(ErasureOrder(.session("cks_2")), at: Fixture.now)
            let order = ErasureOrder(.retention(olderThan: seconds(1)), classes: .contact)
            try ledger.erase(order, at: Fixture.now)
        },
        AuditCase(
            report: "Q22",
            row: ["status": "succeeded", "count": "1", "minorUnits": "2500", "closing": "2500"]
        ) { ledger, _ in
            try await ledger.record(paid("cks_1", "pay_1"))
            try await ledger.record(paid("cks_1", "pay_1"))
            try await ledger.record(event(.sessionCreated, "cks_2", source: .host, amount: 9))
        },
        AuditCase(
            report: "Q23",
            row: ["what": "largest unanchored", "size": "2", "recordsSinceLast": "2"]
        ) { ledger, _ in
            // Without an anchor a verification covers much and vouches for nothing.
            for count: UInt64 in [4, 5] {
                try await ledger.record(
                    .auditVerified,
                    AuditNote(subject: "verify", positions: 0..<count, count: 0), actor: nil,
                    reason: nil, at: Fixture.now)
            }
        },
        AuditCase(report: "Q24", row: ["what": "verify", "endPosition": "7", "result": "sound"]) {
            ledger, _ in
            try await ledger.record(
                .auditVerified,
                AuditNote(subject: "verify", positions: 0..<7, count: 7, result: "sound"),
                actor: "ada", reason: nil, at: Fixture.now)
            try await ledger.record(
                .auditExported, AuditNote(subject: "export csv"), actor: "ada", reason: nil,
                at: Fixture.now)
        },
    ]
}

@Suite("Auditors' questions have exact answers")
struct AuditReportTests {
    static func answer(
        _ id: String, _ ledger: AuditCase.Shop, session: String? = nil, actor: String? = nil,
        since: Instant? = nil
    ) throws -> (rows: [[String: String]], coverage: AuditCoverage) {
        let report = try #require(AuditReport.named(id))
        var scope = AuditScope(now: Fixture.now)
        scope.session = session
        scope.actor = actor
        scope.since = since
        var rows: [[String: String]] = []
        let coverage = try ledger.audit(report, scope) { (values) throws(LedgerError) in
            rows.append(Dictionary(uniqueKeysWithValues: zip(report.columns, values.map(\.text))))
        }
        return (rows, coverage)
    }

    @Test("A report finds the one case, and not the near miss", arguments: AuditCase.all)
    func oneCase(item: AuditCase) async throws {
        let clock = ManualClock(Fixture.now)
        let ledger = try Fixture.memoryLedger(clock: clock)
        #expect(
            try item.session != nil || Self.answer(item.report, ledger).rows.isEmpty,
            "nothing in an empty ledger")
        try await item.fill(ledger, clock)
        let (rows, coverage) = try Self.answer(
            item.report, ledger, session: item.session, actor: item.actor)
        #expect(rows.count == 1, "\(rows)")
        for (column, value) in item.row { #expect(rows.first?[column] == value, "\(rows)") }
        #expect(coverage.rows == rows.count)
        #expect(coverage.positions == 0..<(try ledger.endPosition()))
        #expect(coverage.first == Fixture.now)
    }

    @Test("There are 24 reports, each with a question, an answer for nothing, and columns")
    func table() throws {
        let ids = AuditReport.all.map(\.id).sorted {
            (Int($0.dropFirst()) ?? 0) < (Int($1.dropFirst()) ?? 0)
        }
        #expect(ids == (1...24).map { "Q\($0)" })
        for report in AuditReport.all {
            #expect(report.question.hasSuffix("?"))
            #expect(report.nothingFound.hasSuffix("."))
            #expect(Set(report.columns).count == report.columns.count)
        }
    }

    @Test("Q2 tells what was believed at a time, not what is believed now")
    func asOf() async throws {
        let clock = ManualClock(Fixture.now)
        let ledger = try Fixture.memoryLedger(clock: clock)
        try await ledger.record(AuditCase.event(.sessionOpened, "cks_1"))
        clock.advance(seconds: 10)
        try await ledger.record(AuditCase.paid("cks_1", "pay_1"))
        let report = try #require(AuditReport.named("q2"))
        var scope = AuditScope(now: Fixture.now)
        scope.session = "cks_1"
        for (until, status) in [(AuditCase.seconds(5), "pending"), (nil, "succeeded")] {
            scope.until = until
            var said: [String: String] = [:]
            _ = try ledger.audit(report, scope) { (row) throws(LedgerError) in
                said[row[0].text] = row[5].text
            }
            #expect(said["status"] == status)
        }
    }

    @Test("Q14 finds no gap in a log that has none")
    func noGaps() async throws {
        let ledger = try Fixture.memoryLedger()
        for number in 0..<5 {
            try await ledger.record(AuditCase.event(.sessionOpened, "cks_\(number % 2)"))
        }
        let (rows, coverage) = try Self.answer("Q14", ledger)
        #expect(rows.isEmpty)
        #expect(coverage.positions == 0..<5)
    }

    @Test("A time leaves out what was recorded before, and the coverage says so")
    func since() async throws {
        let clock = ManualClock(Fixture.now)
        let ledger = try Fixture.memoryLedger(clock: clock)
        try await ledger.record(AuditCase.event(.sessionOpened, "cks_1"))
        clock.advance(seconds: 60)
        try await ledger.record(AuditCase.event(.sessionOpened, "cks_2"))
        let (rows, coverage) = try Self.answer("Q1", ledger, since: AuditCase.seconds(30))
        #expect(rows.map { $0["session"] } == ["cks_2"])
        #expect(coverage.positions == 1..<2)
        #expect(coverage.first == AuditCase.seconds(60))
    }

    @Test("An export's rows, totals and root are those of the log, and big numbers stay exact")
    func export() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(AuditCase.event(.sessionOpened, "cks_1"))
        try await ledger.record(AuditCase.paid("cks_1", "pay_1", amount: 9_007_199_254_740_993))
        try await ledger.record(AuditCase.paid("cks_2", "pay_2", amount: 7))
        var query = AuditQuery()
        query.types = [.paymentSucceeded]
        var lines: [String] = []
        var rows: [[String]] = []
        let summary = try ledger.exportEvents(matching: query) { piece in
            guard case .event(let event, _) = piece else { return }
            lines.append(String(decoding: EventExport.line(event), as: UTF8.self))
            rows.append(EventExport.row(event))
        }
        #expect(summary.rows == 2 && summary.first == 1 && summary.last == 2)
        #expect(summary.logSize == 3)
        #expect(summary.totals.values.map { String($0) } == ["9007199254741000"])
        #expect(lines[0].contains(#""minorUnits":"9007199254740993""#))
        #expect(lines[1].contains(#""minorUnits":7"#))
        let units = try #require(EventExport.columns.firstIndex(of: "minorUnits"))
        #expect(rows.map { $0[units] } == ["9007199254740993", "7"])
        #expect(summary.root.hex == (try ledger.export { _ in }.root))
    }
}
