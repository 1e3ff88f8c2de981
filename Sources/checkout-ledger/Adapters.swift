import Adyen
import Alipay
import CheckoutCom
import CoinbaseCommerce
import DodoPayments
import GoCardless
import LemonSqueezy
import Mollie
import Paddle
import PayPal
import Polar
import ProviderKit
import Razorpay
import Sandbox
import Square
import Stripe
import WeChatPay

/// The adapters of this program: the one place where a provider is registered.
enum Adapters {
    /// In the order in which URLs are offered to them.
    static let all: [any PaymentProvider.Type] = [
        AdyenProvider.self,
        AlipayProvider.self,
        CheckoutComProvider.self,
        CoinbaseCommerceProvider.self,
        DodoPaymentsProvider.self,
        GoCardlessProvider.self,
        LemonSqueezyProvider.self,
        MollieProvider.self,
        PaddleProvider.self,
        PayPalProvider.self,
        PolarProvider.self,
        RazorpayProvider.self,
        SandboxProvider.self,
        SquareProvider.self,
        StripeProvider.self,
        WeChatPayProvider.self,
    ]

    /// Who they are for.
    static var descriptors: [ProviderDescriptor] { all.map { $0.descriptor } }
}
