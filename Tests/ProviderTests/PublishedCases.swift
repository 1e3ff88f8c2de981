import CheckoutModel
import ProviderKit
import TestSupport
import Testing

/// One message of a public suite with the verdict of its source; the variants that its source
/// accepts or rejects stand beside it.
struct PublishedCase: Sendable, CustomTestStringConvertible {
    let id: String
    let provider: String
    let scheme: String
    let inputs: JSONValue
    let expect: JSONValue
    /// `accepted`, or the source's reason for refusing it.
    let verdict: String

    var testDescription: String { id }
    var isAccepted: Bool { verdict == "accepted" }
    var delivery: WebhookDelivery { WebhookDelivery(vector: inputs) }
    /// When it is verified; 0 where the scheme knows no time.
    var now: Instant { Instant(seconds: inputs["now"]?.integer ?? 0) }

    /// Our words for the source's verdict; any of them.
    var expected: [String] {
        switch verdict {
        case "empty_secret": ["malformed_secret"]
        case "missing_signature": ["missing_header"]
        case "no_supported_scheme", "unsupported_algorithm": ["unsupported_scheme"]
        case "untrusted_cert_url": ["untrusted_key_source"]
        case "unknown_serial": ["unknown_key"]
        case "signature_probe": ["signature_mismatch"]
        case "timestamp_out_of_tolerance": ["timestamp_too_old", "timestamp_too_new"]
        default: [verdict]
        }
    }

    static func all(of providers: String..., schemes: Set<String>? = nil) -> [PublishedCase] {
        all(of: providers, schemes: schemes)
    }

    static func all(of providers: [String], schemes: Set<String>? = nil) -> [PublishedCase] {
        (VectorFile.providers["vectors"]?.elements ?? []).filter { vector in
            providers.contains(vector["provider"]?.text ?? "")
                && schemes?.contains(vector["scheme"]?.text ?? "") != false
        }.flatMap(expanded)
    }

    private static func expanded(_ vector: JSONValue) -> [PublishedCase] {
        let inputs = vector["inputs"] ?? .null
        func make(_ variant: JSONValue?, verdict: String) -> PublishedCase {
            PublishedCase(
                id: [vector["id"]?.text, variant?["name"]?.text].compactMap { $0 }
                    .joined(separator: ": "),
                provider: vector["provider"]?.text ?? "", scheme: vector["scheme"]?.text ?? "",
                inputs: inputs.merging(variant?["override"]),
                expect: variant == nil ? vector["expect"] ?? .null : .null, verdict: verdict)
        }
        return [make(nil, verdict: "accepted")]
            + (vector["also_accepted"]?.elements ?? []).map { make($0, verdict: "accepted") }
            + (vector["rejected"]?.elements ?? []).map { variant in
                // A misplaced reason stands inside the override; it is no input.
                let reason = variant["reason"] ?? variant["override"]?["reason"]
                return make(variant, verdict: reason?.text ?? "")
            }
    }

    /// The delivery's secrets are short, as published keys are.
    func secrets(
        _ role: SecretRole = .webhook, named name: String = "secret",
        for provider: any PaymentProvider
    ) throws -> SecretSet {
        try SecretSet(
            [role: [inputs[name]?.text ?? ""]], rules: type(of: provider).descriptor.secretRules,
            lengths: .shortForTestVectors)
    }
}

/// A checkout or return URL of the public suite.
struct PublishedURL: Sendable, CustomTestStringConvertible {
    let text: String
    let expect: JSONValue
    let note: String

    var testDescription: String { text }

    /// Those of the provider, and those that nobody may recognise.
    static func checkouts(of provider: String) -> [PublishedURL] {
        list("checkout_urls", "url", [provider, "*"])
    }

    static func returns(of provider: String) -> [PublishedURL] {
        list("return_urls", "query", [provider])
    }

    private static func list(
        _ name: String, _ field: String, _ providers: [String]
    ) -> [PublishedURL] {
        (VectorFile.providers[name]?.elements ?? []).filter {
            providers.contains($0["provider"]?.text ?? "")
        }.map { item in
            PublishedURL(
                text: item[field]?.text ?? "", expect: item["expect"] ?? .null,
                note: item["note"]?.text ?? "")
        }
    }

    /// A page that names no session is a link without one.
    var match: CheckoutURLMatch {
        guard expect["recognised"] == .bool(true) else { return .notMine }
        let mode = ProviderMode.allCases.first { $0.name == expect["mode"]?.text } ?? .unknown
        guard let id = expect["session_id"]?.text else { return .linkWithoutSession(mode: mode) }
        return .session(id: id, mode: mode)
    }

    /// A return's request, as the browser brings it.
    func request() throws -> ReturnRequest {
        ReturnRequest(url: try ReturnURL(parsing: "https://shop.example/back?\(text)"))
    }

    /// Compares what the source says of a return with a claim.
    func check(_ claim: ReturnClaim) {
        #expect(claim.status.name == expect["status"]?.text)
        #expect(claim.ids.session == expect["session_id"]?.text)
        #expect(claim.ids.payment == expect["payment_id"]?.text)
        if let order = expect["order_id"]?.text { #expect(claim.ids.order == order) }
    }
}

extension Result where Success: Sendable, Failure == any Error {
    /// `accepted` or the stable code of what was thrown, for webhooks and returns alike.
    var verdict: String {
        switch self {
        case .success: "accepted"
        case .failure(let error as WebhookRejection): error.code
        case .failure(let error as ReturnRejection): error.code
        case .failure(let error as SecretError): error.code
        case .failure(let error as ProviderConfigurationError): error.code
        case .failure(let error): "\(error)"
        }
    }
}

/// Amounts in tests.
extension Money {
    init(_ units: Int64, _ code: String) throws {
        self.init(minorUnits: units, currency: try #require(Currency(code)))
    }
}

extension StatusReport {
    /// What is known; an issue where nothing is.
    func known() throws -> PaymentFacts {
        guard case .known(let facts) = self else {
            Issue.record("\(self)")
            throw WebhookDecodingError(.missingField)
        }
        return facts
    }
}

extension HTTPReply {
    init(_ body: String, status: Int = 200) {
        self.init(status: status, body: Array(body.utf8))
    }
}
