import Foundation
import HTTPTransport
import ProviderKit
import TestSupport
import Testing

@Suite("Certificates of hosts")
struct CertificateTests {
    @Test("A host is believed only with a certificate of its own, in its time, from a trusted root")
    func certificates() async throws {
        try await withTemporaryDirectory { directory in
            let authority = try TestAuthority(in: directory)
            let stranger = try TestAuthority(in: directory, name: "Stranger")
            let cases: [(id: String, TestAuthority.Certificate, TransportError.Reason?)] = [
                ("good", try authority.issue("localhost"), nil),
                ("other host", try authority.issue("shop.example"), .wrongHost),
                (
                    "expired",
                    try authority.issue("localhost", until: "20210101000000Z"), .expired
                ),
                (
                    "not yet valid",
                    try authority.issue(
                        "localhost", from: "20480101000000Z", until: "20490101000000Z"),
                    .notYetValid
                ),
                ("other root", try stranger.issue("localhost"), .untrusted),
                ("signed by itself", stranger.root, .untrusted),
            ]
            let transport = CurlTransport.local { $0.rootsFile = authority.root.file.path }
            for (id, certificate, reason) in cases {
                let server = try LocalTLSServer(certificate)
                let plan = get("https://localhost:\(server.port)/")
                let found = await refusal(of: transport, plan)
                #expect(found == reason, "\(id)")
            }
        }
    }

    @Test("Without roots of our own the system's decide")
    func systemRoots() async throws {
        try await withTemporaryDirectory { directory in
            let server = try LocalTLSServer(TestAuthority(in: directory).issue("localhost"))
            let plan = get("https://localhost:\(server.port)/")
            #expect(await refusal(of: CurlTransport(), plan) == .untrusted)
        }
    }

    @Test("A played host must show a certificate for its own name where it speaks TLS")
    func encryptedRoute() async throws {
        try await withTemporaryDirectory { directory in
            let authority = try TestAuthority(in: directory)
            for (name, reason) in [("api.provider.example", nil), ("localhost", .wrongHost)]
                as [(String, TransportError.Reason?)]
            {
                let server = try LocalTLSServer(authority.issue(name))
                let transport = CurlTransport.local {
                    $0.rootsFile = authority.root.file.path
                    $0.loopbackRoutes = [
                        "api.provider.example": LoopbackRoute(
                            port: server.port, isEncrypted: true)
                    ]
                }
                let plan = get("https://api.provider.example/")
                let found = await refusal(of: transport, plan)
                #expect(found == reason, "\(name)")
            }
        }
    }

    @Test("Roots that cannot be read stop every request")
    func missingRoots() async throws {
        try await withTemporaryDirectory { directory in
            let server = try LocalTLSServer(TestAuthority(in: directory).issue("localhost"))
            let transport = CurlTransport.local {
                $0.rootsFile = directory.appendingPathComponent("none.pem").path
            }
            let plan = get("https://localhost:\(server.port)/")
            #expect(await refusal(of: transport, plan) == .rootsUnusable)
        }
    }

    @Test("Plain HTTP where TLS is expected is no reply")
    func plainServer() async throws {
        let server = try #require(LocalServer { _ in [.reply(200, "")] })
        // The greeting is no request of HTTP's, so the server only waits.
        let plan = get("https://127.0.0.1:\(server.port)/")
        let reason = await refusal(
            of: CurlTransport.local { $0.connectTimeout = .milliseconds(200) }, plan)
        #expect(reason == .connectTimeout || reason == .tls)
    }
}
