import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog

extension Entry {
    static let demo = Entry(
        .start,
        Command(
            "demo", "Record some days of a made-up shop and show what is true",
            discussion: """
                Pushes pretend checkouts through the same calls that a server makes: signed \
                webhooks verified by the adapters, return URLs, the app's events; with \
                duplicates, late and forged deliveries, kills and refunds. Then asks the ledger \
                what it knows, and holds the answers against what was made up.

                The same seed makes the same shop. Nothing reads the real clock, nothing leaves \
                this machine. A ledger that an earlier demo made is replaced; any other is left \
                alone.
                """,
            options: [
                .value(
                    "seed", .integer(0...Int.max), default: "42",
                    "Which shop; the same number makes the same one"),
                .value(
                    "checkouts", .integer(1...20_000), default: "300",
                    "How many checkouts to make up"),
            ],
            examples: [
                Example("demo", "Record into ./.checkout-ledger-demo"),
                Example("demo --seed 7 --ledger other.ledger", "Another shop, elsewhere"),
            ])
    ) { context in
        guard let seed = context.command.integer("seed"),
            let checkouts = context.command.integer("checkouts")
        else { preconditionFailure("both have defaults") }
        let path = context.command.value("ledger") ?? DemoDirectory.standard
        try DemoDirectory.prepare(path, seed: seed)
        let script = DemoScript(seed: UInt64(seed), checkouts: checkouts)
        let clock = DemoClock(DemoScript.start.adding(seconds: -3_600))
        let ledger = try context.createLedger(
            at: path, clock: clock,
            ids: DemoIDs(seed: UInt64(seed), ledger: try DemoDirectory.identity(of: path)),
            isPretend: true)
        let tally = try await Demo.record(script, in: ledger, clock, context)
        let findings = try DemoFindings(ledger, asOf: Instant(microseconds: clock.now()))
        var check = try DemoCheck(script.truths, ledger)
        check.expect(
            tally.asExpected == tally.steps,
            "\(tally.steps - tally.asExpected) of \(tally.steps) answers are not as simulated.")
        check.expect(findings.replayed.isEqual, "A fresh replay differs from the live answers.")
        check.expect(
            findings.checkouts == script.checkouts.count,
            "\(script.checkouts.count) checkouts were made up, "
                + "the ledger has \(findings.checkouts)."
        )
        let report = DemoReport(
            seed: seed, path: path, findings: findings, tally: tally, check: check)
        try report.write(to: context)
        return report.exitCode(context)
    }
}

/// The steps of the demo that take time.
enum Demo {
    /// Records everything, and tells a person how quickly that went.
    static func record(
        _ script: DemoScript, in ledger: Ledger<LMDBStore>, _ clock: DemoClock,
        _ context: Context
    ) async throws -> DemoRunner.Tally {
        let runner = try DemoRunner(ledger: ledger, clock: clock)
        var progress = Progress(
            "Recording", of: script.steps.count, on: context.errors,
            isQuiet: context.isQuiet || context.isJSON)
        let watch = ContinuousClock()
        let began = watch.now
        let tally = try await runner.run(script.steps) { done in
            if Interrupt.isRequested { throw ExitCode.interrupted }
            progress.update(done)
        }
        let took = began.duration(to: watch.now)
        let events = Int(try ledger.endPosition())
        progress.finish(
            "Recorded \(Wording.count(events, "event")) in \(Wording.duration(took)), "
                + "each on disk before its answer"
                + (rate(events, took).map { ": \(Wording.grouped($0)) a second." } ?? "."))
        return tally
    }

    private static func rate(_ count: Int, _ took: Duration) -> Int? {
        let (seconds, attoseconds) = took.components
        let milliseconds = Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
        return milliseconds > 0 ? count * 1_000 / milliseconds : nil
    }
}
