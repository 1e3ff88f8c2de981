import CheckoutModel
import Cryptography

/// A key that something was sealed with.
struct UsedKey: Sendable, Hashable {
    let id: [UInt8]
    let dataClass: PrivateClass
}

extension Keystore {
    /// Notes that a request is under way, before the log knows of it.
    func begin(_ request: PrivacyRecord) throws(LedgerError) {
        var change = KeyRowChange()
        change.puts = [
            KeyRow(
                key: KeystoreLayout.request(request.requestID), value: request.encoded())
        ]
        try commit(change)
    }

    /// Notes that a request has its receipt.
    func end(_ requestID: [UInt8]) throws(LedgerError) {
        var change = KeyRowChange()
        change.deletions = [KeystoreLayout.request(requestID)]
        try commit(change)
    }

    /// The requests that have no receipt yet.
    func requestsUnderWay() throws(LedgerError) -> [PrivacyRecord] {
        try rows.rows(
            beginning: KeystoreLayout.requests, from: KeystoreLayout.requests, limit: .max
        ).compactMap { try? PrivacyRecord(decoding: $0.value) }
    }

    /// The random name of a subject in requests and receipts: made once, and never from an id.
    func name(of subject: String) throws(LedgerError) -> [UInt8] {
        let row = KeystoreLayout.name(of: subject)
        if let name = try rows.value(row) { return name }
        var change = KeyRowChange()
        change.insertions = [KeyRow(key: row, value: SecureRandom.bytes(16))]
        try commit(change)
        return try rows.value(row) ?? []
    }

    /// From now on nothing of these subjects is kept, whichever process hears it.
    func markErased(_ subjects: [String], _ mark: ErasureMark) throws(LedgerError) {
        for slice in subjects.slices(of: Limits.keyRowsPerCommit) {
            var change = KeyRowChange()
            change.puts = [erasureSign]
            for subject in slice {
                let row = KeystoreLayout.subject(subject)
                var marks = try rows.value(row).map { ErasureMark.list($0) } ?? []
                if marks.contains(where: { $0.classes.isSuperset(of: mark.classes) }) { continue }
                marks.append(mark)
                change.puts.append(KeyRow(key: row, value: marks.flatMap(\.encoded)))
            }
            try commit(change)
        }
        try notice()
    }

    /// When and by which request a subject's fields of a class were erased; nil when they were not.
    func mark(of subject: String, _ dataClass: PrivateClass) throws(LedgerError) -> ErasureMark? {
        try rows.value(KeystoreLayout.subject(subject)).flatMap { row in
            ErasureMark.list(row).first { $0.classes.contains(dataClass) }
        }
    }

    /// Removes keys and what finds a person by them, and leaves tombstones.
    ///
    /// So none of them comes back; a key that has a tombstone keeps it.
    func destroy(_ keys: [UsedKey], _ mark: ErasureMark) throws(LedgerError) {
        for slice in keys.slices(of: Limits.keyRowsPerCommit) {
            var change = KeyRowChange()
            change.puts = [erasureSign]
            for key in slice {
                var own = mark
                own.classes = PrivateClasses(key.dataClass)
                change.deletions.append(KeystoreLayout.key(key.id))
                change.insertions.append(
                    KeyRow(key: KeystoreLayout.tombstone(key.id), value: own.encoded))
            }
            change.deletions += try addressRows(of: Set(slice.map(\.id)))
            try commit(change)
        }
        try notice()
    }

    /// The request that destroyed a key; nil for one that was not destroyed.
    func tombstone(_ id: [UInt8]) throws(LedgerError) -> ErasureMark? {
        try rows.value(KeystoreLayout.tombstone(id)).flatMap { ErasureMark($0) }
    }

    /// True while the key can be opened.
    func holds(_ id: [UInt8]) throws(LedgerError) -> Bool {
        try rows.value(KeystoreLayout.key(id)) != nil
    }

    private var erasureSign: KeyRow {
        KeyRow(key: KeystoreLayout.erasures, value: SecureRandom.bytes(8))
    }

    /// Commits rows that are the same in every generation.
    func commit(_ change: KeyRowChange) throws(LedgerError) {
        while try !rows.commit(change, in: rows.generation) {}
    }
}

// MARK: - Finding a person

extension Keystore {
    /// Up to which position of the log addresses are indexed.
    func indexedPosition() throws(LedgerError) -> UInt64 {
        try rows.value(KeystoreLayout.indexed).flatMap { KeystoreLayout.number($0) } ?? 0
    }

    /// Adds addresses that were read from the log up to a position.
    ///
    /// Only a keyed hash of an address is stored, and its row goes with the key that seals it.
    func index(
        _ found: [(address: String, keyID: [UInt8], stream: UInt64)], upTo position: UInt64
    ) throws(LedgerError) {
        let hash = try addressHash()
        var change = KeyRowChange()
        for (address, keyID, stream) in found {
            change.puts.append(
                KeyRow(
                    key: KeystoreLayout.addresses + hash.authenticate(Self.normal(address))
                        + keyID, value: KeystoreLayout.number(stream)))
        }
        change.puts.append(
            KeyRow(key: KeystoreLayout.indexed, value: KeystoreLayout.number(position)))
        try commit(change)
    }

    /// The streams in which an address stands under keys that still exist.
    func streams(of address: String) throws(LedgerError) -> [UInt64] {
        let prefix =
            KeystoreLayout.addresses
            + (try addressHash()).authenticate(
                Self.normal(address))
        let found = try rows.rows(beginning: prefix, from: prefix, limit: .max)
        return Set(found.compactMap { KeystoreLayout.number($0.value) }).sorted()
    }

    private static func normal(_ address: String) -> [UInt8] {
        Array(address.drop { $0.isWhitespace }.lowercased().utf8)
    }

    private func addressHash() throws(LedgerError) -> HMACKey {
        while try rows.value(KeystoreLayout.addressKey) == nil {
            try rows.follow()
            let generation = rows.generation
            guard let root = try ring.current(opening: rows) else { throw RootKeyring.missing }
            var change = KeyRowChange()
            let name = KeystoreLayout.addressKey
            change.insertions = [
                KeyRow(key: name, value: root.wrap(SecretBytes(randomCount: 32), name: name))
            ]
            // Under a rotation the root key is another one by now, and this is done again.
            _ = try rows.commit(change, in: generation)
        }
        guard let wrapped = try rows.value(KeystoreLayout.addressKey),
            let secret = try ring.unwrap(wrapped, name: KeystoreLayout.addressKey)
        else { throw RootKeyring.wrong }
        var bytes = secret.withUnsafeBytes { [UInt8]($0) }
        defer { cleanse(&bytes) }
        return HMACKey(sha256: bytes)
    }

    private func addressRows(of keys: Set<[UInt8]>) throws(LedgerError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var next = KeystoreLayout.addresses
        while true {
            let page = try rows.rows(
                beginning: KeystoreLayout.addresses, from: next, limit: Limits.keyRowsPerCommit)
            found += page.map(\.key).filter { keys.contains(Array($0.suffix(16))) }
            guard page.count == Limits.keyRowsPerCommit, let last = page.last else { return found }
            next = last.key + [0]
        }
    }
}

extension Array {
    /// The elements in order, so many at a time.
    func slices(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map {
            self[$0..<Swift.min(self.count, $0 + count)]
        }
    }
}
