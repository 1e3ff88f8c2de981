import CheckoutModel

/// How long after a fact its webhook was written down, and whether facts came in their order.
///
/// Counts all, keeps the latest for a picture; a pure fold, so that any split of the log gives the
/// same.
struct DelayTally: Sendable, Hashable {
    /// A webhook's fact that says when it happened.
    struct Point: Sendable, Hashable {
        var position: UInt64
        /// When it happened, µs since 1970.
        var occurredAt: Int64
        /// From then to its record, µs; negative where the provider's clock is ahead.
        var delay: Int64
        var isLate: Bool
    }

    /// How many facts took how long.
    struct Count: Sendable, Hashable {
        var inOrder = 0
        var late = 0
    }

    /// Upper bounds of the classes, µs; the last class has none.
    static let bounds: [Int64] = [
        0, 1_000_000, 10_000_000, 60_000_000, 600_000_000, 3_600_000_000, 86_400_000_000,
    ]

    static let names = [
        "before it happened", "under 1 s", "1 to 10 s", "10 to 60 s", "1 to 10 min",
        "10 to 60 min", "1 to 24 h", "over a day",
    ]

    private(set) var counts = Array(repeating: Count(), count: bounds.count + 1)
    private var ring: [Point] = []
    private var next = 0

    init() {}

    mutating func add(_ point: Point) {
        let index = Self.bounds.firstIndex { point.delay < $0 } ?? Self.bounds.count
        if point.isLate { counts[index].late += 1 } else { counts[index].inOrder += 1 }
        if ring.count < Limits.delayPoints {
            ring.append(point)
        } else {
            ring[next] = point
        }
        next = (next + 1) % Limits.delayPoints
    }

    /// The latest facts in order of recording.
    var points: [Point] {
        ring.count < Limits.delayPoints ? ring : Array(ring[next...] + ring[..<next])
    }

    var total: Int { counts.reduce(0) { $0 + $1.inOrder + $1.late } }
    var late: Int { counts.reduce(0) { $0 + $1.late } }
}
