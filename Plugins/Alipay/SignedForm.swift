import ProviderKit

/// A form that Alipay signed: a notification's body or a return's query, decoded once.
///
/// The signed text is every pair but the signature itself, sorted by name, as `name=value` joined
/// by `&`, empty values too. Alipay leaves `sign_type` out of it for trades and keeps it in older
/// families of messages, so both texts are tried. SHA-1 signatures (`RSA`) are not accepted.
/// Source: alipay-sdk-nodejs-all, src/alipay.ts, test/alipay.test.ts; smartwalle/alipay, notify.go.
struct SignedForm {
    /// What keeps a form from being checked.
    enum Fault {
        case noSignature
        case otherAlgorithm
    }

    let fields: FormFields

    /// Nil when it is no form, and when a name is repeated: two readers could read it differently.
    init?(_ bytes: some Collection<UInt8>) {
        guard let fields = FormFields(bytes) else { return nil }
        let names = fields.pairs.map { Array($0.name.utf8) }
        guard Set(names).count == names.count else { return nil }
        self.fields = fields
    }

    subscript(_ name: String) -> String? {
        guard let value = fields[name], !value.isEmpty else { return nil }
        return value
    }

    /// Why it cannot be checked; nil when it can.
    var fault: Fault? {
        guard self["sign"] != nil else { return .noSignature }
        guard (self["sign_type"] ?? "RSA2") == "RSA2" else { return .otherAlgorithm }
        return nil
    }

    /// One plan over both texts.
    var plan: VerificationPlan {
        let signature = self["sign"].flatMap { SignatureCandidate.decode($0, .base64) }
        func candidate(_ scheme: String, without names: Set<String>) -> SignatureCandidate {
            let pairs = fields.pairs.filter { !names.contains($0.name) }
            return SignatureCandidate(
                scheme: scheme, algorithm: .rsaPKCS1SHA256, keys: .secret(.webhookPublicKey),
                signed: [Array(Self.text(pairs.map { ($0.name, $0.value) }).utf8)],
                signatures: signature.map { [$0] } ?? [])
        }
        let unsigned: Set<String> = ["sign", "alipay_cert_sn"]
        return VerificationPlan(
            candidate("alipay/rsa2", without: unsigned.union(["sign_type"])),
            candidate("alipay/rsa2-with-type", without: unsigned), time: nil)
    }

    /// `name=value` sorted by the names' bytes and joined by `&`; the same for requests.
    static func text(_ pairs: [(name: String, value: String)]) -> String {
        pairs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}
