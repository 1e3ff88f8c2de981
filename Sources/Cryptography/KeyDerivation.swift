/// Keys made from a root key, one for each use, so that no key is used for two things.
public enum KeyDerivation {
    /// HMAC-SHA256(root, label ‖ 0x00): 32 bytes that tell nothing about `root` or other labels.
    ///
    /// `root` is a random key of 32 bytes or more, never a password: nothing here slows down
    /// guessing. `label` names use and version in UTF-8 without a NUL, which ends it.
    public static func deriveKey(root: [UInt8], label: String) -> [UInt8] {
        precondition(!label.utf8.contains(0), "a label ends at its first NUL")
        return HMACKey(sha256: root).authenticate([UInt8](label.utf8), [0])
    }
}
