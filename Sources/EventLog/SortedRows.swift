/// Rows in the order of their keys, as chunks of a few hundred, so that a copy shares all chunks
/// and a change copies one.
struct SortedRows<Key: Comparable & Sendable>: Sendable {
    private struct Chunk: Sendable {
        var keys: [Key]
        var values: [[UInt8]]
    }

    private static var chunkRows: Int { 256 }
    // No chunk is empty.
    private var chunks: [Chunk] = []

    var lastKey: Key? { chunks.last?.keys.last }

    subscript(key: Key) -> [UInt8]? {
        guard let place = place(of: key), isFound(key, place) else { return nil }
        return chunks[place.chunk].values[place.row]
    }

    mutating func put(_ key: Key, _ value: [UInt8]) {
        guard let last = lastKey, key <= last else { return append(key, value) }
        guard let place = place(of: key) else { return append(key, value) }
        if isFound(key, place) {
            chunks[place.chunk].values[place.row] = value
        } else {
            chunks[place.chunk].keys.insert(key, at: place.row)
            chunks[place.chunk].values.insert(value, at: place.row)
            if chunks[place.chunk].keys.count > Self.chunkRows { split(place.chunk) }
        }
    }

    /// The caller knows that the key is greater than all.
    private mutating func append(_ key: Key, _ value: [UInt8]) {
        if let last = chunks.indices.last, chunks[last].keys.count < Self.chunkRows {
            chunks[last].keys.append(key)
            chunks[last].values.append(value)
        } else {
            chunks.append(Chunk(keys: [key], values: [value]))
        }
    }

    mutating func remove(_ key: Key) -> Bool {
        guard let place = place(of: key), isFound(key, place) else { return false }
        chunks[place.chunk].keys.remove(at: place.row)
        chunks[place.chunk].values.remove(at: place.row)
        if chunks[place.chunk].keys.isEmpty { chunks.remove(at: place.chunk) }
        return true
    }

    func scan(
        from key: Key, _ body: (Key, [UInt8]) throws(LogError) -> ScanStep
    ) throws(LogError) {
        guard var place = place(of: key) else { return }
        while place.chunk < chunks.count {
            let chunk = chunks[place.chunk]
            while place.row < chunk.keys.count {
                if try body(chunk.keys[place.row], chunk.values[place.row]) == .stop { return }
                place.row += 1
            }
            place = (place.chunk + 1, 0)
        }
    }

    /// Where the first row with this key or a greater one is; nil when there is none.
    private func place(of key: Key) -> (chunk: Int, row: Int)? {
        let chunk = firstIndex(in: chunks.count) {
            chunks[$0].keys[chunks[$0].keys.count - 1] >= key
        }
        guard chunk < chunks.count else { return nil }
        let keys = chunks[chunk].keys
        return (chunk, firstIndex(in: keys.count) { keys[$0] >= key })
    }

    private func isFound(_ key: Key, _ place: (chunk: Int, row: Int)) -> Bool {
        chunks[place.chunk].keys[place.row] == key
    }

    private mutating func split(_ index: Int) {
        let half = chunks[index].keys.count / 2
        let upper = Chunk(
            keys: Array(chunks[index].keys[half...]), values: Array(chunks[index].values[half...]))
        chunks[index].keys.removeSubrange(half...)
        chunks[index].values.removeSubrange(half...)
        chunks.insert(upper, at: index + 1)
    }

    private func firstIndex(in count: Int, where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A key of a byte-keyed table, ordered byte by byte.
struct ByteKey: Comparable, Sendable {
    let bytes: [UInt8]

    static func < (left: Self, right: Self) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
