import CheckoutFlow
import CheckoutLedger
import CheckoutModel
import DodoPayments
import EventLog
import Foundation
import ProviderKit
import Testing

@testable import DesktopCheckout

/// A clock whose waits are over at once, or never.
struct StepClock: FlowClock {
    let isOver: Bool

    func now() -> Instant { Instant(seconds: 1_772_600_767) }

    func sleep(seconds: Int64) async throws {
        // What is never over ends when the task is cancelled.
        if !isOver { try await Task.sleep(for: .seconds(86_400)) }
    }
}

/// A flow over the desktop's presenter, with a browser that is a script, and a ledger as journal.
@MainActor
struct BrowserFixture {
    let folder: URL
    let ledger: Ledger<InMemoryStore>
    let journal: LedgerSessionJournal<InMemoryStore>

    /// `ledger`: the one of an app that has ended.
    init(_ folder: URL, ledger: Ledger<InMemoryStore>? = nil) throws {
        self.folder = folder
        self.ledger =
            try ledger
            ?? .inMemory(
                options: LedgerOptions(providers: try ProviderRegistry([DodoPaymentsProvider()])))
        journal = LedgerSessionJournal(self.ledger)
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// A browser that does what the script says; `$1` is the URL.
    func browser(_ script: String, isOwnWindow: Bool = false) throws -> BrowserCommand {
        let path = path("browser")
        try makeProgram(script, at: path)
        return BrowserCommand(path, isOwnWindow: isOwnWindow)
    }

    /// `hasGrace`: whether the browser is given a moment before it counts as shown.
    func flow(
        _ channel: any ReturnChannel, _ browser: BrowserCommand, hasGrace: Bool = true
    ) throws -> CheckoutFlow {
        let presenter = SystemBrowserPresenter(
            returningBy: channel, browser: browser, clock: StepClock(isOver: !hasGrace))
        return CheckoutFlow(
            provider: try DodoPaymentsProvider(), presenter: presenter, journal: journal)
    }

    func request(
        _ id: String, _ listener: LoopbackListener, path: String = ""
    ) -> CheckoutRequest {
        CheckoutRequest(
            checkoutURL: "https://test.checkout.dodopayments.com/session/\(id)\(path)",
            returnURL: listener.returnURL, cancelURL: listener.cancelURL)
    }

    /// The first event of a kind.
    func await(_ kind: FlowEvent.Kind, _ events: AsyncStream<FlowEvent>) async {
        for await event in events where event.kind == kind { return }
    }

    /// The types of the session's events.
    func events(_ id: String) throws -> [String] {
        try ledger.timeline(of: id).events.map(\.event.type.name)
    }
}

/// Makes a script that can be run.
///
/// Another process writes it: while this one has a program open for writing, any process that a
/// test beside this one starts keeps it from being run.
func makeProgram(_ script: String, at path: String) throws {
    let source = path + ".text"
    try "#!/bin/sh\n\(script)\n".write(toFile: source, atomically: true, encoding: .utf8)
    let install = try ChildProcess(
        "/usr/bin/install", ["-D", "-m", "755", source, path], .current)
    guard install.wait().isSuccess else { throw CocoaError(.fileWriteUnknown) }
}

/// A named pipe through which a script and a test tell each other that something happened.
///
/// Open at both ends all the time, so that neither waits for the other to open it.
final class Signal: Sendable {
    let path: String
    private let handle: Int32

    init(_ path: String) {
        self.path = path
        mkfifo(path, 0o600)
        handle = open(path, O_RDWR | O_CLOEXEC)
    }

    deinit { close(handle) }

    /// What the script writes; waits on a thread of its own, because other tests need theirs.
    func read() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var buffer = [UInt8](repeating: 0, count: 256)
                let count = Glibc.read(handle, &buffer, buffer.count)
                continuation.resume(
                    returning: String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
            }
        }
    }

    /// Lets a script that reads go on.
    func send() { _ = Glibc.write(handle, "go\n", 3) }
}
