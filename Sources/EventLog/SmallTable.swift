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
