import Cryptography

extension IdempotencyKey {
    /// The key's text where it has at most `limit` characters, else its SHA-256 in hexadecimal: the
    /// same text for the same key, for providers that take shorter ones.
    ///
    /// `limit` is at least 64.
    public func text(limit: Int) -> String {
        rawValue.utf8.count <= limit ? rawValue : SHA256.hash(Array(rawValue.utf8)).hex
    }
}
