import Foundation
import TestSupport
import Testing

@Suite("checkout-ledger demo")
struct DemoCommandTests {
    private let program: BuiltProgram

    init() throws { program = try #require(BuiltProgram()) }

    @Test("prints the same text for the same seed and another text for another one")
    func seeds() throws {
        try withTemporaryDirectory { folder in
            let first = try program(["demo", "--checkouts", "60"], in: folder)
            let again = try program(["demo", "--checkouts", "60"], in: folder)
            let other = try program(["demo", "--checkouts", "60", "--seed", "7"], in: folder)
            #expect([first.code, again.code, other.code] == [0, 0, 0])
            #expect(first.output == again.output)
            #expect(first.output != other.output)
            #expect(first.output.hasPrefix("Pretend data: "))
        }
    }

    @Test("leaves the demo of the same seed at another place sound")
    func places() throws {
        try withTemporaryDirectory { folder in
            for (ledger, checkouts) in [("one.ledger", "20"), ("two.ledger", "40")] {
                let made = try program(
                    ["demo", "--checkouts", checkouts, "--ledger", ledger], in: folder)
                #expect(made.code == 0, "\(made.errors)")
            }
            for ledger in ["one.ledger", "two.ledger"] {
                let verified = try program(["verify", "--ledger", ledger], in: folder)
                #expect(verified.code == 0, "\(ledger): \(verified.errors)")
            }
            let again = try program(
                ["demo", "--checkouts", "10", "--ledger", "two.ledger"], in: folder)
            #expect(again.code == 0)
            #expect(try program(["verify", "--ledger", "two.ledger"], in: folder).code == 0)
        }
    }

    @Test("ends soon after Ctrl-C, without a report", .timeLimit(.minutes(1)))
    func interrupted() throws {
        try withTemporaryDirectory { folder in
            let result = try program.script(
                """
                checkout-ledger demo --checkouts 20000 > report 2>&1 &
                until [ -s .checkout-ledger-demo/data.mdb ]; do :; done
                kill -INT $!
                wait $! || echo $?
                grep -c . report || true
                """, in: folder)
            #expect(result.output == "130\n0\n", "\(result.errors)")
        }
    }

    @Test("suggests commands with the name it was called by, the ledger, and one story to read")
    func suggestions() throws {
        try withTemporaryDirectory { folder in
            let result = try program(
                ["demo", "--checkouts", "60", "--ledger", "a shop.ledger"], in: folder,
                environment: ["CHECKOUT_LEDGER_CALLED_AS": "./run cli"])
            let lines = result.output.split(separator: "\n")
            let next = try #require(lines.firstIndex(of: "Next:"))
            let commands = lines[(next + 1)...]
            #expect(commands.count == 4)
            #expect(commands.contains { $0.contains("serve --sandbox") })
            #expect(
                commands.allSatisfy {
                    $0.hasPrefix("  ./run cli ") && $0.contains("--ledger 'a shop.ledger'")
                })
            #expect(commands.contains { $0.contains("timeline c") && $0.contains("was paid") })
        }
    }

    @Test("prints one object under --json, and its numbers add up")
    func summary() throws {
        struct Doubt: Decodable { let count, paid: Int }
        struct Deliveries: Decodable {
            let total, recorded, duplicates, conflicting, unhandled: Int
            let refused, quarantined: [String: Int]
        }
        struct AsSimulated: Decodable { let sessions, sessionsRight, answers, answersRight: Int }
        struct Replay: Decodable {
            let events: Int
            let equal: Bool
        }
        struct Summary: Decodable {
            let pretend: Bool
            let events, checkouts, renewals, abandoned: Int
            let outcomes, discrepancies: [String: Int]
            let silentAfterTenMinutes, closedByCustomer: Doubt
            let deliveries: Deliveries
            let replay: Replay
            let asSimulated: AsSimulated
        }
        try withTemporaryDirectory { folder in
            let result = try program(["demo", "--json", "--checkouts", "120"], in: folder)
            #expect(result.code == 0)
            #expect(result.errors.isEmpty)
            #expect(result.output.split(separator: "\n").count == 1)
            let summary = try JSONDecoder().decode(Summary.self, from: Data(result.output.utf8))
            #expect(summary.pretend)
            #expect(summary.checkouts == 120)
            #expect(summary.outcomes.values.reduce(0, +) == 120)
            let deliveries = summary.deliveries
            let ignored =
                deliveries.refused.values.reduce(0, +)
                + deliveries.quarantined.values.reduce(0, +) + deliveries.duplicates
                + deliveries.conflicting + deliveries.unhandled
            #expect(deliveries.total == deliveries.recorded + ignored)
            let open = ["needsReview", "paymentPending", "unknown"]
            #expect(summary.abandoned == open.compactMap { summary.outcomes[$0] }.reduce(0, +))
            #expect(summary.silentAfterTenMinutes.count > summary.silentAfterTenMinutes.paid)
            #expect(summary.silentAfterTenMinutes.paid > 0)
            #expect(summary.closedByCustomer.paid > 0)
            #expect(summary.replay.events == summary.events)
            #expect(summary.replay.equal)
            #expect(summary.asSimulated.sessions == 120 + summary.renewals)
            #expect(summary.asSimulated.sessionsRight == summary.asSimulated.sessions)
            #expect(summary.asSimulated.answersRight == summary.asSimulated.answers)
        }
    }

    @Test("leaves a ledger alone that no demo made")
    func realLedger() throws {
        try withTemporaryDirectory { folder in
            let made = try program(["init", "--ledger", "shop.ledger"], in: folder)
            #expect(made.code == 0)
            let file = folder.appendingPathComponent("shop.ledger/data.mdb")
            let before = try Data(contentsOf: file)
            let result = try program(["demo", "--ledger", "shop.ledger"], in: folder)
            #expect(result.code == 1)
            #expect(result.output.isEmpty)
            #expect(result.errors.contains("no demo made"))
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test("takes any number of checkouts from one on", arguments: [1, 2, 22, 23])
    func fewCheckouts(_ count: Int) throws {
        try withTemporaryDirectory { folder in
            let result = try program(["demo", "--checkouts", "\(count)"], in: folder)
            #expect(result.code == 0)
            #expect(result.errors.contains("Error") == false)
        }
    }

    @Test("has no colour where nobody looks", arguments: [true, false])
    func colours(_ isForced: Bool) throws {
        try withTemporaryDirectory { folder in
            let result = try program(
                ["demo", "--checkouts", "10"], in: folder,
                environment: isForced ? ["CLICOLOR_FORCE": "1"] : [:])
            #expect(result.output.contains("\u{1B}[") == isForced)
        }
    }
}
