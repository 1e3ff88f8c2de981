import Cryptography
import Testing

/// One key pair, made with the `openssl` command for this file; its private half is gone.
private enum Fixture {
    static let message = [UInt8]("id|time|body".utf8)
    static let signature =
        "UoCWG1yT8a0/XMFWOHtTVn5R2HHCZRPCiwNXe/UBvDCeVtPciyQehXkaJN5udmvTct8drsYO3NGS"
        + "iAXhJuSU8Y0tBdNpTpglaY9jE+xSLKKqEyV/jWiQot6wNvtD2dS+UGYVb8q3c64PhkbfgRkPEa6s"
        + "W2XHXtGH+Eoixrvc3+DQql04hnTdvQnZt0lFGqQ0m0sFAIQgqL1HQ3nsvSsI0DSDLzVMFKYf0P5i"
        + "jYwqVKtt2hXtbD9IiAlVyX+gHCbWvMrAMF9LU4NST4ngwV+1a67YEPqA0FUsCqjTjvu5X7hElsv/"
        + "hNvg41MfMopZao1FiUoU7iTfSZyGBDtJI81QUQ=="

    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6KfRoxS5Mv2VVUoicG4M
        G4FCUeGn2ruwRvt3uBo/J1zOUVWK4HpCLU3UWtEqyn7LXSvfk/pgaeCrNVEMNHap
        9XZFm2rKfzVXtLu4HNpuFmz3/jmovdjlTJbJFnAH1rd4puyWjJTE+ul1LBYLU11x
        7HODDnaSntoBY+2iWZXMJJuZuuspeA2YfrSLUobox2o5FPzSKbJicRg+B1DgCdwF
        unlzIUaZPSRO3PCL4J6NVTcN/xqkwD4KCO+YTwIk1ofZzDaKh5zJJz/7EpnFbbBM
        gbLYqoKW0tOr5db8CSa7g6FVmlxw7vlqQ+BMzTbcV7793nPVRK0ZkTrMbsr9Ppzr
        +QIDAQAB
        -----END PUBLIC KEY-----
        """

    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIDATCCAemgAwIBAgIUE0zu19HXpqCDzq6JO1yrUoxgmoowDQYJKoZIhvcNAQEL
        BQAwDzENMAsGA1UEAwwEdGVzdDAgFw0yNjEyMDEwMTE0MjRaGA8yMTI2MTEwNzAx
        MTQyNFowDzENMAsGA1UEAwwEdGVzdDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCC
        AQoCggEBAOin0aMUuTL9lVVKInBuDBuBQlHhp9q7sEb7d7gaPydczlFViuB6Qi1N
        1FrRKsp+y10r35P6YGngqzVRDDR2qfV2RZtqyn81V7S7uBzabhZs9/45qL3Y5UyW
        yRZwB9a3eKbsloyUxPrpdSwWC1Ndcexzgw52kp7aAWPtolmVzCSbmbrrKXgNmH60
        i1KG6MdqORT80imyYnEYPgdQ4AncBbp5cyFGmT0kTtzwi+CejVU3Df8apMA+Cgjv
        mE8CJNaH2cw2ioecySc/+xKZxW2wTIGy2KqCltLTq+XW/Akmu4OhVZpccO75akPg
        TM023Fe+/d5z1UStGZE6zG7K/T6c6/kCAwEAAaNTMFEwHQYDVR0OBBYEFA53fho0
        EwGW8tW7cmKtemObHJ9vMB8GA1UdIwQYMBaAFA53fho0EwGW8tW7cmKtemObHJ9v
        MA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBANRW2MO6c/HhLhSG
        SnbmsIEJHfN7gYNrWR/O+NL5gz7aGgXnTy/xB2ghCUIxNZYC52TML16RTuICyNE9
        Z7LRC4xEsyYEIg/6CADyutt45GQ8GQTTzAP1fgsCF0WrGw1NlZ19I2fMXtcEL/FV
        ZenKs0aE3ns1qJ9ktYp/XufS3j+uak96/gyDmlN5ZM/kbmH09/7ilaerK8q+HVSK
        Yb5M9MWA9LNnwbsIqa7gqYqkjozPaevciT7U+g5DP/FFgS4T+oQdrXF/RtjGuqWY
        xsMJzQRLLKPvJcte7OsSm/hR/gUj0xUZ0JY0UgK1UIKUPrW7pLJ7Hf4Bk9lbAuTH
        FSlU3GM=
        -----END CERTIFICATE-----
        """

    /// RSA of 1,024 bits.
    static let weakKey = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC35B22ohSCycDhc/zZ6UcFS91y
        PISeWelxqpsS2hkav7EoaUhg989+CtPWqfx99f6Q9awTTi4vkxAwzt16goz7PO/c
        Lth71vSJ+VpP6Maa9cM6wwtrCEztHpHmmYZChFg94jCQ3qW25P3GkRCNv2J9GoPm
        c8byJcFr3udm51xlJwIDAQAB
        -----END PUBLIC KEY-----
        """

    /// Another kind: P-256.
    static let curveKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtSoE9r6kdeZgo2VKr4H7BY6Aye5Z
        I6GFWvYxBjmgzPgGA/gqXVHfFQfLx47i1wGsx+/8DKym9NGiyy4KqFdrjQ==
        -----END PUBLIC KEY-----
        """

    /// The bytes inside a PEM block.
    static func der(_ pem: String) throws -> [UInt8] {
        let body = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        return try #require(Base64.decode(body))
    }
}

@Suite("RSA signatures")
struct RSATests {
    private func keys() throws -> [RSAPublicKey] {
        try [
            RSAPublicKey(spkiPEM: Fixture.publicKey),
            RSAPublicKey(spkiDER: Fixture.der(Fixture.publicKey)),
            RSAPublicKey(certificatePEM: Fixture.certificate),
            RSAPublicKey(certificateDER: Fixture.der(Fixture.certificate)),
        ]
    }

    @Test("of a real signer are taken with the key from any of its containers")
    func valid() throws {
        let signature = try #require(Base64.decode(Fixture.signature))
        for key in try keys() {
            #expect(key.bitCount == 2_048)
            #expect(key.verifyPKCS1SHA256(signature, for: Fixture.message))
        }
    }

    @Test("are refused for another message and when changed or cut anywhere")
    func invalid() throws {
        let key = try keys()[0]
        let signature = try #require(Base64.decode(Fixture.signature))
        #expect(!key.verifyPKCS1SHA256(signature, for: Fixture.message + [0]))
        #expect(!key.verifyPKCS1SHA256(signature, for: []))
        for place in signature.indices {
            var changed = signature
            changed[place] ^= 1
            #expect(!key.verifyPKCS1SHA256(changed, for: Fixture.message))
        }
        for length in [0, 1, 255] {
            #expect(
                !key.verifyPKCS1SHA256(Array(signature.prefix(length)), for: Fixture.message))
        }
        #expect(!key.verifyPKCS1SHA256([0] + signature, for: Fixture.message))
        #expect(key.verifyPKCS1SHA256(signature, for: Fixture.message), "it still works")
    }

    @Test("are not checked with keys that are short, of another kind or no keys at all")
    func keysRefused() {
        func code(_ make: () throws -> RSAPublicKey) -> CryptographyError.Code? {
            do {
                _ = try make()
                return nil
            } catch { return (error as? CryptographyError)?.code }
        }
        #expect(code { try RSAPublicKey(spkiPEM: Fixture.weakKey) } == .unsupportedKey)
        #expect(code { try RSAPublicKey(spkiPEM: Fixture.curveKey) } == .unsupportedKey)
        #expect(code { try RSAPublicKey(spkiPEM: Fixture.certificate) } == .malformedKey)
        #expect(code { try RSAPublicKey(certificatePEM: Fixture.publicKey) } == .malformedKey)
        for text in ["", "-", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"] {
            #expect(code { try RSAPublicKey(spkiPEM: text) } == .malformedKey)
            #expect(code { try RSAPublicKey(spkiDER: [UInt8](text.utf8)) } == .malformedKey)
            #expect(code { try RSAPublicKey(certificatePEM: text) } == .malformedKey)
            #expect(code { try RSAPublicKey(certificateDER: [UInt8](text.utf8)) } == .malformedKey)
        }
        let long = String(repeating: "A", count: 70_000)
        #expect(code { try RSAPublicKey(spkiPEM: long + Fixture.publicKey) } == .malformedKey)
    }
}
