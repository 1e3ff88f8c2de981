/// A bounded memory of what was asked for lately: two halves, of which the older is let go whole.
///
/// Only for what stays true once it is known; the storage can always be asked again. Small enough
/// for the processor's own memory: beyond it, asking LMDB is as fast. A list in order of use was
/// refused: it costs more to keep than it saves.
@usableFromInline
struct RecentTable<Key: Hashable, Value> {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let half: Int

    /// Keeps between `half` and twice as many.
    @usableFromInline
    init(half: Int) { self.half = half }

    /// What is remembered under the key; it counts as used.
    @usableFromInline
    @_specialize(where Key == IdentityName, Value == UInt64)
    @_specialize(where Key == IdentityShare, Value == Bool)
    mutating func value(_ key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old[key] else { return nil }
        remember(key, value)
        return value
    }

    /// Keeps a value, over an older one.
    @usableFromInline
    @_specialize(where Key == IdentityName, Value == UInt64)
    @_specialize(where Key == IdentityShare, Value == Bool)
    mutating func remember(_ key: Key, _ value: Value) {
        if young.count >= half {
            swap(&young, &old)
            young.removeAll(keepingCapacity: true)
        }
        young[key] = value
    }
}

/// An identity's key as a name in tables of the memory.
///
/// An array hashes itself a byte at a time, which takes longer than asking LMDB.
@usableFromInline
struct IdentityName: Hashable {
    @usableFromInline let key: [UInt8]

    @usableFromInline
    init(_ key: [UInt8]) { self.key = key }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// A key that several streams share, and one of them.
@usableFromInline
struct IdentityShare: Hashable {
    @usableFromInline let name: IdentityName
    @usableFromInline let stream: UInt64

    @usableFromInline
    init(_ key: [UInt8], _ stream: UInt64) {
        name = IdentityName(key)
        self.stream = stream
    }
}

/// A table that is mostly empty or very small: a list to look through, until it is long.
///
/// One caller's batch has one event as a rule; a dictionary for it would be made and thrown away
/// with each.
@usableFromInline
struct SmallTable<Key: Hashable, Value> {
    private static var listed: Int { 8 }
    private var list: [(key: Key, value: Value)] = []
    private var table: [Key: Value] = [:]

    @usableFromInline
    init() {}

    @usableFromInline
    subscript(key: Key) -> Value? {
        get {
            if table.isEmpty {
                for entry in list where entry.key == key { return entry.value }
                return nil
            }
            return table[key]
        }
        set {
            guard let newValue else { return remove(key) }
            if table.isEmpty {
                for index in list.indices where list[index].key == key {
                    list[index].value = newValue
                    return
                }
                list.append((key, newValue))
                if list.count > Self.listed { spill() }
            } else {
                table[key] = newValue
            }
        }
    }

    /// Forgets everything, and keeps the list's memory.
    @usableFromInline
    mutating func removeAll() {
        list.removeAll(keepingCapacity: true)
        if !table.isEmpty { table = [:] }
    }

    private mutating func spill() {
        for entry in list { table[entry.key] = entry.value }
        list.removeAll(keepingCapacity: true)
    }

    private mutating func remove(_ key: Key) {
        list.removeAll { $0.key == key }
        table[key] = nil
    }
}
