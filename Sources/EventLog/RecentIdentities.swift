/// A bounded memory of where identities lead that were asked for lately.
///
/// Only for what stays true once it is known; the storage can always be asked again. Places in
/// fours, found by the name's hash; a new one takes the place that was found longest ago. A
/// dictionary was refused: it hashes each name again and touches more memory than there is in
/// reach. Small enough for the processor's own: beyond it, asking LMDB is as fast.
@usableFromInline
struct RecentIdentities {
    private struct Place {
        var name: IdentityName
        var stream: UInt64
        var code: UInt64
    }

    private static var ways: Int { 4 }
    private var places: [Place?]
    private let mask: Int

    /// Room for as many, a power of two.
    @usableFromInline
    init(count: Int) {
        precondition(count.nonzeroBitCount == 1 && count >= Self.ways)
        places = [Place?](repeating: nil, count: count)
        mask = count / Self.ways - 1
    }

    /// The stream that a routing key leads to; it counts as used.
    @usableFromInline
    mutating func stream(_ name: IdentityName) -> UInt64? {
        find(name.code) { $0.name == name }
    }

    /// Whether the stream is known to be among those that share a key; it counts as used.
    @usableFromInline
    mutating func contains(_ share: IdentityShare) -> Bool {
        find(share.code) { $0.stream == share.stream && $0.name == share.name } != nil
    }

    /// Keeps where a routing key leads; it is not among those that are kept.
    @usableFromInline
    mutating func remember(_ name: IdentityName, _ stream: UInt64) {
        keep(Place(name: name, stream: stream, code: name.code))
    }

    /// Keeps that a stream shares a key; it is not among those that are kept.
    @usableFromInline
    mutating func remember(_ share: IdentityShare) {
        keep(Place(name: share.name, stream: share.stream, code: share.code))
    }

    private mutating func find(_ code: UInt64, _ isSame: (Place) -> Bool) -> UInt64? {
        let first = (Int(truncatingIfNeeded: code) & mask) * Self.ways
        for index in first..<first + Self.ways {
            guard let place = places[index], place.code == code, isSame(place) else { continue }
            if index > first { places.swapAt(index, index - 1) }
            return place.stream
        }
        return nil
    }

    private mutating func keep(_ place: Place) {
        let first = (Int(truncatingIfNeeded: place.code) & mask) * Self.ways
        for index in (first + 1..<first + Self.ways).reversed() {
            places.swapAt(index, index - 1)
        }
        places[first] = place
    }
}
