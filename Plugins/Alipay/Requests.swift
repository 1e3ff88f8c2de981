import CheckoutModel
import ProviderKit

/// Requests to the gateway, signed with our application's private key.
/// Source: smartwalle/alipay, client.go; alipay-sdk-nodejs-all, src/util.ts.
extension AlipayProvider {
    /// The gateway of the mode.
    func gateway() throws(RequestPlanError) -> String {
        switch configuration.mode {
        case .live: "https://openapi.alipay.com/\(Self.gatewayPath)"
        case .test: "https://openapi-sandbox.dl.alipaydev.com/\(Self.gatewayPath)"
        case .unknown: throw .unknownMode
        }
    }

    /// The pairs of a request with its signature last; `sign_type` is part of what is signed.
    func signed(
        method: String, content: JSONValue, more: [(name: String, value: String)] = [],
        secrets: SecretSet, now: Instant
    ) throws(RequestPlanError) -> [(name: String, value: String)] {
        guard let appID = configuration.appID else { throw .missingField("appID") }
        var pairs: [(name: String, value: String)] = [
            ("app_id", appID), ("method", method), ("format", "JSON"), ("charset", "utf-8"),
            ("sign_type", "RSA2"), ("timestamp", Self.timestamp(now)), ("version", "1.0"),
            ("biz_content", String(decoding: content.json, as: UTF8.self)),
        ]
        pairs += more
        do throws(SecretError) {
            let text = Array(SignedForm.text(pairs).utf8)
            pairs.append(("sign", try secrets.signatureBase64(of: text)))
        } catch {
            throw .secret(error)
        }
        return pairs
    }

    /// Chinese standard time without a zone, as everything of Alipay's.
    static func timestamp(_ now: Instant) -> String {
        let hours: Int64 = 8 * 3_600
        let text = Instant(seconds: now.seconds + hours).iso8601Seconds
        return text.replacing("T", with: " ").replacing("Z", with: "")
    }
}
