import CheckoutLedger
import CheckoutModel
import Cryptography
import EventLog
import Foundation
import TestSupport
import Testing

extension Fixture {
    static let address = "mira@mail.example"

    /// An event about a session, with what its voice knows of the customer.
    static func opened(
        _ session: String, address: String? = address, license: String? = nil,
        customer: String? = nil
    ) -> CheckoutEvent {
        var event = CheckoutEvent(
            .sessionOpened, source: .app, occurredAt: now, provider: "dodo",
            ids: ProviderIDs(session: session, customer: customer))
        event.privateFields.customerEmail = address
        if let license { event.privateFields.licenseKeys = [license] }
        return event
    }

    /// A paid session: opened by the app, then a signed webhook with its bytes.
    static func pay<Store>(
        _ session: String, _ payment: String, in ledger: Ledger<Store>
    ) async throws {
        try await ledger.record(opened(session, license: "KEY-\(session)"))
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: payment, session: session),
            id: "msg_\(payment)")
    }
}

extension Ledger {
    func answer(at position: UInt64) throws -> PrivateFieldsAnswer {
        try privateFields(of: event(at: position))
    }

    func parts(at position: UInt64) throws -> [PrivateClass: PrivateFieldsAnswer] {
        try privateParts(of: event(at: position)).reduce(into: [:]) { $0[$1.dataClass] = $1.answer }
    }

    var root: String {
        get throws { try log.read { try $0.frontier().root().hex } }
    }
}

/// A ledger on disk that can be opened again and looked into.
struct PrivacyPlace {
    let directory: URL
    var ledgerPath: String { directory.appendingPathComponent("shop.ledger").path }
    var keyPath: String { directory.appendingPathComponent("root.key").path }
    var keysPath: String { ledgerPath + "/keys" }

    func options() throws -> LedgerOptions {
        var options = try Fixture.options(clock: SystemLogClock())
        options.rootKeyPath = keyPath
        options.tool = "tests"
        return options
    }

    func create() throws -> Ledger<LMDBStore> {
        try Ledger.create(at: ledgerPath, options: options())
    }

    func open(
        _ change: (inout LedgerOptions) -> Void = { _ in }
    ) throws -> Ledger<LMDBStore> {
        var options = try options()
        change(&options)
        return try Ledger.open(at: ledgerPath, options: options)
    }

    /// Every file below a directory with its bytes.
    func files(in path: String) throws -> [(name: String, bytes: Data)] {
        let names = FileManager.default.enumerator(atPath: path)
        var found: [(String, Data)] = []
        while let name = names?.nextObject() as? String {
            let file = URL(fileURLWithPath: "\(path)/\(name)")
            if !file.hasDirectoryPath { found.append((name, try Data(contentsOf: file))) }
        }
        return found
    }
}

func withPlace<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: (PrivacyPlace) async throws -> R
) async throws -> R {
    try await withTemporaryDirectory { try await body(PrivacyPlace(directory: $0)) }
}

/// Another process with the ledger open; see `PrivacyChild`.
final class PrivacyPeer: Sendable {
    private let child: ChildProgram

    /// What it is called by.
    var id: pid_t { child.id }

    /// Starts it; it kills itself at a step, if one is given, perhaps while it opens the ledger.
    init(
        _ place: PrivacyPlace, dyingAt step: ErasureStep? = nil, opens: Bool = true
    ) throws {
        let bundle = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
        let program = bundle.deletingLastPathComponent().appendingPathComponent("PrivacyChild")
        child = try ChildProgram(
            program.path,
            [place.ledgerPath, place.keyPath, step.map { "\($0.rawValue)" } ?? "-"],
            input: .pipe, output: .pipe, errors: .shared)
        let first = line()
        #expect(first == (opens ? "open" : ""))
    }

    /// Its answer to a line; empty when it died.
    func ask(_ text: String) -> String {
        try? child.input?.write(contentsOf: Data("\(text)\n".utf8))
        return line()
    }

    private func line() -> String {
        var bytes: [UInt8] = []
        while let byte = try? child.output?.read(upToCount: 1)?.first, byte != 0x0A {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Ends it at once, as a power cut would.
    func kill() {
        child.signal(SIGKILL)
        child.wait()
    }

    /// Ends it; true when it had killed itself.
    @discardableResult
    func end() -> Bool {
        try? child.input?.close()
        return child.wait() == .signal(SIGKILL)
    }
}
