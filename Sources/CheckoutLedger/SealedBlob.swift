import CheckoutModel
import Cryptography
import EventLog
import Synchronization

/// One key that seals the private fields of one session.
final class DataKey: Sendable {
    /// 16 random bytes that name the key.
    let id: [UInt8]
    let cipher: AES256GCM
    /// SHA-256 of a label, the id and the key: binds a blob to this key alone, since AES-GCM by
    /// itself lets a text be built that opens under two keys.
    ///
    /// Reveals nothing of a 256-bit key.
    let commitment: [UInt8]
    private let secret: SecretBytes
    private let madeAuthenticator = Mutex<HMACKey?>(nil)

    init(id: [UInt8], bytes: [UInt8]) throws(LedgerError) {
        guard let cipher = AES256GCM(key: bytes) else {
            throw LedgerError(.malformedKey, "A data key does not have 32 bytes.")
        }
        self.id = id
        self.cipher = cipher
        secret = SecretBytes(bytes)
        commitment = SHA256.hash(Array("ledger/dek-commit/v1\u{0}".utf8) + id + bytes).bytes
    }

    /// For the tags of bodies; made when the first body comes, which most keys never see.
    var authenticator: HMACKey {
        madeAuthenticator.withLock { made in
            if let made { return made }
            let root = secret.withUnsafeBytes { [UInt8]($0) }
            let key = HMACKey(
                sha256: KeyDerivation.deriveKey(root: root, label: "ledger/body-tag/v1"))
            made = key
            return key
        }
    }
}

/// Private fields under a key that can be destroyed:
/// algorithm (1) ‖ key id (16) ‖ nonce (12) ‖ ciphertext ‖ tag (16).
enum SealedBlob {
    /// AES-256-GCM; the byte leaves room for another one.
    private static let aes256GCM: UInt8 = 1
    private static let headerBytes = 1 + 16 + 12

    /// Where a blob belongs; part of what is authenticated, so that it opens nowhere else.
    struct Place {
        let ledgerID: [UInt8]
        let eventID: EventID
        let type: EventType
    }

    /// What became of a blob.
    enum Opened: Sendable, Hashable {
        /// The fields.
        case fields(PrivateFields)
        /// The key is not here: destroyed, or kept elsewhere.
        case keyMissing
        /// The key is here and the bytes are not what was sealed.
        case tampered
    }

    static func seal(_ fields: PrivateFields, with key: DataKey, at place: Place) -> [UInt8] {
        let text = padded(fields.encoded())
        let count = headerBytes + text.count + AES256GCM.tagByteCount
        return [UInt8](unsafeUninitializedCapacity: count) { blob, filled in
            let blob = UnsafeMutableRawBufferPointer(blob)
            blob[0] = aes256GCM
            UnsafeMutableRawBufferPointer(rebasing: blob[1..<17]).copyBytes(from: key.id)
            let nonce = UnsafeMutableRawBufferPointer(rebasing: blob[17..<headerBytes])
            SecureRandom.fill(nonce)
            key.cipher.seal(
                text, nonce: nonce, authenticating: associated(key.id, place),
                into: UnsafeMutableRawBufferPointer(rebasing: blob[headerBytes...]))
            filled = count
        }
    }

    static func keyID(of blob: [UInt8]) -> [UInt8]? {
        blob.count > headerBytes && blob[0] == aes256GCM ? Array(blob[1..<17]) : nil
    }

    static func open(_ blob: [UInt8], with key: DataKey, at place: Place) -> Opened {
        guard let id = keyID(of: blob), id == key.id else { return .tampered }
        guard
            let plaintext = try? key.cipher.open(
                Array(blob[headerBytes...]), nonce: Array(blob[17..<headerBytes]),
                authenticating: associated(id, place)),
            let text = unpadded(plaintext), let fields = try? PrivateFields(decoding: text)
        else { return .tampered }
        return .fields(fields)
    }

    private static let label = Array("ledger/sealed/v1\u{0}".utf8)

    private static func associated(_ keyID: [UInt8], _ place: Place) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(label.count + 2 * 16 + keyID.count + 2)
        bytes += label
        bytes += place.ledgerID
        bytes += place.eventID.bytes
        bytes += keyID
        withUnsafeBytes(of: place.type.rawValue.littleEndian) { bytes += $0 }
        return bytes
    }

    /// Length (4, little-endian) ‖ text ‖ zeros to a multiple of 64: the length of an e-mail
    /// address is half of its secret.
    private static func padded(_ text: [UInt8]) -> [UInt8] {
        let count = (text.count + 4 + 63) / 64 * 64
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            bytes.storeBytes(of: UInt32(text.count).littleEndian, as: UInt32.self)
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[4...])
            rest.copyBytes(from: text)
            for index in text.count..<rest.count { rest[index] = 0 }
            filled = count
        }
    }

    private static func unpadded(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 4 else { return nil }
        let count = Int(
            bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) })
        return count <= bytes.count - 4 ? Array(bytes[4..<(4 + count)]) : nil
    }
}
