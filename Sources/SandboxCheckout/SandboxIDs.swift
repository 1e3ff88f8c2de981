import Cryptography
import Synchronization

/// Where the sandbox gets its ids; injected, so that a run can be repeated.
package struct SandboxIDs: Sendable {
    /// A new id behind its prefix.
    package let make: @Sendable (_ prefix: String) -> String

    package init(make: @escaping @Sendable (_ prefix: String) -> String) { self.make = make }

    private static let letters = Array(
        "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
    private static let length = 20

    /// Unguessable: the id of a checkout is all that its page asks for.
    package static let random = SandboxIDs { prefix in
        var id = prefix
        while id.utf8.count < prefix.utf8.count + length {
            // Bytes beyond the last whole round of letters would make some letters likelier.
            let fair = 256 / letters.count * letters.count
            for byte in SecureRandom.bytes(length) where Int(byte) < fair {
                id.unicodeScalars.append(Unicode.Scalar(letters[Int(byte) % letters.count]))
                if id.utf8.count == prefix.utf8.count + length { break }
            }
        }
        return id
    }

    /// `sbx_1`, `sbxpay_2` and so on.
    package static func counting() -> SandboxIDs {
        let count = Counter()
        return SandboxIDs { "\($0)\(count.next())" }
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }
}
