/// The sizes this module works with, in bytes unless the name says otherwise.
enum Limits {
    /// SHA-256 and HMAC-SHA256.
    static let sha256Bytes = 32
    /// HMAC-SHA1.
    static let sha1Bytes = 20
    /// Both hashes read their input in blocks of this size; longer HMAC keys are hashed first.
    static let hashBlockBytes = 64
    /// AES-256.
    static let aesKeyBytes = 32
    /// The only nonce size of GCM that needs no second hashing.
    static let gcmNonceBytes = 12
    /// A full tag: shorter ones make forging easier.
    static let gcmTagBytes = 16
    /// Contexts with an expanded key, of about 700 bytes each, that one key keeps for later.
    static let idleContexts = 4
    /// What is drawn ahead of random bytes: one page, which the kernel empties in a forked child.
    static let randomPoolBytes = 4_096
    /// Wants of more random bytes go to libcrypto itself.
    static let pooledRandomBytes = 64
    /// Room for one key in locked memory; longer secrets stand in ordinary memory.
    static let secretSlotBytes = 64
    /// Locked memory is taken in runs of this size: four pages.
    static let secretRunBytes = 16_384
    /// Ed25519 seeds and public keys.
    static let ed25519KeyBytes = 32
    /// Ed25519 signatures.
    static let ed25519SignatureBytes = 64
    /// RSA keys below this many bits are refused: they can be broken.
    static let minimumRSABits = 2048
    /// RSA keys above this many bits are refused: verifying would take a sender's chosen time.
    static let maximumRSABits = 16_384
    /// The longest PEM or DER text that is looked at.
    static let keyTextBytes = 65_536
    /// The longest file of certificates that is read: the roots of a machine are 200 KB.
    static let certificateFileBytes = 1_048_576
    /// The most certificates in one file.
    static let certificatesPerFile = 1_024
    /// The most certificates between one and its root.
    static let certificates: Int32 = 8
    /// libcrypto's level for keys and hashes: 112 bits, so no SHA-1 and no RSA below 2,048 bits.
    static let certificateSecurityLevel: Int32 = 2
}
