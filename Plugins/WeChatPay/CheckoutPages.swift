public import CheckoutModel
public import ProviderKit

/// What a customer opens: a link for WeChat itself, shown as a QR code, or a page that opens
/// WeChat. Neither names the checkout.
/// Source: public code (`weixin://`). From memory, not verified: the page on `wx.tenpay.com`.
extension WeChatPayProvider {
    private static let phonePage = CheckoutURLRule(
        hosts: ["wx.tenpay.com": .unknown], path: "/cgi-bin/mmpayweb-bin/checkmweb",
        idParameter: "prepay_id")

    /// None, because no page names a checkout.
    public var checkoutURLRules: [CheckoutURLRule] { [] }

    /// A link without a checkout, or not WeChat's.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        let isOurs = Self.isCode(checkoutURL) || (try? Self.phonePage.read(checkoutURL)) != nil
        return isOurs ? .linkWithoutSession(mode: .unknown) : .notMine
    }

    /// `weixin://wxpay/bizpayurl?pr=…`, exactly so written.
    private static func isCode(_ text: String) -> Bool {
        guard let url = try? URLText(parsing: text), url.scheme == "weixin",
            url.host == "wxpay", url.userInfo == nil, url.port == nil, url.path == "/bizpayurl",
            let code = url.query?.utf8.split(separator: UInt8(ascii: "&")).first
        else { return false }
        return code.starts(with: "pr=".utf8) && code.count > 3
    }
}
