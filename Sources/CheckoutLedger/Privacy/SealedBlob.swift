import CheckoutModel
import Cryptography
import EventLog
import Synchronization

/// One key that seals one class of private fields of one subject.
final class DataKey: Sendable {
    /// 16 bytes that name the key: random, the first four for all keys of one commit together.
    let id: [UInt8]
    let cipher: AES256GCM
    /// SHA-256 of a label, the id and the key: binds a blob to this key alone, since AES-GCM by
    /// itself lets a text be built that opens under two keys.
    ///
    /// Reveals nothing of a 256-bit key.
    let commitment: [UInt8]
    private let secret: SecretBytes
    private let madeAuthenticator = Mutex<HMACKey?>(nil)

    init(id: [UInt8], secret: SecretBytes) throws(LedgerError) {
        guard let cipher = AES256GCM(key: secret) else {
            throw LedgerError(.malformedKey, "A data key does not have 32 bytes.")
        }
        self.id = id
        self.cipher = cipher
        self.secret = secret
        var hash = SHA256()
        hash.update(Self.commitmentLabel)
        hash.update(id)
        secret.withUnsafeBytes { hash.update(UnsafeRawBufferPointer($0)) }
        commitment = hash.finalize().bytes
    }

    private static let commitmentLabel = Array("ledger/dek-commit/v1\u{0}".utf8)

    /// For the tags of bodies; made when the first body comes, which most keys never see.
    var authenticator: HMACKey {
        madeAuthenticator.withLock { made in
            if let made { return made }
            var root = secret.withUnsafeBytes { [UInt8]($0) }
            defer { cleanse(&root) }
            let key = HMACKey(
                sha256: KeyDerivation.deriveKey(root: root, label: "ledger/body-tag/v1"))
            made = key
            return key
        }
    }
}

/// Private fields of one class under a key that can be destroyed:
/// form (1) ‖ key id (16) ‖ nonce (12) ‖ ciphertext ‖ tag (16).
///
/// The form says algorithm and class: AES-256-GCM, and the number of the class. Before there were
/// classes every blob had form 1 and all fields: such a blob counts as `contact`.
enum SealedBlob {
    private static let headerBytes = 1 + 16 + 12

    /// Where a blob belongs; part of what is authenticated, so that it opens nowhere else.
    struct Place {
        let ledgerID: [UInt8]
        let eventID: EventID
        let type: EventType
    }

    static func seal(
        _ fields: PrivateFields, _ dataClass: PrivateClass, with key: DataKey, at place: Place
    ) -> [UInt8] {
        let text = padded(fields.encoded())
        let count = headerBytes + text.count + AES256GCM.tagByteCount
        return [UInt8](unsafeUninitializedCapacity: count) { blob, filled in
            let blob = UnsafeMutableRawBufferPointer(blob)
            blob[0] = dataClass.rawValue
            UnsafeMutableRawBufferPointer(rebasing: blob[1..<17]).copyBytes(from: key.id)
            let nonce = UnsafeMutableRawBufferPointer(rebasing: blob[17..<headerBytes])
            SecureRandom.fill(nonce)
            key.cipher.seal(
                text, nonce: nonce, authenticating: associated(key.id, dataClass, place),
                into: UnsafeMutableRawBufferPointer(rebasing: blob[headerBytes...]))
            filled = count
        }
    }

    /// Key and class of a blob; nil when its form is not known.
    static func key(of blob: [UInt8]) -> UsedKey? {
        guard blob.count > headerBytes, let dataClass = PrivateClass(rawValue: blob[0]) else {
            return nil
        }
        return UsedKey(id: Array(blob[1..<17]), dataClass: dataClass)
    }

    /// The fields; nil when the bytes are not what was sealed under this key at this place.
    static func open(_ blob: [UInt8], with key: DataKey, at place: Place) -> PrivateFields? {
        guard let used = Self.key(of: blob), used.id == key.id,
            let plaintext = try? key.cipher.open(
                Array(blob[headerBytes...]), nonce: Array(blob[17..<headerBytes]),
                authenticating: associated(used.id, used.dataClass, place)),
            let text = unpadded(plaintext)
        else { return nil }
        return try? PrivateFields(decoding: text)
    }

    private static let label = Array("ledger/sealed/v1\u{0}".utf8)

    /// The class stands in it but for `contact`, which blobs without classes were sealed as.
    private static func associated(
        _ keyID: [UInt8], _ dataClass: PrivateClass, _ place: Place
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(label.count + 2 * 16 + keyID.count + 3)
        bytes += label
        bytes += place.ledgerID
        bytes += place.eventID.bytes
        bytes += keyID
        withUnsafeBytes(of: place.type.rawValue.littleEndian) { bytes += $0 }
        if dataClass != .contact { bytes.append(dataClass.rawValue) }
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
