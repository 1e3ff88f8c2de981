import CheckoutModel
import Cryptography
import Foundation
import ProviderKit
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

@Suite("Keys that deliveries name")
struct KeyResolverTests {
    private let descriptor = ProviderDescriptor(
        id: "acme", name: "Acme Pay", adapterVersion: "1", secretRules: [],
        certificateHosts: ["api.acme.example"], certificateDomain: "acme.example")

    private func reason(
        _ resolver: KeyResolver, _ url: String = "https://api.acme.example/certs/1"
    ) async -> KeyResolutionError.Reason? {
        do throws(KeyResolutionError) {
            _ = try await resolver.pem(of: .certificate(url: url), for: descriptor)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "Nothing is fetched from a place that is not the provider's",
        arguments: [
            "https://evil.example/certs/1", "http://api.acme.example/certs/1",
            "https://api.acme.example.evil.example/", "https://api.acme.example@evil.example/",
            "https://api.acme.example:8443/", "https://x.api.acme.example/", "file:///etc/passwd",
            "https://evil.example/#https://api.acme.example/",
            "https://evil.example\\@api.acme.example/",
            "", "api.acme.example", "https://API.acme.example./",
        ])
    func foreignPlaces(url: String) async {
        let script = RecordedTransport { _, _ in .success(reply(200)) }
        let resolver = KeyResolver(transport: script, clock: FakeClock())
        #expect(await reason(resolver, url) == .untrustedKeySource)
        #expect(script.requests.isEmpty)
    }

    @Test("A certificate that must not be believed is refused in its own words")
    func refusals() async throws {
        try await withTemporaryDirectory { directory in
            let authority = try TestAuthority(in: directory)
            let stranger = try TestAuthority(in: directory, name: "Stranger")
            let name = "sign.acme.example"
            let cases: [(body: String, KeyResolutionError.Reason?)] = [
                (try authority.issue(name).pem(), nil),
                (try authority.issue(name, until: "20260101000000Z").pem(), .expired),
                (try authority.issue(name, from: "20270101000000Z").pem(), .notYetValid),
                (try stranger.issue(name).pem(), .untrusted),
                (try stranger.root.pem(), .selfSigned),
                (try authority.issue("sign.evil.example").pem(), .wrongName),
                ("<html>", .notACertificate), ("", .notACertificate),
                (String(repeating: "x", count: 70_000), .notACertificate),
            ]
            let roots = try TrustedRoots(pem: authority.root.pem())
            for (body, expected) in cases {
                let script = RecordedTransport([.success(reply(200, body: body))])
                let resolver = KeyResolver(transport: script, roots: roots, clock: FakeClock())
                let found = await reason(resolver)
                #expect(found == expected)
            }
        }
    }

    @Test("A key is kept for as long as its reply allows, and never past its own end")
    func caching() async throws {
        try await withTemporaryDirectory { directory in
            let authority = try TestAuthority(in: directory)
            let roots = try TrustedRoots(pem: authority.root.pem())
            // Ends an hour after the clock's start.
            let short = try authority.issue("a.acme.example", until: "20260304060607Z").pem()
            let long = try authority.issue("a.acme.example").pem()
            let cases: [(pem: String, cache: String, held: Int64)] = [
                (long, "public, max-age=600", 600), (long, "", 3_600), (long, "no-store", 30),
                (long, "max-age=0", 30), (long, "max-age=99999999999", 86_400),
                (short, "max-age=86400", 3_600),
            ]
            for (pem, cache, held) in cases {
                let script = RecordedTransport { _, _ in
                    .success(reply(200, headers: ["Cache-Control": cache], body: pem))
                }
                let clock = FakeClock()
                let resolver = KeyResolver(transport: script, roots: roots, clock: clock)
                for _ in 0..<3 { #expect(await reason(resolver) == nil) }
                clock.advance(.seconds(held - 1))
                #expect(await reason(resolver) == nil)
                #expect(script.requests.count == 1, "\(cache)")
                clock.advance(.seconds(2))
                _ = await reason(resolver)
                #expect(script.requests.count == 2, "\(cache)")
            }
        }
    }

    @Test("A failed fetch is not tried again at once, and then it is")
    func failures() async {
        for answer in [
            .success(reply(500)), .success(reply(404)),
            .failure(TransportError(.timeout, host: "api.acme.example")),
        ] as [RecordedTransport.Answer] {
            let script = RecordedTransport { _, _ in answer }
            let clock = FakeClock()
            let resolver = KeyResolver(transport: script, clock: clock)
            for _ in 0..<5 { #expect(await reason(resolver) == .notFetched) }
            #expect(script.requests.count == 1)
            clock.advance(.seconds(31))
            _ = await reason(resolver)
            #expect(script.requests.count == 2)
        }
    }

    @Test("What a stranger has fetched in vain does not grow without bound")
    func bounded() async {
        let script = RecordedTransport { _, _ in .success(reply(404)) }
        let clock = FakeClock()
        let resolver = KeyResolver(transport: script, clock: clock)
        for number in 0..<200 {
            #expect(
                await reason(resolver, "https://api.acme.example/certs/\(number)") == .notFetched)
            clock.advance(.milliseconds(100))
        }
        // The first were let go of and are fetched again; the last are held.
        _ = await reason(resolver, "https://api.acme.example/certs/0")
        #expect(script.requests.count == 201)
        _ = await reason(resolver, "https://api.acme.example/certs/199")
        #expect(script.requests.count == 201)
    }

    @Test("A platform key is one that was configured by its serial number")
    func platformKeys() async throws {
        let resolver = KeyResolver(
            transport: RecordedTransport([]), platformKeys: ["acme": ["5A": "PEM"]])
        #expect(try await resolver.pem(of: .platformKey(serial: "5A"), for: descriptor) == "PEM")
        await #expect(throws: KeyResolutionError.self) {
            try await resolver.pem(of: .platformKey(serial: "5B"), for: descriptor)
        }
        let other = ProviderDescriptor(
            id: "other", name: "Other", adapterVersion: "1", secretRules: [])
        await #expect(throws: KeyResolutionError.self) {
            try await resolver.pem(of: .platformKey(serial: "5A"), for: other)
        }
    }

    @Test("How a delivery without a key is refused says whether the sender is to try again")
    func rejections() async {
        let script = RecordedTransport { _, _ in .success(reply(503)) }
        let resolver = KeyResolver(transport: script)
        for (url, rejection) in [
            ("https://api.acme.example/1", nil), ("https://evil.example/", .untrustedKeySource),
        ] as [(String, WebhookRejection?)] {
            do throws(KeyResolutionError) {
                _ = try await resolver.pem(of: .certificate(url: url), for: descriptor)
                Issue.record("there is no key")
            } catch {
                #expect(error.rejection == rejection)
                #expect(!error.description.contains(url))
            }
        }
    }
}

/// A provider that publishes keys by number; the body of its reply names them.
private struct Publishing: KeyPublishing {
    static let descriptor = ProviderDescriptor(
        id: "acme", name: "Acme Pay", adapterVersion: "1", secretRules: [], resolvesKeys: true)

    init() {}
    init(configuration: NoConfiguration) {}

    var checkoutURLRules: [CheckoutURLRule] { [] }

    func keysRequest(
        secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        get("https://api.acme.example/keys")
    }

    func interpretKeys(
        _ reply: HTTPReply, secrets: SecretSet
    ) throws(ProviderReplyError) -> [PublishedKey] {
        guard reply.status == 200 else { throw .unauthorized }
        return String(decoding: reply.body, as: UTF8.self).split(separator: " ").map { word in
            let end = word.hasPrefix("old") ? Instant(seconds: 1) : nil
            return PublishedKey(
                request: .platformKey(serial: String(word)), pem: "PEM \(word)", validFrom: nil,
                validUntil: end)
        }
    }
}

@Suite("Keys that a provider publishes")
struct PublishedKeyTests {
    private func answer(_ resolver: KeyResolver, _ serial: String) async throws -> String {
        let secrets = try SecretSet([:], rules: [])
        do throws(KeyResolutionError) {
            return try await resolver.pem(
                of: .platformKey(serial: serial), for: Publishing.descriptor,
                published: .init(Publishing(), secrets: secrets))
        } catch {
            return error.code
        }
    }

    @Test("The list is fetched once for all its keys, and an invented number fetches little")
    func fetching() async throws {
        let script = RecordedTransport { _, index in
            .success(reply(200, body: index == 0 ? "A B old" : "A B C"))
        }
        let clock = FakeClock()
        let resolver = KeyResolver(transport: script, clock: clock)
        #expect(try await answer(resolver, "A") == "PEM A")
        #expect(try await answer(resolver, "B") == "PEM B")
        for serial in ["C", "old", "x1", "x2", ""] {
            #expect(try await answer(resolver, serial) == "unknown_key")
        }
        #expect(script.requests.count == 1)
        clock.advance(.seconds(61))
        #expect(try await answer(resolver, "C") == "PEM C")
        #expect(script.requests.count == 2)
    }

    @Test("A list that cannot be had is told apart from a key that is not in it")
    func failures() async throws {
        let script = RecordedTransport { _, index in
            .success(reply(index == 0 ? 401 : 200, body: "A"))
        }
        let clock = FakeClock()
        let resolver = KeyResolver(transport: script, clock: clock)
        #expect(try await answer(resolver, "A") == "key_credentials")
        #expect(try await answer(resolver, "A") == "key_credentials")
        #expect(script.requests.count == 1)
        clock.advance(.seconds(61))
        #expect(try await answer(resolver, "A") == "PEM A")
    }
}

/// A provider that names a certificate in a header and signs the body with its key.
private struct Acme: WebhookReceiving {
    static let descriptor = ProviderDescriptor(
        id: "acme", name: "Acme Pay", adapterVersion: "1", secretRules: [],
        certificateHosts: ["api.acme.example"], certificateDomain: "acme.example")

    init() {}
    init(configuration: NoConfiguration) {}

    var checkoutURLRules: [CheckoutURLRule] { [] }
    var account: String? { nil }

    func plans(for delivery: WebhookDelivery) throws(WebhookRejection) -> [VerificationPlan] {
        let url = try delivery.headers.one("Acme-Cert")
        let signature = Base64.decode(try delivery.headers.one("Acme-Signature")) ?? []
        return [
            VerificationPlan(
                SignatureCandidate(
                    scheme: "acme/v1", algorithm: .rsaPKCS1SHA256,
                    keys: .resolved(.certificate(url: url)), signed: [delivery.body],
                    signatures: [signature]), time: nil)
        ]
    }

    func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        DeliveryIdentity(provider: "acme", account: nil, mode: .test, id: "1")
    }

    func events(in delivery: VerifiedDelivery) throws(WebhookDecodingError) -> [ProviderEvent] {
        []
    }
}

@Suite("A delivery signed with a certificate's key")
struct CertificateDeliveryTests {
    @Test("It is verified with the key that was fetched, and not with another one")
    func delivery() async throws {
        try await withTemporaryDirectory { directory in
            let authority = try TestAuthority(in: directory)
            let certificate = try authority.issue("sign.acme.example")
            let key = try RSAPrivateKey(
                pem: String(contentsOf: certificate.key, encoding: .utf8))
            let body = Array(#"{"id":"1"}"#.utf8)
            let delivery = WebhookDelivery(
                headers: [
                    "Acme-Cert": "https://api.acme.example/certs/1",
                    "Acme-Signature": Base64.encode(try key.signPKCS1SHA256(body)),
                ], body: body)
            let verifier = try DeliveryVerifier(
                provider: Acme(), secrets: SecretSet([:], rules: []))
            let roots = try TrustedRoots(pem: authority.root.pem())
            for (pem, isGenuine) in [
                (try certificate.pem(), true), (try authority.issue("b.acme.example").pem(), false),
            ] {
                let resolver = KeyResolver(
                    transport: RecordedTransport([.success(reply(200, body: pem))]), roots: roots,
                    clock: FakeClock())
                let keys = try await resolver.keys(for: delivery, of: verifier)
                let verified = try? verifier.verify(
                    delivery, at: Instant(seconds: 1_772_600_767), resolved: keys)
                #expect((verified != nil) == isGenuine)
            }
        }
    }
}
