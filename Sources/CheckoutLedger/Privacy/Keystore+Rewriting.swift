import CheckoutModel
import Cryptography

/// What writing a keystore anew did.
struct KeystoreRewriting: Sendable {
    var level: ErasureLevel
    /// Fingerprint of the root key that opened the rows before.
    var oldRoot: String
    /// Of the one that opens them now.
    var newRoot: String
    /// True when file and old key were overwritten before they were unlinked.
    var isOverwritten: Bool
    /// The old root key, where only its owner can remove it.
    var remaining: [PendingCopy]
}

extension Keystore {
    /// Gives buckets new keys, wraps what they wrap anew, puts all of it into a new file under a
    /// new root key where the source can give one, and destroys what was there before.
    ///
    /// `touched` are the buckets that lost a key; nil stands for all. The caller holds the lock of
    /// the keystore. Resumes what a crash left. Throws `ROOT_KEY_MISSING`, `MALFORMED_KEY`,
    /// `FILE_FAILED` and what the storage says; nothing is destroyed before all of it is written.
    func rewrite(_ touched: Set<UInt8>?) throws(LedgerError) -> KeystoreRewriting {
        try rows.follow()
        if try rows.value(KeystoreLayout.bucket(0)) == nil { try makeBuckets(rows.generation) }
        guard let old = try ring.current(opening: rows) else { throw RootKeyring.missing }
        let successor = try ring.prepareSuccessor(of: old)
        reached(.rootPrepared)
        var rewriter = RowRewriter(old: old, new: successor ?? old, touched: touched)
        var isOverwritten = try rows.replace(reached: reached) { (row) throws(LedgerError) in
            try rewriter.rewrite(row)
        }
        reached(.destroyed)
        let isReplaced = successor != nil && ring.canReplace
        if let successor, isReplaced {
            isOverwritten = try ring.finish(with: successor) && isOverwritten
            reached(.rootReplaced)
        }
        try notice()
        let isLeft = successor != nil && !isReplaced
        return KeystoreRewriting(
            level: isReplaced ? .rootReplaced : .keystoreRewritten, oldRoot: old.fingerprint,
            newRoot: (successor ?? old).fingerprint, isOverwritten: isOverwritten,
            remaining: isLeft
                ? [PendingCopy(name: "root key \(old.fingerprint) in its \(ring.kind)")] : [])
    }
}

/// Wraps rows anew as they come, bucket keys before the data keys under them.
private struct RowRewriter {
    let old: RootKey
    let new: RootKey
    let touched: Set<UInt8>?
    private var ciphers: [UInt8: (old: AES256GCM, new: AES256GCM)] = [:]

    init(old: RootKey, new: RootKey, touched: Set<UInt8>?) {
        self.old = old
        self.new = new
        self.touched = touched
    }

    mutating func rewrite(_ row: KeyRow) throws(LedgerError) -> KeyRow {
        if row.key == KeystoreLayout.addressKey {
            return KeyRow(key: row.key, value: new.wrap(try unwrap(row), name: row.key))
        }
        switch row.key.first {
        case KeystoreLayout.buckets[0] where row.key.count == 2: return try bucket(row)
        case KeystoreLayout.keys[0] where row.key.count > 1:
            // A bucket that kept its key keeps what is under it.
            guard let (old, new) = ciphers[row.key[1]] else { return row }
            guard let secret = KeyWrap.unwrap(row.value, with: old, name: row.key) else {
                throw RootKeyring.wrong
            }
            return KeyRow(
                key: row.key, value: KeyWrap.wrap(secret, with: new, name: row.key))
        default: return row
        }
    }

    private mutating func bucket(_ row: KeyRow) throws(LedgerError) -> KeyRow {
        let number = row.key[1]
        let before = try unwrap(row)
        guard touched?.contains(number) ?? true else {
            return KeyRow(key: row.key, value: new.wrap(before, name: row.key))
        }
        let after = SecretBytes(randomCount: 32)
        guard let oldCipher = AES256GCM(key: before), let newCipher = AES256GCM(key: after) else {
            throw RootKeyring.wrong
        }
        ciphers[number] = (oldCipher, newCipher)
        return KeyRow(key: row.key, value: new.wrap(after, name: row.key))
    }

    private func unwrap(_ row: KeyRow) throws(LedgerError) -> SecretBytes {
        guard let secret = old.unwrap(row.value, name: row.key) else { throw RootKeyring.wrong }
        return secret
    }
}
