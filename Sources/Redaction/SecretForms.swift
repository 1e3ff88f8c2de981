/// Secrets that can be told by how they begin.
///
/// Public values that look alike pass: publishable keys (`pk_live_`), webhook public keys
/// (`whpk_`), verifier keys.
struct SecretForm: Sendable {
    /// What may follow the beginning.
    enum Tail: Sendable {
        case letters
        case base64
        case token
        case hexadecimal
        case upperCase

        func contains(_ byte: UInt8) -> Bool {
            switch self {
            case .letters: byte.isWord
            case .base64: byte.isLetterOrDigit || "+/=_-".utf8.contains(byte)
            case .token: byte.isLetterOrDigit || "._~+/=-$:".utf8.contains(byte)
            case .hexadecimal: byte.isHexadecimal
            case .upperCase: byte.isUpper || byte.isDigit
            }
        }
    }

    let start: [UInt8]
    let kind: String
    let tail: Tail
    /// Fewest bytes behind the beginning.
    let atLeast: Int
    /// Dots that must stand in the tail.
    let dots: Int
    /// True when the tail may not be longer.
    let isExact: Bool

    private init(
        _ start: String, _ kind: String, _ tail: Tail, _ atLeast: Int, dots: Int = 0,
        isExact: Bool = false
    ) {
        self.start = Array(start.utf8)
        self.kind = kind
        self.tail = tail
        self.atLeast = atLeast
        self.dots = dots
        self.isExact = isExact
    }

    /// Every form, by what it begins with; they count at the start of a word only.
    static let all: [SecretForm] =
        ["live", "test", "prod", "sbox"].flatMap { mode in
            ["sk", "rk"].map { SecretForm("\($0)_\(mode)_", "api-key", .letters, 16) }
        } + [
            SecretForm("whsec_", "webhook", .base64, 16),
            SecretForm("whsk_", "webhook", .base64, 16),
            SecretForm("eyJ", "jwt", .token, 30, dots: 2),
            SecretForm("PRIVATE+KEY+", "note-signer", .token, 20),
            SecretForm("AGE-SECRET-KEY-1", "age", .upperCase, 20),
            SecretForm("AKIA", "aws", .upperCase, 16, isExact: true),
            SecretForm("ASIA", "aws", .upperCase, 16, isExact: true),
            SecretForm("github_pat_", "github", .letters, 36),
            SecretForm("access_token$production$", "braintree", .token, 40),
            SecretForm("access_token$sandbox$", "braintree", .token, 40),
            SecretForm("EAAA", "square", .base64, 56),
            // Keys of the payment providers whose forms are published.
            SecretForm("pdl_live_apikey_", "api-key", .letters, 16),
            SecretForm("pdl_sdbx_apikey_", "api-key", .letters, 16),
            SecretForm("pdl_ntfset_", "webhook", .base64, 16),
            SecretForm("polar_oat_", "api-key", .letters, 16),
            SecretForm("polar_pat_", "api-key", .letters, 16),
            SecretForm("polar_whs_", "webhook", .letters, 16),
            SecretForm("live_", "api-key", .base64, 30),
            SecretForm("test_", "api-key", .base64, 30),
            SecretForm("sandbox_", "api-key", .base64, 30),
        ]
        + ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map {
            SecretForm($0, "github", .letters, 36)
        }
        + ["xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxr-", "xoxs-"].map {
            SecretForm($0, "slack", .base64, 20)
        }
        + ["sq0atp-", "sq0csp-", "sq0idp-"].map { SecretForm($0, "square", .base64, 22) }
        + ["shpat_", "shpca_", "shppa_", "shpss_"].map {
            SecretForm($0, "shopify", .hexadecimal, 32)
        }

    /// Words in front of `=` or `:` whose value is a secret.
    static let assigned = [
        "access_token", "api-key", "api_key", "apikey", "auth_token", "client_secret", "passphrase",
        "passwd", "password", "private_key", "pwd", "refresh_token", "secret", "secret_key",
    ].map { Array($0.utf8) }

    /// Words in front of a security code.
    static let codeWords = [
        "card verification code", "card verification number", "card verification value", "csc",
        "cvc", "cvc2", "cvn", "cvv", "cvv2", "security code",
    ].map { Array($0.utf8) }

    /// Words that make a 13-digit number near them a card's.
    static let cardWords = [
        "card", "pan", "visa", "credit", "debit", "karte", "carte", "tarjeta",
    ].map { Array($0.utf8) }
}

extension UInt8 {
    var isDigit: Bool { self &- 0x30 < 10 }
    var isUpper: Bool { self &- 0x41 < 26 }
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    var isLetterOrDigit: Bool { isDigit || isLetter }
    var isWord: Bool { isLetterOrDigit || self == 0x5F }
    var isHexadecimal: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }
    var isBlank: Bool { self == 0x20 || self &- 0x09 < 5 }
    /// Lower case for ASCII letters; other bytes as they are.
    var lower: UInt8 { isUpper ? self | 0x20 : self }
}
