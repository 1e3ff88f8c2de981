import CheckoutModel
import Cryptography
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The data keys of one ledger, kept apart from it and only ever wrapped.
///
/// root key (outside) → 256 bucket keys → one data key for each session and class of private
/// fields. A key that was deleted from a file is still in the file; so nothing in here opens
/// anything by itself, and erasure is final once the root key that wrapped it is gone. The rows
/// stand in `KeystoreLayout`.
///
/// Keys are minted ahead, many in one commit, and handed out only after that commit; one that is
/// never used is harmless. Every process mints its own. What another process erased or rewrote is
/// noticed at the next use of any key.
final class Keystore: Sendable {
    let rows: any KeyRows
    let ring: RootKeyring
    /// Called at each durable step of an erasure, for tests that crash there.
    let reached: @Sendable (ErasureStep) -> Void
    private let state = Mutex(State())
    /// What the caches were filled from.
    private let seen = Mutex<Seen?>(nil)
    /// The tick of the system's coarse clock at which events last looked for erasures.
    private let lookedAt = Atomic<Int>(-1)
    /// The keys in use, in parts with a lock each: every event asks for one, on any core.
    private let inUse: [KeysInUse] = (0..<Limits.keyCacheParts).map { _ in KeysInUse() }

    private final class KeysInUse: Sendable {
        let bySubject = Mutex<[String: SubjectKeys]>([:])
    }

    private struct Seen: Sendable {
        var stamp: KeyRowsStamp
        /// Nil while nothing was ever erased.
        var erasures: [UInt8]?
    }

    struct State {
        var buckets = Buckets()
        var pool: [DataKey] = []
        /// How many keys the next commit mints: few for a process that seals one event, and
        /// twice as many each time they were used up.
        var batch = 4
        /// True while a caller mints keys ahead, without the lock.
        var isMinting = false
        /// Keys that were looked for; those that seal are in use.
        var byID: [[UInt8]: DataKey] = [:]
    }

    /// Keys of buckets, opened, and the generation of rows that they stood in.
    struct Buckets {
        var generation: UInt64 = 0
        var keys: [UInt8: AES256GCM] = [:]
    }

    init(
        rows: any KeyRows, ring: RootKeyring,
        reached: @escaping @Sendable (ErasureStep) -> Void = { _ in }
    ) {
        self.rows = rows
        self.ring = ring
        self.reached = reached
    }

    /// Lets go of the files.
    func close() { rows.close() }

    /// True when private fields can be sealed and opened.
    var isUsable: Bool { ((try? ring.keys()) ?? []).isEmpty == false }

    // MARK: Sealing

    /// What seals a subject's fields of a class, and whether this is its first use here.
    ///
    /// A session may come to have several keys of a class (one for each process that wrote about
    /// it), but a key never has two subjects. Throws `ROOT_KEY_MISSING`.
    func use(
        _ dataClass: PrivateClass, of subject: String
    ) throws(LedgerError) -> (use: KeyUse, isFirst: Bool) {
        try glance()
        let part = inUse[Self.part(of: subject)]
        if let use = part.bySubject.withLock({ $0[subject]?[dataClass] }) { return (use, false) }
        let key = try takeKey()
        let (use, isFirst) = part.bySubject.withLock { subjects in
            // Another caller may have been first; then its key is the subject's.
            if let first = subjects[subject]?[dataClass] { return (first, false) }
            if subjects.count >= Limits.cachedKeys / Limits.keyCacheParts { subjects.removeAll() }
            subjects[subject, default: SubjectKeys()][dataClass] = .key(key)
            return (KeyUse.key(key), true)
        }
        // Looked up only now: an erasure after this finds the key among those in use.
        guard try notice() != nil, let mark = try mark(of: subject, dataClass) else {
            return (use, isFirst)
        }
        part.bySubject.withLock {
            $0[subject, default: SubjectKeys()][dataClass] = .erased(mark)
        }
        return (.erased(mark), false)
    }

    /// By the subject's last bytes, which are the most random ones of an id.
    private static func part(of subject: String) -> Int {
        let code = subject.utf8.suffix(4).reduce(0) { $0 &* 31 &+ Int($1) }
        return code % Limits.keyCacheParts
    }

    private func takeKey() throws(LedgerError) -> DataKey {
        let (key, isLow) = try locked { (state) throws(LedgerError) in
            if state.pool.isEmpty {
                state.pool = try self.mint(state.batch, &state.buckets)
                state.batch = min(state.batch * 2, Limits.keyPoolCount)
            }
            guard let key = state.pool.popLast() else { throw RootKeyring.missing }
            let isLow =
                state.pool.count == Limits.keyPoolCount / 4 && !state.isMinting
                && state.batch == Limits.keyPoolCount
            if isLow { state.isMinting = true }
            return (key, isLow)
        }
        if isLow { mintAhead() }
        return key
    }

    /// Mints while other callers take the keys that are left, so that none waits for the disk.
    private func mintAhead() {
        var buckets = state.withLock { $0.buckets }
        // What went wrong is met again, and reported, when no key is left.
        let minted = (try? mint(Limits.keyPoolCount, &buckets)) ?? []
        state.withLock { state in
            state.pool = minted + state.pool
            state.isMinting = false
        }
    }

    /// New keys, which stand in the rows.
    private func mint(
        _ count: Int, _ buckets: inout Buckets
    ) throws(LedgerError) -> [DataKey] {
        _ = try ring.keys()
        while true {
            enterGeneration(&buckets)
            var minted: [DataKey] = []
            var change = KeyRowChange()
            // One beginning for all of them: their rows then stand together, on a few pages of
            // the file and not on one each, which a commit would have to write whole.
            let start = SecureRandom.bytes(Limits.sharedKeyIDBytes)
            let bucketKey = try bucket(start[0], in: &buckets)
            for _ in 0..<count {
                let id = start + SecureRandom.bytes(16 - start.count)
                let secret = SecretBytes(randomCount: 32)
                let name = KeystoreLayout.key(id)
                change.puts.append(
                    KeyRow(key: name, value: KeyWrap.wrap(secret, with: bucketKey, name: name)))
                minted.append(try DataKey(id: id, secret: secret))
            }
            if try rows.commit(change, in: buckets.generation) { return minted }
        }
    }

    // MARK: Opening

    /// The key of that id, or why there is none.
    ///
    /// Throws `ROOT_KEY_MISSING` and `MALFORMED_KEY`, neither of them for a key that is gone.
    func key(id: [UInt8]) throws(LedgerError) -> KeyAnswer {
        try notice()
        return try locked { (state) throws(LedgerError) in
            if let key = state.byID[id] { return .key(key) }
            let name = KeystoreLayout.key(id)
            guard let number = id.first else { return .missing }
            for attempt in 0..<Limits.keyAttempts {
                self.enterGeneration(&state.buckets)
                guard let wrapped = try self.rows.value(name) else { return try self.lost(id) }
                let bucketKey = try self.bucket(number, in: &state.buckets)
                if let secret = KeyWrap.unwrap(wrapped, with: bucketKey, name: name) {
                    let key = try DataKey(id: id, secret: secret)
                    Self.remember(key, in: &state)
                    return .key(key)
                }
                // The rows may have been rewritten between the two reads.
                if attempt + 1 < Limits.keyAttempts {
                    state.buckets.keys = [:]
                    try self.rows.follow()
                }
            }
            // The root key is the right one, or its bucket would not have opened.
            return .damaged
        }
    }

    private func lost(_ id: [UInt8]) throws(LedgerError) -> KeyAnswer {
        guard let row = try rows.value(KeystoreLayout.tombstone(id)), let mark = ErasureMark(row)
        else { return .missing }
        return .erased(mark)
    }

    private static func remember(_ key: DataKey, in state: inout State) {
        if state.byID.count >= Limits.cachedKeys { state.byID.removeAll() }
        state.byID[key.id] = key
    }

    // MARK: Buckets

    private func enterGeneration(_ buckets: inout Buckets) {
        let generation = rows.generation
        if generation != buckets.generation { buckets = Buckets(generation: generation) }
    }

    /// Opens a bucket's key; the first use in a ledger makes all of them, in one commit.
    private func bucket(
        _ number: UInt8, in buckets: inout Buckets
    ) throws(LedgerError) -> AES256GCM {
        while true {
            if let cipher = buckets.keys[number] { return cipher }
            let name = KeystoreLayout.bucket(number)
            if try rows.value(name) == nil { try makeBuckets(buckets.generation) }
            if let wrapped = try rows.value(name),
                let secret = try ring.unwrap(wrapped, name: name),
                let cipher = AES256GCM(key: secret)
            {
                buckets.keys[number] = cipher
                return cipher
            }
            // A rotation may have taken both away since these rows were opened.
            try rows.follow()
            guard rows.generation != buckets.generation else { throw RootKeyring.wrong }
            enterGeneration(&buckets)
        }
    }

    /// Makes the buckets' keys where there are none, in the first generation only: a rewriting
    /// makes them before it goes on to the next.
    ///
    /// There the first key of the source is the right one, also while a rotation has put another
    /// one behind it; and a process that began before knows an older one.
    func makeBuckets(_ generation: UInt64) throws(LedgerError) {
        guard let root = try ring.reload().first else { throw RootKeyring.missing }
        var change = KeyRowChange()
        for number in 0...UInt8.max {
            let name = KeystoreLayout.bucket(number)
            change.insertions.append(
                KeyRow(key: name, value: root.wrap(SecretBytes(randomCount: 32), name: name)))
        }
        // Another process may have been first: rows that are there stay as they are.
        _ = try rows.commit(change, in: generation)
    }

    // MARK: Other processes

    /// `notice()`, once in each tick of some milliseconds: asking costs a tenth of sealing.
    ///
    /// An event that is sealed in the same tick as its subject is erased is under a key that is
    /// gone, or that `notice()` destroys once the event is written.
    private func glance() throws(LedgerError) {
        var time = timespec()
        #if canImport(Glibc)
            clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        #else
            clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
        #endif
        let tick = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
        guard lookedAt.load(ordering: .relaxed) != tick else { return }
        try notice()
        lookedAt.store(tick, ordering: .relaxed)
    }

    /// Takes in what any process has erased or rewritten since the last call; the sign of the
    /// last erasure, nil while there was none.
    @discardableResult
    func notice() throws(LedgerError) -> [UInt8]? {
        let stamp = try rows.stamp()
        if let seen = seen.withLock({ $0 }), seen.stamp == stamp { return seen.erasures }
        return try refresh()
    }

    private func refresh() throws(LedgerError) -> [UInt8]? {
        try rows.follow()
        // Before what it speaks of is read: a change in between is then noticed once more.
        let stamp = try rows.stamp()
        let erasures = try rows.value(KeystoreLayout.erasures)
        let before = seen.withLock { $0 }
        if before?.stamp.generation != stamp.generation {
            state.withLock { $0.buckets = Buckets() }
        }
        if let before, before.erasures != erasures { try forget() }
        seen.withLock { $0 = Seen(stamp: stamp, erasures: erasures) }
        return erasures
    }

    /// Drops all keys from memory, and destroys those in use whose subject was erased: an event
    /// under one of them may have been written after the erasure looked for them.
    private func forget() throws(LedgerError) {
        state.withLock { $0.byID.removeAll() }
        var used: [(subject: String, keys: SubjectKeys)] = []
        for part in inUse {
            used += part.bySubject.withLock { subjects in
                defer { subjects.removeAll() }
                return subjects.map { ($0.key, $0.value) }
            }
        }
        var lost: [(key: UsedKey, mark: ErasureMark)] = []
        for (subject, keys) in used {
            for dataClass in PrivateClass.allCases {
                guard case .key(let key)? = keys[dataClass],
                    let mark = try mark(of: subject, dataClass)
                else { continue }
                lost.append((UsedKey(id: key.id, dataClass: dataClass), mark))
            }
        }
        for (key, mark) in lost { try destroy([key], mark, isLater: true) }
    }

    /// Runs `body` on the state, alone.
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
}
