import CheckoutFlow
import CheckoutLedger
import CheckoutModel
import DesktopCheckout
import Foundation
import ProviderKit
import TestSupport
import Testing

@MainActor
@Suite("A checkout in the customer's own browser")
struct BrowserTests {
    @Test(
        "A return over loopback ends the checkout, closes the port and is in the ledger",
        arguments: [
            ("?status=succeeded&payment_id=pay_1", CheckoutStatus.succeeded),
            ("?status=failed", .failed), ("?status=processing", .pending), ("", .pending),
        ])
    func loopback(_ query: String, _ status: CheckoutStatus) async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            let listener = try LoopbackListener()
            let flow = try fixture.flow(listener, fixture.browser("exit 0"))
            let events = flow.events()
            let url = try PlainURL(listener.returnURL)
            async let page = Self.load(url, query, when: .opened, in: events)
            let result = try await flow.start(fixture.request("cks_A", listener))
            #expect(await page?.status == 200)
            #expect(result.status == status)
            #expect(result.ending == .returned)
            #expect(url.send() == nil, "the port is closed")
            #expect(
                try fixture.events("cks_A")
                    == ["session.created", "session.opened", "session.returned"])
            #expect(try fixture.ledger.session(named: "cks_A").outcome == nil)
        }
    }

    @Test("A return to the cancel URL is the customer's giving up")
    func cancelURL() async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            let listener = try LoopbackListener()
            let flow = try fixture.flow(listener, fixture.browser("exit 0"))
            let events = flow.events()
            let url = try PlainURL(try #require(listener.cancelURL))
            async let page = Self.load(url, "", when: .opened, in: events)
            let result = try await flow.start(fixture.request("cks_A", listener))
            #expect(await page?.status == 200)
            #expect(result.status == .cancelled)
            #expect(try await flow.abandonedSessions().map(\.key.id) == ["cks_A"])
        }
    }

    @Test("The browser gets the page's URL as one word, and no shell reads it")
    func oneWord() async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            let listener = try LoopbackListener()
            let seen = fixture.path("seen")
            let flow = try fixture.flow(
                listener, fixture.browser("echo \"$# $1\" > '\(seen)'"))
            let events = flow.events()
            async let page = Self.load(
                try PlainURL(listener.returnURL), "?status=failed", when: .opened, in: events)
            let tail = "?a=$(touch%20x);`id`&b='c'"
            let result = try await flow.start(fixture.request("cks_A", listener, path: tail))
            #expect(result.status == .failed)
            let word = try String(contentsOfFile: seen, encoding: .utf8)
            #expect(
                word.hasPrefix("1 https://test.checkout.dodopayments.com/session/cks_A?a=$(touch")
            )
            _ = try await page
        }
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The browser's script; nil for a program that is not there.
        let script: String?
        var isOwnWindow = false
        /// What the ledger has of it.
        var events = ["session.created", "session.failed_to_open"]
    }

    @Test(
        "A browser that is not there or ends at once is said so, and nothing stays behind",
        arguments: [
            Broken(testDescription: "missing", script: nil, events: []),
            Broken(testDescription: "fails", script: "exit 3"),
            Broken(testDescription: "killed", script: "kill -9 $$"),
            Broken(testDescription: "no own window", script: "exit 0", isOwnWindow: true),
        ])
    func unavailable(_ broken: Broken) async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            let listener = try LoopbackListener()
            let browser =
                try broken.script.map {
                    try fixture.browser($0, isOwnWindow: broken.isOwnWindow)
                } ?? BrowserCommand("no-such-browser-here")
            let flow = try fixture.flow(listener, browser)
            let error = await #expect(throws: CheckoutError.self) {
                _ = try await flow.start(fixture.request("cks_A", listener))
            }
            #expect(error?.code == .browserUnavailable)
            #expect(error?.hint.isEmpty == false)
            #expect(try await flow.abandonedSessions().isEmpty, "no page was shown")
            guard !broken.events.isEmpty else {
                #expect(try fixture.ledger.endPosition() == 0)
                return
            }
            #expect(try fixture.events("cks_A") == broken.events)
            #expect(try PlainURL(listener.returnURL).send() == nil, "the port is closed")
        }
    }

    @Test(
        "The browser gets none of the files that the app has open",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "needs /proc"))
    func files() async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            let listener = try LoopbackListener()
            // Opened as careless hosts do: a child would inherit it.
            let kept = open(fixture.path("kept"), O_RDWR | O_CREAT, 0o600)
            defer { close(kept) }
            let seen = fixture.path("seen")
            let script =
                "for file in /proc/$$/fd/*; do readlink \"$file\"; done > '\(seen)'; exit 3"
            let flow = try fixture.flow(listener, fixture.browser(script))
            await #expect(throws: CheckoutError.self) {
                _ = try await flow.start(fixture.request("cks_A", listener))
            }
            let files = try String(contentsOfFile: seen, encoding: .utf8)
            #expect(files.contains("/dev/null"))
            #expect(!files.contains("kept") && !files.contains("socket"))
        }
    }

    @Test("A file that is no program is no browser")
    func noProgram() async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            try "text".write(
                toFile: fixture.path("text"), atomically: true, encoding: .utf8)
            let listener = try LoopbackListener()
            let flow = try fixture.flow(listener, BrowserCommand(fixture.path("text")))
            let error = await #expect(throws: CheckoutError.self) {
                _ = try await flow.start(fixture.request("cks_A", listener))
            }
            #expect(error?.code == .browserUnavailable)
        }
    }

    @Test("A kiosk's window that ends is the customer's closing it")
    func ownWindowEnds() async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            let listener = try LoopbackListener()
            let gate = Signal(fixture.path("gate"))
            let browser = try fixture.browser("read line < '\(gate.path)'", isOwnWindow: true)
            let flow = try fixture.flow(listener, browser, hasGrace: false)
            let events = flow.events()
            async let opened: Void = Self.await(.opened, events) { gate.send() }
            let result = try await flow.start(fixture.request("cks_A", listener))
            try await opened
            #expect(result.ending == .dismissed)
            #expect(result.status == .cancelled)
            #expect(try PlainURL(listener.returnURL).send() == nil, "the port is closed")
        }
    }

    @Test("A kiosk's window is ended when the return is there")
    func ownWindowIsEnded() async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            let listener = try LoopbackListener()
            let ended = Signal(fixture.path("ended"))
            let browser = try fixture.browser(
                """
                trap 'echo ended > "\(ended.path)"; exit 0' TERM
                sleep 600 & wait
                """, isOwnWindow: true)
            let flow = try fixture.flow(listener, browser, hasGrace: false)
            let events = flow.events()
            let url = try PlainURL(listener.returnURL)
            async let page = Self.load(url, "?status=succeeded", when: .opened, in: events)
            let result = try await flow.start(fixture.request("cks_A", listener))
            _ = await page
            #expect(result.status == .succeeded)
            #expect(await ended.read() == "ended\n")
        }
    }

    @Test("An app that is cancelled gives the port back")
    func cancelled() async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            let listener = try LoopbackListener()
            let flow = try fixture.flow(listener, fixture.browser("exit 0"))
            let events = flow.events()
            let request = fixture.request("cks_A", listener)
            let task = Task { try await flow.start(request) }
            try await Self.await(.opened, events) { task.cancel() }
            #expect(try await task.value.ending == .cancelledByApp)
            #expect(try PlainURL(listener.returnURL).send() == nil)
        }
    }

    @Test("A listener serves one checkout, and a second one is refused before anything is noted")
    func usedListener() async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            let listener = try LoopbackListener()
            listener.close()
            let flow = try fixture.flow(listener, fixture.browser("exit 0"))
            let error = await #expect(throws: CheckoutError.self) {
                _ = try await flow.start(fixture.request("cks_A", listener))
            }
            #expect(error?.code == .platform)
            #expect(try fixture.ledger.endPosition() == 0)
        }
    }

    @Test("An app that was killed finds its checkout again, and a late return reaches it")
    func killed() async throws {
        try await withTemporaryDirectory { folder in
            let fixture = try BrowserFixture(folder)
            let listener = try LoopbackListener()
            let flow = try fixture.flow(listener, fixture.browser("exit 0"))
            let events = flow.events()
            let request = fixture.request("cks_A", listener)
            // The first process stops existing here: nobody ever waits for this task.
            let task = Task { try? await flow.start(request) }
            try await Self.await(.opened, events) {}
            let restarted = try BrowserFixture(folder, ledger: fixture.ledger)
            let second = try restarted.flow(try LoopbackListener(), fixture.browser("exit 0"))
            let left = try await second.abandonedSessions()
            #expect(left.map(\.key.id) == ["cks_A"])
            let registered = try #require(left.first?.session.started.returnURLs)
            #expect(registered == [listener.returnURL, try #require(listener.cancelURL)])
            let late = await second.receiveLate(
                openURL: listener.returnURL + "?status=succeeded&payment_id=pay_1")
            #expect(late?.status == .succeeded)
            #expect(late?.isLate == true)
            #expect(try await second.results().map(\.status) == [.succeeded])
            #expect(await second.receiveLate(openURL: "shop://other?status=failed") == nil)
            task.cancel()
            _ = await task.value
        }
    }

    // MARK: - What happens beside a running flow, off the main actor

    private nonisolated static func await(
        _ kind: FlowEvent.Kind, _ events: AsyncStream<FlowEvent>,
        then body: @Sendable () throws -> Void
    ) async throws {
        for await event in events where event.kind == kind { return try body() }
    }

    private nonisolated static func load(
        _ url: PlainURL, _ query: String, when kind: FlowEvent.Kind,
        in events: AsyncStream<FlowEvent>
    ) async -> PlainAnswer? {
        for await event in events where event.kind == kind { return url.send("GET", query) }
        return nil
    }
}
