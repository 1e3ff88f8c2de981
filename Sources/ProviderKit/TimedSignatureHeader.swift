import Cryptography

/// A header of the form `t=<unix seconds>,v1=<hex>[,v1=<hex>…]`, as Stripe and others send it.
///
/// Items are `name=value`, separated by commas or what the sender uses instead. Unknown names are
/// kept apart, not refused.
public struct TimedSignatureHeader: Sendable, Hashable {
    /// The text of `t`, not yet read as a number: the signature covers the text.
    public let timestamp: String
    /// The decoded signatures of the wanted version, at most ``Limits/signatures``.
    ///
    /// Items that are not lower-case hexadecimal are skipped.
    public let signatures: [[UInt8]]
    /// True when the wanted version occurs at all, readable or not.
    public let hasVersion: Bool

    /// Takes the header apart; nil when there is no item `t`, or two that differ.
    public init?(
        _ header: String, time: String = "t", version: String = "v1",
        separator: UInt8 = UInt8(ascii: ",")
    ) {
        var timestamp: Substring.UTF8View?
        var signatures: [[UInt8]] = []
        var hasVersion = false
        for item in header.utf8.split(separator: separator) {
            let parts = item.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let name = Substring(parts[0]).trimmingBlanks
            if name == time {
                guard timestamp.map({ $0.elementsEqual(parts[1]) }) ?? true else { return nil }
                timestamp = parts[1]
            } else if name == version {
                hasVersion = true
                if signatures.count < Limits.signatures, let bytes = Hex.decode(Substring(parts[1]))
                {
                    signatures.append(bytes)
                }
            }
        }
        guard let timestamp else { return nil }
        self.timestamp = String(Substring(timestamp))
        self.signatures = signatures
        self.hasVersion = hasVersion
    }
}
