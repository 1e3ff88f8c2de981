import CheckoutModel
import Foundation
import Testing

@testable import CheckoutFlow
@testable import DodoCheckout

/// Carries out the steps of a vector on a phone.
@MainActor
struct ScriptRunner {
    let phone: Phone
    let vector: LifecycleVector
    private static let back = "myapp://checkout/return"

    /// What a step does, by its beginning; the first that fits.
    private static let table:
        [(start: String, action: @MainActor (Self, String) async throws -> Void)] = [
            ("start(checkout=", { await $0.start($1) }),
            ("launcher contract: start(", { await $0.start($1) }),
            ("presented", { runner, _ in runner.phone.screen.scripted.report(.shown) }),
            ("Custom Tab open", { runner, _ in runner.phone.screen.scripted.report(.shown) }),
            ("sheet appears late", { runner, _ in runner.phone.screen.scripted.report(.shown) }),
            ("open ", { runner, step in runner.open(step) }),
            ("a web page or another app opens ", { runner, step in runner.open(step) }),
            ("app launched by ", { runner, step in runner.open(step) }),
            ("customer opens cancel_url ", { runner, step in runner.open(step) }),
            ("customer pays", { _, _ in }),
            ("customer ", { runner, _ in runner.phone.screen.scripted.report(.dismissed) }),
            ("start() returned", { runner, _ in await runner.phone.returned() }),
            (
                "calling ",
                { runner, _ in
                    runner.phone.runs.last?.task?.cancel()
                    await runner.phone.until { runner.phone.screen.dismissals == 1 }
                }
            ),
            ("no window", { $0.refuse($1, .noPresenter) }),
            ("no activity handles the scheme", { _, _ in }),
            ("present() completion never runs", { _, _ in }),
            (
                "5.0 s of foreground",
                { runner, _ in runner.phone.screen.wait(ticks: 10, isActive: true) }
            ),
            (
                "2 s of foreground",
                { runner, _ in runner.phone.screen.wait(ticks: 4, isActive: true) }
            ),
            (
                "app in background 60 s",
                { runner, _ in
                    runner.phone.screen.wait(ticks: 120, isActive: false)
                }
            ),
            (
                "launching the Custom Tab throws",
                { runner, _ in
                    runner.phone.screen.scripted.report(
                        .notShown(
                            .init(.browserUnavailable, "There is no browser."), mayAppear: false))
                }
            ),
            (
                "process died; a late redirect",
                { runner, _ in
                    try runner.phone.restart()
                    runner.phone.open("\(back)?status=succeeded&payment_id=pay_1")
                }
            ),
            (
                "process ",
                { runner, _ in
                    await runner.phone.settle()
                    try runner.phone.restart()
                }
            ),
            ("record written", { await $0.start("cks_A", $1) }),
            ("sessionId key written", { await $0.start("cks_A", $1) }),
            ("reconcile ", { runner, _ in _ = runner.phone.desk.shelf.current() }),
            ("relaunch: getAbandonedSession()", { _, _ in }),
            ("getAbandonedSession()", { _, _ in }),
            ("clearAbandonedSession()", { runner, _ in runner.phone.desk.shelf.clear() }),
            ("guard.begin()", { await $0.start("cks_G", $1) }),
            ("guard.end()", { runner, _ in await runner.endGuard() }),
            (
                "native rejects with code ",
                { runner, step in
                    await runner.startRefused(by: String(step.split(separator: " ").last ?? ""))
                }
            ),
            (
                "native rejects with an unknown error",
                { runner, _ in
                    await runner.startRefused(by: "SOMETHING_ELSE")
                }
            ),
            (
                "native error code 'channel-error'",
                { runner, _ in
                    await runner.startRefused(by: "channel-error")
                }
            ),
            (
                "native error ALREADY_IN_PROGRESS without",
                { runner, _ in
                    await runner.startRefused(by: "ALREADY_IN_PROGRESS")
                }
            ),
            (
                "native abandoned session createdAt=",
                { runner, step in
                    let seconds = step.drop { !$0.isNumber }.prefix { $0.isNumber }
                    runner.phone.legacy = LegacyDefaults([
                        LegacyRecord.sessionKey: "cks_A", LegacyRecord.timeKey: String(seconds),
                    ])
                    try runner.phone.restart()
                }
            ),
        ]

    func run() async throws {
        try await prepare()
        for (index, step) in vector.input.steps.enumerated() {
            let entry = try #require(
                Self.table.first { step.hasPrefix($0.start) }, "nobody knows the step: \(step)")
            try await entry.action(self, step)
            let next = vector.input.steps.dropFirst(index + 1).first ?? ""
            if !next.contains("dismissal animation") { await letGo() }
        }
        await letGo()
    }

    /// What the vector finds when it begins.
    private func prepare() async throws {
        phone.screen.scripted.dismissesAtOnce = false
        if vector.input.steps.contains("no activity handles the scheme") {
            refuse("", .schemeNotRegistered)
        }
        guard let record = vector.input.before.record else { return }
        if vector.input.before.inProgress {
            await start(record, "")
            phone.screen.scripted.report(.shown)
            await phone.settle()
            phone.events = []
            return
        }
        let time = Instant(seconds: vector.input.before.createdAt ?? 1_700_000_000)
        let key = SessionKey("dodo", record)
        let started = StartedCheckout(mode: .test, returnURLs: [Self.back])
        for fact in [JournalFact.started(started), .opened] {
            try phone.desk.shelf.journal.appendNow(JournalEntry(key, at: time, fact))
        }
    }

    /// Lets pages go away and tasks go on.
    private func letGo() async {
        await phone.settle()
        phone.screen.scripted.finishDismissing()
        await phone.settle()
    }

    private func refuse(_ step: String, _ code: CheckoutFlow.RunError.Code) {
        phone.screen.scripted.failure = .init(code, "It cannot be shown.")
    }

    /// `start(checkout=…, return=…)`, with the cancel URL that a later step names.
    private func start(_ step: String) async {
        let inside = step.split(separator: "(", maxSplits: 1).last?.dropLast() ?? ""
        let parts = inside.split(separator: ", ").map { $0.split(separator: "=", maxSplits: 1) }
        let cancel = vector.input.steps.first { $0.contains("cancel_url") }.map(url)
        await phone.start(
            String(parts[0].last ?? ""), String(parts[1].last ?? ""), cancel: cancel)
    }

    private func start(_ id: String, _ step: String) async {
        await phone.start("https://test.checkout.dodopayments.com/session/\(id)", Self.back)
    }

    private func startRefused(by code: String) async {
        phone.screen.scripted.failure = .init(.init(rawValue: code), "")
        await start("cks_A", "")
    }

    private func endGuard() async {
        phone.screen.scripted.report(.dismissed)
        await letGo()
    }

    private func open(_ step: String) { phone.open(url(in: step)) }

    private func url(in step: String) -> String {
        let word = step.split { " ()".contains($0) }.first { $0.contains("://") }
        return String(word ?? "")
    }
}
