/// The identities that a log's records name, each of which must have a row.
///
/// Sixteen bytes for each, however many records name it. A row that no record names is no fault: a
/// repeated event may bring a key, and is not recorded again.
struct NamedIdentities: Sendable {
    private struct Naming: Comparable, Sendable {
        /// The hash of the key, and of the stream where several share the key.
        let code: UInt64
        /// Of the first record that names it.
        let position: UInt64

        static func < (left: Self, right: Self) -> Bool {
            (left.code, left.position) < (right.code, right.position)
        }
    }

    private var namings: [Naming] = []
    private var isFound: [Bool] = []
    /// Namings at which those of one key are made one again.
    private var limit = Limits.namingsAtFirst

    /// Takes what the record at a position names.
    mutating func add(_ identities: [StreamIdentity], at position: UInt64, in stream: UInt64) {
        for identity in identities {
            let code = Self.code(identity.key, identity.role == .finds ? stream : nil)
            namings.append(Naming(code: code, position: position))
        }
        guard namings.count > limit else { return }
        settle()
        limit = max(limit, 2 * namings.count)
    }

    /// Keeps the first naming of each; to be called before rows are taken.
    mutating func settle() {
        namings.sort()
        var count = 0
        for naming in namings where count == 0 || namings[count - 1].code != naming.code {
            namings[count] = naming
            count += 1
        }
        namings.removeSubrange(count...)
        isFound = [Bool](repeating: false, count: count)
    }

    /// Takes the row of a key; of one that several streams share, the row of this stream.
    mutating func takeRow(_ key: [UInt8], sharedBy stream: UInt64?) {
        let code = Self.code(key, stream)
        var low = 0
        var high = namings.count
        while low < high {
            let middle = (low + high) / 2
            if namings[middle].code < code { low = middle + 1 } else { high = middle }
        }
        if low < namings.count, namings[low].code == code { isFound[low] = true }
    }

    /// Positions of the first records whose keys have no row, ascending.
    var missing: [UInt64] {
        zip(namings, isFound).filter { !$1 }.map(\.0.position).sorted()
    }

    private static func code(_ key: [UInt8], _ sharing: UInt64?) -> UInt64 {
        let code = IdentityName(key).code
        guard let sharing else { return code }
        return (code ^ sharing &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
    }
}
