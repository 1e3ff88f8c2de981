import HTTPTransport
import ProviderKit
import Synchronization
import Testing

@Suite("Access tokens")
struct TokenTests {
    private static let grant = TokenGrant(
        url: "https://api.provider.example/token", headers: ["Authorization": "Basic c2VjcmV0"],
        body: Array("grant_type=client_credentials".utf8))
    private let plan = HTTPRequestPlan(
        method: "GET", url: "https://api.provider.example/order", headers: ["Accept": "a/b"],
        token: grant)

    /// Gives tokens `t0`, `t1` … and takes those that `accepts` does.
    private func provider(
        lifetime: Int = 3_600, accepts: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> RecordedTransport {
        let given = Mutex(0)
        return RecordedTransport { plan, _ in
            guard plan.url.hasSuffix("/token") else {
                let token = plan.headers.first("Authorization") ?? ""
                return .success(reply(accepts(token) ? 200 : 401, body: token))
            }
            let number = given.withLock { given in
                defer { given += 1 }
                return given
            }
            return .success(
                reply(200, body: #"{"access_token":"t\#(number)","expires_in":\#(lifetime)}"#))
        }
    }

    private func paths(_ script: RecordedTransport) -> [String] {
        script.requests.map { String($0.url.split(separator: "/").last ?? "") }
    }

    @Test("A token is fetched once, sent as Bearer, and used until a minute before its end")
    func caching() async throws {
        let clock = FakeClock()
        let script = provider()
        let transport = AuthorizingTransport(script, clock: clock)
        for _ in 0..<3 { _ = try await transport.send(plan, deadline: .seconds(9)) }
        #expect(paths(script) == ["token", "order", "order", "order"])
        #expect(script.requests[0].body == Self.grant.body)
        #expect(script.requests[1].headers.first("Authorization") == "Bearer t0")
        #expect(script.requests[1].headers.first("Accept") == "a/b")
        clock.advance(.seconds(3_541))
        let reply = try await transport.send(plan, deadline: .seconds(9))
        #expect(reply.body == Array("Bearer t1".utf8))
    }

    @Test("A token that is not taken any more is fetched anew, once")
    func renewal() async throws {
        let script = provider { $0 == "Bearer t1" }
        let transport = AuthorizingTransport(script, clock: FakeClock())
        #expect(try await transport.send(plan, deadline: .seconds(9)).status == 200)
        #expect(paths(script) == ["token", "order", "token", "order"])
        let never = provider { _ in false }
        let refused = AuthorizingTransport(never, clock: FakeClock())
        #expect(try await refused.send(plan, deadline: .seconds(9)).status == 401)
        #expect(paths(never) == ["token", "order", "token", "order"])
    }

    @Test("Many that need the same token at once fetch it once")
    func together() async throws {
        let script = provider()
        let transport = AuthorizingTransport(script, clock: FakeClock())
        let plan = plan
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { _ = try? await transport.send(plan, deadline: .seconds(9)) }
            }
        }
        #expect(paths(script).count { $0 == "token" } == 1)
        #expect(paths(script).count { $0 == "order" } == 50)
    }

    @Test("Another account's grant is another token")
    func accounts() async throws {
        let script = provider()
        let transport = AuthorizingTransport(script, clock: FakeClock())
        _ = try await transport.send(plan, deadline: .seconds(9))
        let other = HTTPRequestPlan(
            method: "GET", url: plan.url, headers: [:],
            token: TokenGrant(url: Self.grant.url, headers: [:], body: []))
        let reply = try await transport.send(other, deadline: .seconds(9))
        #expect(reply.body == Array("Bearer t1".utf8))
    }

    @Test(
        "A grant that fails is answered as the adapter would read it",
        arguments: [
            (reply(401), 401), (reply(400, body: #"{"error":"invalid_client"}"#), 401),
            (reply(429, headers: ["Retry-After": "9"]), 429), (reply(503), 503),
        ])
    func refusedGrant(answer: HTTPReply, status: Int) async throws {
        let script = RecordedTransport([.success(answer)])
        let transport = AuthorizingTransport(script, clock: FakeClock())
        let reply = try await transport.send(plan, deadline: .seconds(9))
        #expect(reply.status == status && reply.body.isEmpty)
        #expect(reply.headers.first("Retry-After") == answer.headers.first("Retry-After"))
        #expect(script.requests.count == 1)
    }

    @Test("A grant that cannot be read is an error, and nothing is sent without a token")
    func unreadableGrant() async throws {
        for body in ["", "{", #"{"token":"x"}"#] {
            let script = RecordedTransport([.success(reply(200, body: body))])
            let transport = AuthorizingTransport(script, clock: FakeClock())
            #expect(await refusal(of: transport, plan) == .malformedReply)
            #expect(script.requests.count == 1)
        }
    }

    @Test("Requests without a grant pass through untouched")
    func untouched() async throws {
        let script = RecordedTransport([.success(reply(204))])
        let plain = get("https://x.example/", headers: ["Authorization": "Bearer own"])
        _ = try await AuthorizingTransport(script).send(plain, deadline: .seconds(9))
        #expect(script.requests == [plain])
    }
}
