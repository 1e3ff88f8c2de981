#if canImport(CryptoKit) && !os(macOS)
    import CryptoKit

    /// A message that CryptoKit is hashing.
    struct HashContext: ~Copyable {
        private enum State {
            case sha256(CryptoKit.SHA256)
            case sha1(Insecure.SHA1)

            init(_ algorithm: HashAlgorithm) {
                switch algorithm {
                case .sha256: self = .sha256(CryptoKit.SHA256())
                case .sha1: self = .sha1(Insecure.SHA1())
                }
            }
        }

        private var state: State

        /// Ready for the first byte of a message.
        init(_ algorithm: HashAlgorithm) { state = State(algorithm) }

        /// As far as another one.
        init(_ other: borrowing HashContext) { state = other.state }

        /// Goes on from where another one is.
        mutating func become(_ other: borrowing HashContext) { state = other.state }

        /// Feeds the next bytes.
        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            switch state {
            case .sha256(var hash):
                hash.update(bufferPointer: bytes)
                state = .sha256(hash)
            case .sha1(var hash):
                hash.update(bufferPointer: bytes)
                state = .sha1(hash)
            }
        }

        /// Ends the message and writes its hash; nothing is fed before ``restart(_:)``.
        mutating func finish(into bytes: UnsafeMutablePointer<UInt8>) {
            let target = UnsafeMutableRawPointer(bytes)
            switch state {
            case .sha256(let hash):
                hash.finalize().withUnsafeBytes { digest in
                    UnsafeMutableRawBufferPointer(start: target, count: digest.count)
                        .copyMemory(from: digest)
                }
            case .sha1(let hash):
                hash.finalize().withUnsafeBytes { digest in
                    UnsafeMutableRawBufferPointer(start: target, count: digest.count)
                        .copyMemory(from: digest)
                }
            }
        }

        /// Begins the next message.
        mutating func restart(_ algorithm: HashAlgorithm) { state = State(algorithm) }
    }
#endif
