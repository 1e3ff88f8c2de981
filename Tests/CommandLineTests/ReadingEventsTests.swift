import CheckoutLedger
import CheckoutModel
import Foundation
import TestSupport
import Testing

@Suite("Events")
struct ReadingEventsTests {
    @Test(
        "pub-cli-04: a time may have fractions or an offset",
        arguments: [
            ("2026-03-04T05:06:12Z", 5), ("2026-03-04T05:06:12.123456Z", 7),
            ("2026-03-04T10:36:12+05:30", 5), ("@7", 7),
        ])
    func since(when: String, first: Int) async throws {
        try await ReadingShop.with { shop in
            let rows = try shop.rows("events", "--since", when)
            // The second webhook was recorded at 05:06:12, the refund a second later.
            #expect(rows.first?["position"] as? Int == first)
            #expect(rows.count == 27 - first)
        }
    }

    @Test("pub-cli-03: two processes print the same bytes")
    func determinism() async throws {
        try await ReadingShop.with { shop in
            for words in [["events"], ["sessions"], ["stats"], ["discrepancies"], ["verify"]] {
                let all = words + ["--json", "--ledger", shop.path, "--root-key", shop.keyPath]
                let first = try shop.program.run(all)
                let second = try shop.program.run(all, ["TZ": "Asia/Tokyo", "LC_ALL": "tr_TR"])
                #expect(first.output == second.output)
                #expect(!first.output.isEmpty)
            }
        }
    }

    @Test("pub-cli-01: a closed pipe ends the program quietly")
    func closedPipe() async throws {
        try await ReadingShop.with(stories: false) { shop in
            let writer = try ShopWriter(shop)
            // More than a pipe holds, so that the program must meet the closed end.
            for index in 0..<400 { try await writer.app(.sessionOpened, "cks_\(index)") }
            writer.ledger.close()
            let run = try shop.program.shell(
                """
                { "$LEDGER" events --json --ledger "$SHOP" --root-key "$KEY"; echo $? >&2; } \
                | head -1
                """, ["SHOP": shop.path, "KEY": shop.keyPath])
            #expect(run.lines.count == 1)
            #expect(run.errors == "0\n")
        }
    }

    @Test("Output that cannot be written is told of, whatever the output is")
    func noOutput() async throws {
        try await ReadingShop.with { shop in
            for command in [#"events --ledger "$SHOP" --root-key "$KEY""#, "help", "help init"] {
                let run = try shop.program.shell(
                    "\"$LEDGER\" \(command) >/dev/full; echo $? >&2",
                    ["SHOP": shop.path, "KEY": shop.keyPath])
                #expect(
                    run.errors == """
                        Error: Cannot write the output: No space left on device.
                        Hint: Look at where it goes, and run the command again.
                        1

                        """, "\(command)")
            }
        }
    }

    @Test("A ledger that may not be looked at is not said to be missing")
    func forbidden() async throws {
        try await ReadingShop.with { shop in
            let run = try shop.program.shell(
                """
                cd "$(dirname "$SHOP")" && mkdir closed
                mv "$SHOP" closed/shop.ledger && chmod 0 closed
                [ "$(id -u)" != 0 ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"
                $as "$LEDGER" sessions --ledger "$PWD/closed/shop.ledger"; echo $? >&2
                chmod 700 closed
                """, ["SHOP": shop.path, "KEY": shop.keyPath])
            #expect(run.errors.contains("permission is missing."), "\(run.errors)")
            #expect(run.errors.hasSuffix("\n1\n"))
        }
    }

    @Test(
        "Filters are joined; a repeated one holds when any of its values does",
        arguments: [
            (["--type", "payment"], [4, 6, 18, 22]),
            (["--type", "refund.succeeded", "--type", "operator"], [8, 24]),
            (["--payment", "pay_1"], [3, 4, 5, 6, 7, 8]),
            (["--order", "ORDER-2"], [10, 11, 12]),
            (["--session", "cks_unsure"], [13, 14]),
            (["--source", "browser", "--source", "operator"], [14, 24]),
            (["--evidence", "operator"], [24]),
            (["--after", "23", "--before", "26"], [24, 25]),
            (["--type", "payment", "--limit", "2"], [4, 6]),
            (["--provider", "stripe"], []),
        ] as [([String], [Int])])
    func filters(words: [String], expected: [Int]) async throws {
        try await ReadingShop.with { shop in
            let run = try shop.program.run(
                ["events", "--json"] + words
                    + ["--ledger", shop.path, "--root-key", shop.keyPath])
            let positions = try run.rows().compactMap { $0["position"] as? Int }
            #expect(positions == expected)
        }
    }

    @Test("A misspelt type is answered with the right one")
    func suggestion() async throws {
        try await ReadingShop.with(stories: false) { shop in
            let run = try shop.run("events", "--type", "paymant.succeeded")
            #expect(run.status == 2)
            #expect(run.errors.contains("Did you mean 'payment.succeeded'?"))
            let both = try shop.run("events", "--follow", "--until", "@3")
            #expect(both.status == 2)
        }
    }

    @Test("More events than one page holds come once each, in order")
    func pages() async throws {
        try await ReadingShop.with(stories: false) { shop in
            let writer = try ShopWriter(shop)
            for index in 0..<600 { try await writer.app(.sessionOpened, "cks_\(index)") }
            writer.ledger.close()
            let all = try shop.rows("events").compactMap { $0["position"] as? Int }
            #expect(all == Array(0..<600))
            #expect(try shop.rows("events", "--limit", "300").count == 300)
            #expect(try shop.rows("events", "--limit", "256").count == 256)
        }
    }

    @Test(
        "A follower sees what another process records, line by line, until Ctrl-C",
        .timeLimit(.minutes(1)))
    func follow() async throws {
        try await ReadingShop.with(stories: false) { shop in
            let writer = try ShopWriter(shop)
            try await writer.app(.sessionOpened, "cks_1")
            let follower = try shop.program.start(
                [
                    "events", "--follow", "--json", "--ledger", shop.path, "--root-key",
                    shop.keyPath,
                ], output: .pipe)
            let reading = try #require(follower.output)
            #expect(try line(reading).contains("cks_1"))
            for name in ["cks_2", "cks_3"] {
                try await writer.app(.sessionOpened, name)
                #expect(try line(reading).contains(name))
            }
            follower.signal(SIGINT)
            #expect(follower.wait() == .exit(130))
            writer.ledger.close()
        }
    }

    @Test("A follower ends by itself when nobody reads it any more", .timeLimit(.minutes(1)))
    func deserted() async throws {
        try await ReadingShop.with { shop in
            let run = try shop.program.shell(
                """
                { "$LEDGER" events --follow --json --ledger "$SHOP" --root-key "$KEY"; \
                echo $? >&2; } | head -1
                """, ["SHOP": shop.path, "KEY": shop.keyPath])
            #expect(run.lines.count == 1)
            #expect(run.errors == "0\n")
        }
    }

    /// The next line, byte by byte, so that nothing behind it is taken.
    private func line(_ handle: FileHandle) throws -> String {
        var bytes = Data()
        while let byte = try handle.read(upToCount: 1), !byte.isEmpty, byte != Data([0x0A]) {
            bytes += byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
