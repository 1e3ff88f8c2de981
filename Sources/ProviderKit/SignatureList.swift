import Cryptography

/// The readable items of a signature header, in order; what cannot be read is skipped, because one
/// bad item must not hide a good one.
struct SignatureList: Sendable, Hashable {
    /// Decoded `v1,` items, at most ``Limits/signatures``.
    var v1: [[UInt8]] = []
    /// Decoded `v1a,` items, at most ``Limits/signatures``.
    var v1a: [[UInt8]] = []

    init(standardWebhooks list: String) {
        for item in list.utf8.split(separator: UInt8(ascii: " ")) {
            guard v1.count + v1a.count < Limits.signatures else { return }
            let parts = item.split(
                separator: UInt8(ascii: ","), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let signature = Base64.decode(Substring(parts[1])) else {
                continue
            }
            if parts[0].elementsEqual("v1".utf8) {
                v1.append(signature)
            } else if parts[0].elementsEqual("v1a".utf8) {
                v1a.append(signature)
            }
        }
    }
}
