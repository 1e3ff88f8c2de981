import CheckoutModel
import Cryptography

/// A key that something was sealed with.
struct UsedKey: Sendable, Hashable {
    let id: [UInt8]
    let dataClass: PrivateClass
}

extension Keystore {
    /// Notes that a request is under way, before the log knows of it.
    func begin(_ requestID: [UInt8]) throws(LedgerError) {
        var change = KeyRowChange()
        change.puts = [KeyRow(key: KeystoreLayout.request(requestID), value: [1])]
        try commit(change)
    }

    /// Notes that these rows have been seen to.
    func end(_ rows: [[UInt8]]) throws(LedgerError) {
        var change = KeyRowChange()
        change.deletions = rows
        try commit(change)
    }

    /// The rows of requests that have no receipt yet, or of which more came to light since, by
    /// request.
    func requestsUnderWay() throws(LedgerError) -> [(requestID: [UInt8], rows: [[UInt8]])] {
        var found: [(requestID: [UInt8], rows: [[UInt8]])] = []
        let rows = try rows.rows(
            beginning: KeystoreLayout.requests, from: KeystoreLayout.requests, limit: .max)
        for row in rows where row.key.count > ErasureMark.requestBytes {
            let requestID = Array(row.key[1...ErasureMark.requestBytes])
            // In order of their keys, so the rows of one request stand together.
            if found.last?.requestID == requestID {
                found[found.count - 1].rows.append(row.key)
            } else {
                found.append((requestID, [row.key]))
            }
        }
        return found
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
    ///
    /// Where they are further names of a subject that was erased before (`isLater`), what was kept
    /// under them until now is to be looked for: the request is noted for that in the same commit.
    func markErased(
        _ subjects: [String], _ mark: ErasureMark, isLater: Bool = false
    ) throws(LedgerError) {
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
            guard change.puts.count > 1 else { continue }
            if isLater { change.puts.append(Self.more(of: mark)) }
            try commit(change)
        }
        try notice()
    }

    private static func more(of mark: ErasureMark) -> KeyRow {
        KeyRow(key: KeystoreLayout.more(of: mark.requestID), value: [1])
    }

    /// When and by which request a subject's fields of a class were erased; nil when they were not.
    func mark(of subject: String, _ dataClass: PrivateClass) throws(LedgerError) -> ErasureMark? {
        try rows.value(KeystoreLayout.subject(subject)).flatMap { row in
            ErasureMark.list(row).first { $0.classes.contains(dataClass) }
        }
    }

    /// Removes keys and what finds a person by them, and leaves tombstones.
    ///
    /// So none of them comes back; a key that has a tombstone keeps it. Where the request had its
    /// receipt perhaps (`isLater`), it is noted to be carried out again.
    func destroy(
        _ keys: [UsedKey], _ mark: ErasureMark, isLater: Bool = false
    ) throws(LedgerError) {
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
            if isLater { change.puts.append(Self.more(of: mark)) }
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
