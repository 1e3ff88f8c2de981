import CheckoutLedger
import CheckoutModel
import DodoPayments
import EventLog
import Foundation
import ProviderKit
import Testing

@Suite("What 'record' writes")
struct WritingRecordTests {
    /// Opens what the program wrote.
    static func ledger(
        _ program: WritingProgram, _ name: String = "shop.ledger"
    ) throws -> Ledger<LMDBStore> {
        var options = LedgerOptions(providers: try ProviderRegistry([DodoPaymentsProvider()]))
        options.isReadOnly = true
        options.environment = ["XDG_STATE_HOME": program.path("state")]
        return try Ledger.open(at: program.path(name), options: options)
    }

    static func item(_ id: String) throws -> WritingCase {
        try #require(ExplainTests.webhooks.first { $0.id == id })
    }

    @Test("Every genuine public webhook is recorded byte for byte and stands in the timeline")
    func genuine() async throws {
        let cases = ExplainTests.webhooks.filter { $0.expected.hasPrefix("accept") }
        #expect(cases.count == 8)
        for item in cases {
            try await withProgram { program in
                _ = try program.run(["init"])
                let delivery = item.deliveries[0]
                let run = try program.webhook("record", delivery)
                #expect(run.exitCode == 0, "\(item.id)")
                let isUnhandled = item.id == "pub-hook-13"
                #expect(run.json["verdict"]?.text == (isUnhandled ? "unhandled" : "recorded"))
                let ledger = try Self.ledger(program)
                defer { ledger.close() }
                let first = try ledger.event(at: 0)
                #expect(first.event.type == .deliveryReceived)
                #expect(try ledger.body(of: first) == delivery.body)
                guard !isUnhandled else { return }
                let (session, events) = try ledger.timeline(of: "cks_41aa")
                #expect(events.map(\.event.type.family) == [.delivery, .payment])
                let isPending = item.id == "pub-hook-17"
                #expect(session.outcome?.status == (isPending ? nil : .succeeded))
            }
        }
    }

    @Test("A text that is no return URL is refused in one sentence, with what to do")
    func noReturn() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            let run = try program.run(["record", "return-url", "", "--provider", "dodo"])
            #expect(run.exitCode == 1)
            #expect(
                run.errors == """
                    Error: The URL cannot be read as a return (not_a_url): The text does not begin \
                    with a scheme such as https: or myapp:.
                    Hint: Pass the whole URL, with nothing before its scheme.

                    """)
        }
    }

    @Test("The help about signatures shows a command that a shell reads as one")
    func longCommand() async throws {
        try await withProgram { program in
            let text = try program.run(["help", "signatures"]).text
            #expect(text.contains(" --secret-file secret.txt \\\n    --headers-file "))
        }
    }

    @Test("No name and one longer than any id lead to no session")
    func oddNames() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            _ = try program.run(["record", "session", "--provider", "dodo", "--session", "cks_1"])
            for name in ["", String(repeating: "x", count: 100_000)] {
                let run = try program.run(["timeline", name, "--json"])
                #expect(run.exitCode == 1)
                #expect(run.errors.contains(#""code":"NOT_FOUND""#), "\(run.errors.prefix(200))")
            }
        }
    }

    @Test("A webhook that comes again adds nothing, and one with other bytes is not applied")
    func again() async throws {
        let money = #""total_amount":5,"currency":"EUR""#
        let body = #"{"type":"payment.failed","data":{"payment_id":"pay_41aa",\#(money)}}"#
        try await withProgram { program in
            _ = try program.run(["init"])
            let pair = try Self.item("pub-hook-12").deliveries
            #expect(try program.webhook("record", pair[0]).json["verdict"]?.text == "recorded")
            let again = try program.webhook("record", pair[1])
            #expect(again.exitCode == 0)
            #expect(again.json["verdict"]?.text == "duplicate")
            let other = try program.webhook(
                "record", WritingDelivery(signing: body, id: "msg_p12"))
            #expect(other.exitCode == 0)
            #expect(other.json["verdict"]?.text == "conflicting")
            let ledger = try Self.ledger(program)
            defer { ledger.close() }
            #expect(try ledger.endPosition() == 3)
            #expect(try ledger.session(named: "cks_41aa").outcome?.status == .succeeded)
        }
    }

    @Test("A forged webhook is kept as refused, changes nothing and fails the command")
    func refused() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            let run = try program.webhook("record", try Self.item("pub-hook-18").deliveries[0])
            #expect(run.exitCode == 1)
            #expect(run.json["verdict"]?.text == "refused")
            #expect(run.json["reason"]?.text == "signature_mismatch")
            let ledger = try Self.ledger(program)
            defer { ledger.close() }
            #expect(try ledger.event(at: 0).event.type == .deliveryRefused)
            #expect(throws: LedgerError.self) { try ledger.session(named: "cks_41aa") }
        }
    }

    @Test("An amount with a fraction is quarantined with its reason")
    func quarantined() async throws {
        let money = #""total_amount":1.5,"currency":"EUR""#
        let body = #"{"type":"payment.succeeded","data":{"payment_id":"p",\#(money)}}"#
        try await withProgram { program in
            _ = try program.run(["init"])
            let run = try program.webhook("record", WritingDelivery(signing: body, id: "m_1"))
            #expect(run.exitCode == 0)
            #expect(run.json["verdict"]?.text == "quarantined")
            #expect(run.json["reason"]?.text == "amount_not_integer")
        }
    }

    @Test("A secret that a body echoes is masked before it is stored")
    func echoedSecret() async throws {
        let secret = WritingDelivery.secret
        let body = #"{"type":"widget.rotated","data":{"note":"\#(secret)"}}"#
        try await withProgram { program in
            _ = try program.run(["init"])
            let run = try program.webhook("record", WritingDelivery(signing: body, id: "m_1"))
            #expect(run.exitCode == 0)
            let ledger = try Self.ledger(program)
            defer { ledger.close() }
            let first = try ledger.event(at: 0)
            #expect(first.flags.contains(.redacted))
            let kept = String(decoding: try #require(try ledger.body(of: first)), as: UTF8.self)
            #expect(kept == body.replacing(secret, with: "[secret known]"))
        }
    }

    @Test("A raw request on standard input, its headers as JSON or as lines, is the same delivery")
    func shapes() async throws {
        let delivery = try Self.item("pub-hook-14").deliveries[0]
        let lines = delivery.headers.map { "\($0.name): \($0.value)" }
        let object = JSONValue.object(
            delivery.headers.map { JSONMember(name: $0.name, value: .string($0.value)) })
        let pairs = JSONValue.array(
            delivery.headers.map { .array([.string($0.name), .string($0.value)]) })
        let body = delivery.body
        let length = "Content-Length: \(body.count)"
        let requests: [[UInt8]] = [
            Array((lines.joined(separator: "\n") + "\n\n").utf8) + body,
            Array(("POST /hook HTTP/1.1\r\n" + lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
                + body,
            Array(((lines + [length]).joined(separator: "\n") + "\n\n").utf8) + body + [0x0A],
        ]
        try await withProgram { program in
            let secret = try program.write("secret", "\r\n" + delivery.secrets[0] + "\r\n\r\n")
            let options = [
                "explain", "webhook", "--provider", "dodo", "--secret-file", secret, "--json",
                "--at", "\(delivery.now)",
            ]
            for request in requests {
                let run = try program.run(options, input: request)
                #expect(run.json["accepted"] == .bool(true), "\(run.errors)")
            }
            for headers in [object.json, pairs.json] {
                let run = try program.run(
                    options + [
                        "--headers-file", try program.write("h", headers), "--body-file", "-",
                    ], input: body)
                #expect(run.json["accepted"] == .bool(true), "\(run.errors)")
            }
            for (request, code) in [
                ("webhook-id: 1", "MALFORMED_REQUEST"), ("no colon\n\n{}", "MALFORMED_HEADERS"),
                ("content-length: 9\n\n{}", "MALFORMED_REQUEST"),
                ("transfer-encoding: chunked\n\n{}", "MALFORMED_REQUEST"),
            ] {
                let run = try program.run(options, input: Array(request.utf8))
                #expect(run.exitCode == 1)
                #expect(run.code == code)
            }
        }
    }

    @Test("Sessions, returns, decisions and remarks are recorded as their voices")
    func voices() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            let dodo = ["--provider", "dodo"]
            let page = "https://test.checkout.dodopayments.com/session/cks_1"
            let created = ["record", "session"] + dodo + ["--session", "cks_1"]
            let amount = ["--amount", "25.00", "--currency", "EUR", "--name", "order-1"]
            for line in [
                created + amount, created + amount,
                ["record", "session"] + dodo + ["--checkout-url", page, "--state", "opened"],
                ["record", "return-url"] + dodo + ["--session", "cks_1", "a://b?status=failed"],
                ["record", "return-url"] + dodo + ["--session", "cks_1", "a://b?status=failed"],
                ["resolve", "cks_1", "--outcome", "failed", "--reason", "bank said so"],
                ["note", "cks_1", "asked again"],
            ] {
                let run = try program.run(line)
                #expect(run.exitCode == 0, "\(run.errors)")
            }
            let ledger = try Self.ledger(program)
            defer { ledger.close() }
            let (session, events) = try ledger.timeline(of: "dodo/cks_1")
            #expect(
                events.map(\.event.type) == [
                    .sessionCreated, .sessionOpened, .sessionReturned, .operatorResolved,
                    .noteAdded,
                ])
            #expect(
                events.map(\.event.source) == [.host, .app, .browser, .operator, .operator])
            #expect(events[0].event.amount?.minorUnits == 2_500)
            #expect(events[1].event.mode == .test)
            #expect(session.outcome?.evidence == .operator)
        }
    }

    @Test("What is no checkout page, no amount or another return is not recorded")
    func refusedInputs() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            let session = ["record", "session", "--provider", "dodo", "--json"]
            for (line, code, exit) in [
                (session + ["--checkout-url", "http://x.example"], "INVALID_CHECKOUT_URL", 1),
                (
                    session + ["--session", "a", "--amount", "1.234", "--currency", "EUR"],
                    "too_many_decimals", 1
                ),
                (session + ["--session", "a", "--amount", "1"], "INVALID_VALUE", 2),
                (
                    session + ["--session", "a", "--state", "opened", "--amount", "1"],
                    "INVALID_VALUE", 2
                ),
                (session, "INVALID_VALUE", 2),
                (
                    [
                        "record", "return-url", "--provider", "dodo", "--registered", "a://b",
                        "--json",
                        "a://c?status=succeeded",
                    ], "OTHER_URL", 1
                ),
                (
                    ["resolve", "nobody", "--outcome", "failed", "--reason", "x", "--json"],
                    "NOT_FOUND", 1
                ),
            ] {
                let run = try program.run(line)
                #expect(run.exitCode == Int32(exit), "\(line)")
                #expect(run.code == code, "\(line)")
            }
            let ledger = try Self.ledger(program)
            defer { ledger.close() }
            #expect(try ledger.endPosition() == 0)
        }
    }

    @Test("Dodo's returns are recorded with the status that their vector states")
    func dodoReturns() async throws {
        let vectors = WritingCase.dodo(kind: "return_url_parse").filter { $0["better"] == nil }
        #expect(vectors.count > 30)
        try await withProgram { program in
            _ = try program.run(["init"])
            for (index, vector) in vectors.enumerated() {
                let url = try #require(vector["input"]?["url"]?.text)
                let run = try program.run([
                    "record", "return-url", "--provider", "dodo", "--session", "cks_\(index)",
                    "--", url,
                ])
                #expect(run.exitCode == 0, "\(vector["id"]?.text ?? "") \(run.errors)")
            }
            let ledger = try Self.ledger(program)
            defer { ledger.close() }
            for (index, vector) in vectors.enumerated() {
                let event = try #require(try ledger.timeline(of: "dodo/cks_\(index)").events.first)
                let status = vector["expected"]?["status"]?.text
                #expect(event.event.status?.name == status, "\(vector["id"]?.text ?? "")")
                guard case .fields(let fields) = try ledger.privateFields(of: event) else {
                    Issue.record("the URL is not kept")
                    continue
                }
                #expect(fields.returnURL == vector["input"]?["url"]?.text)
            }
        }
    }

    @Test("Lines of events are one transaction, or one each")
    func lines() async throws {
        let good = #"{"type":"session.created","provider":"dodo","session":"s1","id":"e1"}"#
        let bad = #"{"type":"session.created","provider":"dodo","session":7}"#
        let text = Array("\(good)\n\n\(bad)\n".utf8)
        try await withProgram { program in
            _ = try program.run(["init"])
            let whole = try program.run(["record", "event", "-", "--json"], input: text)
            #expect(whole.exitCode == 1)
            #expect(whole.code == "MALFORMED_EVENT")
            #expect(whole.errors.contains("Line 3"))
            let each = try program.run(["record", "event", "--each"], input: Array(good.utf8))
            #expect(each.exitCode == 0)
            let again = try program.run(["record", "event", "--json"], input: Array(good.utf8))
            #expect(again.json["verdict"]?.text == "duplicate")
            let ledger = try Self.ledger(program)
            defer { ledger.close() }
            #expect(try ledger.endPosition() == 1)
        }
    }
}
