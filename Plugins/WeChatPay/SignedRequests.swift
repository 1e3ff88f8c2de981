import CheckoutModel
import ProviderKit

/// Every request is signed over its method, path with query, time, nonce and body.
/// Source: wechatpay-go, core/consts/const.go, core/auth/credentials/wechat_pay_credential.go.
extension WeChatPayProvider {
    static let apiHost = "https://api.mch.weixin.qq.com"
    /// As many random characters as the reference library takes.
    private static let nonceCharacters = 32

    /// Throws `missing_field` where the configuration lacks what a signature names, or the nonce
    /// has fewer than 16 bytes.
    func request(
        _ method: String, _ pathAndQuery: String, body: [UInt8] = [], secrets: SecretSet,
        now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let merchant = try merchantID()
        guard let serial = configuration.certificateSerial else {
            throw .missingField("certificateSerial")
        }
        let random = String(nonce.hex.prefix(Self.nonceCharacters))
        guard random.utf8.count == Self.nonceCharacters else { throw .missingField("nonce") }
        let head = "\(method)\n\(pathAndQuery)\n\(now.seconds)\n\(random)\n"
        let signature: String
        do throws(SecretError) {
            signature = try secrets.signatureBase64(
                of: Array(head.utf8) + body + [UInt8(ascii: "\n")])
        } catch {
            throw .secret(error)
        }
        var headers: [HeaderList.Field] = [
            .init(
                name: "Authorization",
                value: """
                    WECHATPAY2-SHA256-RSA2048 mchid="\(merchant)",nonce_str="\(random)",\
                    timestamp="\(now.seconds)",serial_no="\(serial)",signature="\(signature)"
                    """),
            .init(name: "Accept", value: "application/json"),
        ]
        if !body.isEmpty {
            headers.append(.init(name: "Content-Type", value: "application/json"))
        }
        return HTTPRequestPlan(
            method: method, url: Self.apiHost + pathAndQuery, headers: HeaderList(headers),
            body: body, isRepeatable: true)
    }

    func merchantID() throws(RequestPlanError) -> String {
        guard let merchant = configuration.merchantID else { throw .missingField("merchantID") }
        return merchant
    }
}
