public import CheckoutModel

extension SecretSet {
    /// `Authorization: Bearer …` with the API key, and what is accepted in return, as most
    /// providers take requests.
    ///
    /// The key must not begin as the provider's keys of the other mode than `mode` do. Throws
    /// `missing_secret` and `malformed_secret`. Source: RFC 6750 §2.1.
    public func bearerHeaders(
        accepting type: String = "application/json", of mode: ProviderMode = .unknown,
        prefixes: [(live: String, test: String)] = []
    ) throws(RequestPlanError) -> [HeaderList.Field] {
        do throws(SecretError) {
            for prefix in prefixes {
                _ = try apiKey(of: mode, live: prefix.live, test: prefix.test)
            }
            return [
                HeaderList.Field(name: "Authorization", value: "Bearer \(try apiKey())"),
                HeaderList.Field(name: "Accept", value: type),
            ]
        } catch {
            throw .secret(error)
        }
    }
}
