import CheckoutModel
import ProviderKit
import TestSupport
import Testing

/// One message of a public suite with the verdict of its source; the variants that its source
/// accepts or rejects stand beside it.
struct PublishedCase: Sendable, CustomTestStringConvertible {
    let id: String
    let scheme: String
    let inputs: JSONValue
    let expect: JSONValue
    /// `accepted`, or the source's reason for refusing it.
    let verdict: String

    var testDescription: String { id }

    static func all(of provider: String, schemes: Set<String>? = nil) -> [PublishedCase] {
        (VectorFile.providers["vectors"]?.elements ?? []).filter { vector in
            vector["provider"]?.text == provider
                && schemes?.contains(vector["scheme"]?.text ?? "") != false
        }.flatMap(expanded)
    }

    private static func expanded(_ vector: JSONValue) -> [PublishedCase] {
        let inputs = vector["inputs"] ?? .null
        func make(_ variant: JSONValue?, verdict: String) -> PublishedCase {
            PublishedCase(
                id: [vector["id"]?.text, variant?["name"]?.text].compactMap { $0 }
                    .joined(separator: ": "),
                scheme: vector["scheme"]?.text ?? "",
                inputs: inputs.merging(variant?["override"]),
                expect: variant == nil ? vector["expect"] ?? .null : .null, verdict: verdict)
        }
        return [make(nil, verdict: "accepted")]
            + (vector["also_accepted"]?.elements ?? []).map { make($0, verdict: "accepted") }
            + (vector["rejected"]?.elements ?? []).map {
                make($0, verdict: $0["reason"]?.text ?? "")
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
        }.map { PublishedURL(text: $0[field]?.text ?? "", expect: $0["expect"] ?? .null) }
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
    var code: String {
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
