/// The vector files of the adapters that ship here, built in, so that the program can check itself
/// without files beside it.
package enum ProviderVectors {
    private static let files: [String: [UInt8]] = [
        "adyen": PackageResources.adyen_json,
        "alipay": PackageResources.alipay_json,
        "checkout.com": PackageResources.checkout_com_json,
        "coinbase-commerce": PackageResources.coinbase_commerce_json,
        "dodo": PackageResources.dodo_json,
        "gocardless": PackageResources.gocardless_json,
        "lemonsqueezy": PackageResources.lemonsqueezy_json,
        "mollie": PackageResources.mollie_json,
        "paddle": PackageResources.paddle_json,
        "paypal": PackageResources.paypal_json,
        "polar": PackageResources.polar_json,
        "razorpay": PackageResources.razorpay_json,
        "sandbox": PackageResources.sandbox_json,
        "square": PackageResources.square_json,
        "stripe": PackageResources.stripe_json,
        "wechatpay": PackageResources.wechatpay_json,
    ]

    /// The bytes of `providers/<id>.json`; nil when there is no such file.
    package static func json(of provider: String) -> [UInt8]? { files[provider] }

    /// Every id with a file, sorted.
    package static var providers: [String] { files.keys.sorted() }
}
