import CheckoutModel
import Cryptography

/// The rows of a keystore, byte by byte.
///
/// Wrapped values are AES-256-GCM: nonce (12) ‖ ciphertext ‖ tag (16), authenticated with a label
/// and the row's key. Numbers are little-endian.
///
/// | key | value |
/// |---|---|
/// | `b` ‖ bucket (1) | bucket key under the root key |
/// | `e` ‖ hash of a subject (32) | marks: it was erased, so late news is not kept |
/// | `i` ‖ HMAC of an address (32) ‖ key id (16) | stream (8): finds a person; goes with the key |
/// | `k` ‖ key id (16) | data key under the bucket key of the id's first byte |
/// | `m` ‖ `erasures` | changes with every erasure (8 random bytes) |
/// | `m` ‖ `indexed` | position (8) up to which addresses are indexed |
/// | `m` ‖ `moved` | another generation has taken the place of this one |
/// | `p` ‖ request id (16) | a request under way; the log has what it asks for |
/// | `p` ‖ request id (16) ‖ random (16) | more of it came to light: carried out again |
/// | `s` ‖ hash of a subject (32) | its random name (16) in requests and receipts |
/// | `t` ‖ key id (16) | a mark: the key's tombstone |
/// | `x` | key of the HMAC under the root key |
///
/// A mark is classes (1) ‖ time in µs (8) ‖ request id (16).
enum KeystoreLayout {
    static let buckets = prefix("b")
    static let subjects = prefix("e")
    static let addresses = prefix("i")
    static let keys = prefix("k")
    static let requests = prefix("p")
    static let names = prefix("s")
    static let tombstones = prefix("t")
    static let erasures = Array("merasures".utf8)
    static let indexed = Array("mindexed".utf8)
    static let moved = Array("mmoved".utf8)
    static let addressKey = prefix("x")

    private static func prefix(_ letter: Unicode.Scalar) -> [UInt8] { [UInt8(ascii: letter)] }

    static func bucket(_ number: UInt8) -> [UInt8] { buckets + [number] }
    static func key(_ id: [UInt8]) -> [UInt8] { keys + id }
    static func tombstone(_ id: [UInt8]) -> [UInt8] { tombstones + id }
    static func request(_ id: [UInt8]) -> [UInt8] { requests + id }
    static func more(of id: [UInt8]) -> [UInt8] { request(id) + SecureRandom.bytes(16) }
    static func subject(_ subject: String) -> [UInt8] { subjects + hash(subject) }
    static func name(of subject: String) -> [UInt8] { names + hash(subject) }

    private static let subjectLabel = Array("ledger/subject/v1\u{0}".utf8)

    /// Of ids that stand in the log in clear, so it protects nothing and need not be keyed.
    private static func hash(_ subject: String) -> [UInt8] {
        SHA256.hash(subjectLabel + Array(subject.utf8)).bytes
    }

    static func number(_ value: UInt64) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func number(_ bytes: some Collection<UInt8>) -> UInt64? {
        guard bytes.count == 8 else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// That and when something was erased.
struct ErasureMark: Sendable, Hashable {
    static let requestBytes = 16
    static let byteCount = 1 + 8 + requestBytes

    var classes: PrivateClasses
    var erasedAt: Instant
    var requestID: [UInt8]

    var encoded: [UInt8] {
        [classes.rawValue]
            + KeystoreLayout.number(UInt64(bitPattern: erasedAt.microseconds)) + requestID
    }

    init(classes: PrivateClasses, erasedAt: Instant, requestID: [UInt8]) {
        self.classes = classes
        self.erasedAt = erasedAt
        self.requestID = requestID
    }

    /// That and when a request was asked.
    init(_ record: PrivacyRecord, askedIn request: RecordedEvent) {
        self.init(
            classes: record.classes, erasedAt: request.event.occurredAt ?? request.recordedAt,
            requestID: record.requestID)
    }

    init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount, let time = KeystoreLayout.number(bytes[1..<9]) else {
            return nil
        }
        classes = PrivateClasses(rawValue: bytes[0])
        erasedAt = Instant(microseconds: Int64(bitPattern: time))
        requestID = Array(bytes[9...])
    }

    /// The marks of a row, one for each request.
    static func list(_ bytes: [UInt8]) -> [ErasureMark] {
        stride(from: 0, to: bytes.count, by: byteCount).compactMap {
            ErasureMark(bytes[$0..<min(bytes.count, $0 + byteCount)])
        }
    }
}
