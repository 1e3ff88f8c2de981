/// A hash function that something here is built on.
enum HashAlgorithm: Sendable {
    case sha256
    case sha1

    /// The length of a hash.
    var byteCount: Int {
        switch self {
        case .sha256: Limits.sha256Bytes
        case .sha1: Limits.sha1Bytes
        }
    }
}
