import CheckoutModel
import HTTPServer
import HTTPTransport
import ProviderKit
import Synchronization
import Testing

@testable import SandboxCheckout

/// A sandbox whose time a test moves, with a shop that answers its webhooks from a list.
struct PretendShop {
    static let apiKey = "sbx_test_0123456789abcdef"
    let clock = HandClock()
    let transport: RecordedTransport
    let sandbox: Sandbox
    let pages: SandboxPages

    init(answers: [Int] = []) throws {
        transport = RecordedTransport { _, index in
            .success(HTTPReply(status: index < answers.count ? answers[index] : 200))
        }
        sandbox = Sandbox(
            origin: "http://127.0.0.1:8787", apiKey: Self.apiKey, signingKey: Run.key,
            endpoint: "http://127.0.0.1:8787/webhooks/sandbox", clock: clock, ids: .counting(),
            transport: transport)
        pages = SandboxPages(sandbox)
    }

    func checkout() throws -> String {
        let currency = try #require(Currency("EUR"))
        let draft = try CheckoutDraft(
            money: Money(minorUnits: 1999, currency: currency), reference: "order-7",
            returnURL: "https://tea.example/back?cart=7", cancelURL: "https://tea.example/cart")
        return try sandbox.perform { (engine, now) throws(SandboxRefusal) in
            try engine.create(draft, at: now).id
        }
    }

    func get(_ target: String, _ headers: [WebField] = []) async -> WebResponse {
        await pages.respond(to: Self.request("GET", target, headers, ""))
    }

    func post(
        _ target: String, _ body: String, _ headers: [WebField] = []
    ) async -> WebResponse {
        await pages.respond(to: Self.request("POST", target, headers, body))
    }

    private static func request(
        _ method: String, _ target: String, _ headers: [WebField], _ body: String
    ) -> WebRequest {
        let parts = target.split(separator: "?", maxSplits: 1)
        func decoded(_ text: Substring) -> String {
            FormFields(Array("x=\(text)".utf8))?["x"] ?? String(text)
        }
        let query = parts.count > 1 ? FormFields(Array(parts[1].utf8))?.pairs ?? [] : []
        return WebRequest(
            method: method, target: target,
            path: (parts.first ?? "").split(separator: "/").map(decoded),
            query: query.map { WebField($0.name, $0.value) }, headers: headers,
            body: Array(body.utf8))
    }
}

/// A clock that stands still until it is moved.
final class HandClock: SandboxClock {
    private let time = Mutex(Instant(seconds: 1_767_225_600))

    var now: Instant { time.withLock { $0 } }

    func pass(seconds: Int64) { time.withLock { $0 = $0.adding(seconds: seconds) } }

    func sleep(for duration: Duration) async throws(CancellationError) {
        throw CancellationError()
    }
}

extension WebResponse {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var json: JSONValue { (try? JSONValue(json: bytes)) ?? .null }
}
