import CheckoutModel
import ProviderKit
import Testing

/// The deliveries and URLs of one provider in the public suite, with the verdicts of their sources.
struct PublishedVectors: Sendable {
    /// One delivery, as it was published or with one thing changed.
    struct Delivery: Sendable, CustomTestStringConvertible {
        let id: String
        let inputs: JSONValue
        /// Our words for the source's verdict; any of them.
        let expected: [String]

        var testDescription: String { id }
        var delivery: WebhookDelivery { WebhookDelivery(vector: inputs) }
        /// When it is verified; 0 where the scheme knows no time.
        var now: Instant { Instant(seconds: inputs["now"]?.integer ?? 0) }
    }

    /// One URL or query, and what its source says of it.
    struct Address: Sendable, CustomTestStringConvertible {
        let text: String
        let provider: String
        let expected: JSONValue
        let note: String

        var testDescription: String { text }
    }

    let provider: String

    /// Every delivery of the provider, or of one of its schemes.
    func deliveries(scheme: String? = nil) -> [Delivery] {
        var found: [Delivery] = []
        for vector in VectorFile.providers["vectors"]?.elements ?? []
        where vector["provider"]?.text == provider
            && (scheme == nil || vector["scheme"]?.text == scheme)
        {
            let id = vector["id"]?.text ?? ""
            let inputs = vector["inputs"] ?? .null
            found.append(Delivery(id: id, inputs: inputs, expected: ["accepted"]))
            for variant in vector["also_accepted"]?.elements ?? [] {
                found.append(
                    Delivery(
                        id: "\(id): \(variant["name"]?.text ?? "")",
                        inputs: inputs.merging(variant["override"]), expected: ["accepted"]))
            }
            for variant in vector["rejected"]?.elements ?? [] {
                found.append(
                    Delivery(
                        id: "\(id): \(variant["name"]?.text ?? "")",
                        inputs: inputs.merging(variant["override"]),
                        expected: Self.words(for: variant["reason"]?.text ?? "")))
            }
        }
        return found
    }

    /// Its checkout URLs and those that are nobody's.
    var checkoutURLs: [Address] {
        addresses("checkout_urls", "url").filter { [provider, "*"].contains($0.provider) }
    }

    /// What its returns carry behind the question mark.
    var returnQueries: [Address] {
        addresses("return_urls", "query").filter { $0.provider == provider }
    }

    private func addresses(_ list: String, _ text: String) -> [Address] {
        (VectorFile.providers[list]?.elements ?? []).map { item in
            Address(
                text: item[text]?.text ?? "", provider: item["provider"]?.text ?? "",
                expected: item["expect"] ?? .null, note: item["note"]?.text ?? "")
        }
    }

    private static func words(for reason: String) -> [String] {
        switch reason {
        case "no_supported_scheme", "unsupported_algorithm": ["unsupported_scheme"]
        case "untrusted_cert_url": ["untrusted_key_source"]
        case "unknown_serial": ["unknown_key"]
        case "signature_probe": ["signature_mismatch"]
        case "timestamp_out_of_tolerance": ["timestamp_too_old", "timestamp_too_new"]
        default: [reason]
        }
    }
}

extension PublishedVectors.Address {
    /// True when the adapter says of the URL what the source says of it.
    func agrees(with match: CheckoutURLMatch) -> Bool {
        guard expected["recognised"] == .bool(true) else { return match == .notMine }
        let mode = expected["mode"]?.text
        return switch match {
        case .session(let id, let found):
            id == expected["session_id"]?.text && found.name == mode
        case .linkWithoutSession(let found):
            expected["session_id"] == .null && found.name == mode
        case .notMine: false
        }
    }
}
