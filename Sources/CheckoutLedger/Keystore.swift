import Cryptography
import Synchronization

/// The data keys of one ledger, kept apart from it and only ever wrapped.
///
/// root key (outside) → 256 bucket keys → one data key for each session. A key that was deleted
/// from a file is still in the file; so nothing in here opens anything by itself, and erasure is
/// final once the root key that wrapped it is gone.
///
/// Rows, all values AES-256-GCM: nonce (12) ‖ ciphertext ‖ tag (16):
///
/// | key | value |
/// |---|---|
/// | `b` ‖ bucket (1) | bucket key under the root key |
/// | `k` ‖ key id (16) | data key under the bucket key of the id's first byte |
///
/// Keys are minted ahead, many in one commit, and handed out only after that commit; one that is
/// never used is harmless. Every process mints its own.
final class Keystore: Sendable {
    let rows: any KeyRows
    private let root: Result<RootKey, LedgerError>
    private let state = Mutex(State())
    /// The keys in use, in parts with a lock each: every event asks for one, on any core.
    private let inUse: [KeysInUse] = (0..<Limits.keyCacheParts).map { _ in KeysInUse() }

    private final class KeysInUse: Sendable {
        let bySubject = Mutex<[String: DataKey]>([:])
    }

    private struct State {
        var buckets: [UInt8: AES256GCM] = [:]
        var pool: [DataKey] = []
        /// How many keys the next commit mints: few for a process that seals one event, and
        /// twice as many each time they were used up.
        var batch = 4
        var byID: [[UInt8]: DataKey] = [:]
    }

    /// Without a root key nothing can be sealed or opened, and everything else works.
    convenience init(rows: any KeyRows, root: RootKey?) {
        self.init(rows: rows, root: root.map { .success($0) } ?? .failure(Self.missingRoot))
    }

    /// The same with the reason why there is none, for whoever first needs it.
    init(rows: any KeyRows, root: Result<RootKey, LedgerError>) {
        self.rows = rows
        self.root = root
    }

    /// Lets go of the files.
    func close() { rows.close() }

    /// True when private fields can be sealed and opened.
    var isUsable: Bool { if case .success = root { true } else { false } }

    /// The key of a subject, and whether this is its first use here.
    ///
    /// A session may come to have several keys (one for each process that wrote about it), but a
    /// key never has two sessions.
    func key(for subject: String) throws(LedgerError) -> (key: DataKey, isFirstUse: Bool) {
        let part = inUse[Self.part(of: subject)]
        if let key = part.bySubject.withLock({ $0[subject] }) { return (key, false) }
        let key = try locked { (state) throws(LedgerError) in
            if state.pool.isEmpty { try self.mint(into: &state) }
            guard let key = state.pool.popLast() else { throw Self.missingRoot }
            self.remember(key, in: &state)
            return key
        }
        return part.bySubject.withLock { keys in
            // Another caller may have been first; then its key is the subject's.
            if let first = keys[subject] { return (first, false) }
            if keys.count >= Limits.cachedKeys / Limits.keyCacheParts { keys.removeAll() }
            keys[subject] = key
            return (key, true)
        }
    }

    /// By the subject's last bytes, which are the most random ones of an id.
    private static func part(of subject: String) -> Int {
        let code = subject.utf8.suffix(4).reduce(0) { $0 &* 31 &+ Int($1) }
        return code % Limits.keyCacheParts
    }

    /// The key of that id; nil when it is not here any more.
    ///
    /// Throws `ROOT_KEY_MISSING`.
    func key(id: [UInt8]) throws(LedgerError) -> DataKey? {
        try locked { (state) throws(LedgerError) in
            if let key = state.byID[id] { return key }
            guard let wrapped = try self.rows.value(Self.keyRow(id)) else { return nil }
            guard let number = id.first else { return nil }
            let bucketKey = try self.bucket(number, in: &state)
            guard let bytes = Self.unwrap(wrapped, with: bucketKey, name: Self.keyRow(id)) else {
                throw LedgerError(
                    .malformedKey, "A wrapped key does not open.",
                    hint: "Check that --root-key names this ledger's root key.")
            }
            let key = try DataKey(id: id, bytes: bytes)
            self.remember(key, in: &state)
            return key
        }
    }

    private func remember(_ key: DataKey, in state: inout State) {
        if state.byID.count >= Limits.cachedKeys { state.byID.removeAll() }
        state.byID[key.id] = key
    }

    private func mint(into state: inout State) throws(LedgerError) {
        _ = try root.get()
        var minted: [DataKey] = []
        var written: [(key: [UInt8], value: [UInt8])] = []
        for _ in 0..<state.batch {
            let id = SecureRandom.bytes(16)
            let bucketKey = try bucket(id[0], in: &state)
            let bytes = SecureRandom.bytes(32)
            written.append(
                (Self.keyRow(id), Self.wrap(bytes, with: bucketKey, name: Self.keyRow(id))))
            minted.append(try DataKey(id: id, bytes: bytes))
        }
        try rows.commit(written)
        state.pool = minted
        state.batch = min(state.batch * 2, Limits.keyPoolCount)
    }

    /// Opens a bucket's key; the first use in a ledger makes all of them, in one commit.
    private func bucket(
        _ number: UInt8, in state: inout State
    ) throws(LedgerError) -> AES256GCM {
        if let cipher = state.buckets[number] { return cipher }
        guard let rootCipher = AES256GCM(key: try root.get().bytes) else {
            throw Self.missingRoot
        }
        let name = Self.bucketRow(number)
        if try rows.value(name) == nil { try makeBuckets(rootCipher) }
        guard let wrapped = try rows.value(name),
            let bytes = Self.unwrap(wrapped, with: rootCipher, name: name),
            let cipher = AES256GCM(key: bytes)
        else {
            throw LedgerError(
                .malformedKey, "The root key does not open this ledger's keys.",
                hint: "Name the right one with --root-key.")
        }
        state.buckets[number] = cipher
        return cipher
    }

    private func makeBuckets(_ rootCipher: AES256GCM) throws(LedgerError) {
        let made = (0...UInt8.max).map { number in
            let name = Self.bucketRow(number)
            return (
                key: name,
                value: Self.wrap(SecureRandom.bytes(32), with: rootCipher, name: name)
            )
        }
        // Another process may have been first: rows that are there stay as they are.
        try rows.commitIfAbsent(made)
    }

    private func locked<R: Sendable>(
        _ body: (inout State) throws(LedgerError) -> R
    ) throws(LedgerError) -> R {
        let result: Result<R, LedgerError> = state.withLock { state in
            do throws(LedgerError) {
                return .success(try body(&state))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func keyRow(_ id: [UInt8]) -> [UInt8] { [UInt8(ascii: "k")] + id }
    private static func bucketRow(_ number: UInt8) -> [UInt8] { [UInt8(ascii: "b"), number] }

    private static func wrap(_ key: [UInt8], with cipher: AES256GCM, name: [UInt8]) -> [UInt8] {
        let nonce = SecureRandom.bytes(12)
        return nonce + cipher.seal(key, nonce: nonce, authenticating: label + name)
    }

    private static func unwrap(
        _ wrapped: [UInt8], with cipher: AES256GCM, name: [UInt8]
    ) -> [UInt8]? {
        guard wrapped.count > 12 else { return nil }
        return try? cipher.open(
            Array(wrapped[12...]), nonce: Array(wrapped[..<12]), authenticating: label + name)
    }

    private static let label = Array("ledger/key-wrap/v1\u{0}".utf8)

    private static let missingRoot = LedgerError(
        .rootKeyMissing, "The root key of this ledger is not here.",
        hint: "Name its file with --root-key; private fields cannot be kept without it.")
}

/// Where wrapped keys are kept: ordered rows, one durable commit at a time.
protocol KeyRows: Sendable {
    /// True before the first key was made.
    func isEmpty() throws(LedgerError) -> Bool
    func value(_ key: [UInt8]) throws(LedgerError) -> [UInt8]?
    func commit(_ rows: [(key: [UInt8], value: [UInt8])]) throws(LedgerError)
    func commitIfAbsent(_ rows: [(key: [UInt8], value: [UInt8])]) throws(LedgerError)
    func close()
}

/// Rows in memory, for ledgers that are thrown away.
final class InMemoryKeyRows: KeyRows {
    private let held = Mutex<[[UInt8]: [UInt8]]>([:])

    func close() {}

    func isEmpty() -> Bool { held.withLock { $0.isEmpty } }

    func value(_ key: [UInt8]) -> [UInt8]? { held.withLock { $0[key] } }

    func commit(_ rows: [(key: [UInt8], value: [UInt8])]) {
        held.withLock { held in for row in rows { held[row.key] = row.value } }
    }

    func commitIfAbsent(_ rows: [(key: [UInt8], value: [UInt8])]) {
        held.withLock { held in
            for row in rows where held[row.key] == nil { held[row.key] = row.value }
        }
    }
}
