public import CheckoutModel

extension SecretSet {
    /// The API key, unless its own prefix says that it is of the other mode than the account.
    ///
    /// Keys with neither prefix are taken, and so is every key when the mode is unknown. Throws
    /// `missing_secret`, and `malformed_secret` for a key of the other mode: live and test are
    /// never mixed.
    public func apiKey(
        of mode: ProviderMode, live: String, test: String
    ) throws(SecretError) -> String {
        let key = try apiKey()
        let other: String? =
            switch mode {
            case .live: test
            case .test: live
            case .unknown: nil
            }
        if let other, key.hasPrefix(other) {
            throw SecretError(role: .apiKey, problem: .otherMode(mode))
        }
        return key
    }
}
