public import CheckoutModel

extension SecretSet {
    /// Everything that is wrong with the texts of one role, each under its place in the list.
    ///
    /// Empty exactly when a set can be made of them. For whoever reads a configuration and wants to
    /// name all mistakes at once.
    public static func problems(_ texts: [String], rule: SecretRule) -> [SecretError] {
        if texts.isEmpty { return [SecretError(role: rule.role, problem: .missing)] }
        var problems: [SecretError] = []
        for (index, text) in texts.enumerated() {
            guard index < Limits.secretsPerRole else {
                problems.append(SecretError(role: rule.role, index: index, problem: .tooMany))
                break
            }
            do throws(SecretError) {
                let bytes = try rule.keyBytes(of: text, index: index, lengths: .standard)
                _ = try SecretKey(text: text, bytes: bytes, index: index, rule: rule)
            } catch {
                problems.append(error)
            }
        }
        return problems
    }
}

extension SecretRule {
    /// How keys start that say for which world they are.
    private static let starts: [(start: String, mode: ProviderMode)] = [
        ("sk_live_", .live), ("rk_live_", .live), ("pk_live_", .live), ("rzp_live_", .live),
        ("pdl_live_", .live), ("live_", .live),
        ("sk_test_", .test), ("rk_test_", .test), ("pk_test_", .test), ("rzp_test_", .test),
        ("pdl_sdbx_", .test), ("sk_sbox_", .test), ("sandbox_", .test), ("test_", .test),
    ]

    /// For which world a secret is by its own text; unknown for most.
    ///
    /// Source: the key prefixes that Stripe, Razorpay, Paddle, Mollie and Checkout.com document.
    public static func mode(of text: String) -> ProviderMode {
        starts.first { text.hasPrefix($0.start) }?.mode ?? .unknown
    }
}
