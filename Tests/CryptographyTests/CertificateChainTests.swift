import Cryptography
import Foundation
import TestSupport
import Testing

@Suite("Certificate chains")
struct CertificateChainTests {
    /// 2026-03-04.
    private let now: Int64 = 1_772_600_767

    private func code(
        _ pem: String, _ roots: TrustedRoots, at seconds: Int64? = nil,
        _ name: CertificateName = .below("pay.example")
    ) -> CryptographyError.Code? {
        do throws(CryptographyError) {
            try CertificateChain(pem: pem).check(roots: roots, at: seconds ?? now, name: name)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A certificate counts when it leads to a root, in its time")
    func chains() throws {
        try withTemporaryDirectory { directory in
            let authority = try TestAuthority(in: directory)
            let roots = try TrustedRoots(pem: authority.root.pem())
            let stranger = try TestAuthority(in: directory, name: "Stranger")
            let name = "sign.pay.example"
            let good = try authority.issue(name).pem()
            let between = try authority.issue("Between", names: [], isAuthority: true)
            let link = try between.pem()
            let far = try authority.issue(name, by: between).pem()
            let leaf = try authority.issue("leaf.pay.example")
            let forged = try authority.issue(name, by: leaf).pem() + leaf.pem()
            let old = try authority.issue(name, until: "20260101000000Z").pem()
            let new = try authority.issue(name, from: "20270101000000Z").pem()
            let cases: [(id: String, pem: String, CryptographyError.Code?)] = [
                ("good", good, nil),
                ("through another", far + link, nil),
                ("the other is missing", far, .untrustedCertificate),
                ("the other comes twice", far + link + link, nil),
                ("expired", old, .expiredCertificate),
                ("not yet valid", new, .certificateNotYetValid),
                ("another root", try stranger.issue(name).pem(), .untrustedCertificate),
                ("signed by itself", try stranger.root.pem(), .selfSignedCertificate),
                ("issued by one that may not", forged, .untrustedCertificate),
                ("no certificate", "hello", .malformedKey),
                ("nothing", "", .malformedKey),
                ("cut off", String(good.prefix(400)), .malformedKey),
                ("a broken second one", good + String(good.prefix(400)), .malformedKey),
            ]
            for (id, pem, expected) in cases {
                let found = code(pem, roots)
                #expect(found == expected, "\(id)")
            }
            #expect(code(good, .system) == .untrustedCertificate)
        }
    }

    @Test("A certificate counts for its own names only")
    func names() throws {
        try withTemporaryDirectory { directory in
            let authority = try TestAuthority(in: directory)
            let roots = try TrustedRoots(pem: authority.root.pem())
            let cases: [(name: String, alternatives: [String]?, isOurs: Bool)] = [
                ("sign.pay.example", nil, true), ("a.sign.pay.example", nil, true),
                ("sign.evil.example", nil, false), ("sign.evilpay.example", nil, false),
                ("sign.pay.example.evil.example", nil, false), ("pay.example", nil, false),
                ("sign.pay.example", [], true), ("sign.pay.example", ["x.evil.example"], false),
            ]
            for (name, alternatives, isOurs) in cases {
                let pem = try authority.issue(name, names: alternatives).pem()
                let found = code(pem, roots)
                #expect(found == (isOurs ? nil : .wrongCertificateName), "\(name)")
            }
            let pem = try authority.issue("sign.pay.example").pem()
            #expect(code(pem, roots, .host("sign.pay.example")) == nil)
            for host in ["other.pay.example", "", "sign.pay.example\u{0}.x"] {
                #expect(code(pem, roots, .host(host)) == .wrongCertificateName)
            }
        }
    }

    @Test("Validity is judged at the instant that the caller names, to the second")
    func instants() throws {
        try withTemporaryDirectory { directory in
            let authority = try TestAuthority(in: directory)
            let roots = try TrustedRoots(pem: authority.root.pem())
            let pem = try authority.issue(
                "a.pay.example", from: "20260101000000Z", until: "20270101000000Z"
            ).pem()
            #expect(try CertificateChain(pem: pem).endsAt == 1_798_761_600)
            let cases: [(Int64, CryptographyError.Code?)] = [
                (1_767_225_599, .certificateNotYetValid), (1_767_225_600, nil),
                (1_798_761_599, nil), (1_798_761_601, .expiredCertificate),
            ]
            for (seconds, expected) in cases {
                let found = code(pem, roots, at: seconds)
                #expect(found == expected, "\(seconds)")
            }
        }
    }

    @Test("A chain with a weak key is refused")
    func weakness() throws {
        try withTemporaryDirectory { directory in
            let authority = try TestAuthority(in: directory)
            let roots = try TrustedRoots(pem: authority.root.pem())
            let between = try authority.issue("Between", names: [], isAuthority: true, bits: 1_024)
            let leaf = try authority.issue("a.pay.example", by: between).pem()
            #expect(code(leaf + (try between.pem()), roots) == .weakCertificate)
            let weak = try authority.issue("a.pay.example", bits: 1_024).pem()
            #expect(code(weak, roots) == .unsupportedKey)
        }
    }

    @Test("Roots that are none are refused", arguments: ["", "x", "-----BEGIN CERTIFICATE-----\n"])
    func emptyRoots(text: String) {
        #expect(throws: CryptographyError.self) { try TrustedRoots(pem: text) }
    }
}
