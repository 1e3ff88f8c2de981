/// One line of the benchmark table: a time of ours beside a peer's, taken in the same run.
struct BenchmarkRow: Sendable {
    /// What was measured.
    var name: String
    /// Ours, in `unit`.
    var ours: Double
    /// The peer's, in `unit`.
    var peer: Double
    /// How many times faster ours is.
    var ratio: Double
    /// The ratio asked for; nil where the row is only reported.
    var target: Double?
    var unit: String

    /// True when the ratio reaches the target, or there is none.
    var held: Bool { target.map { ratio >= $0 } ?? true }

    /// For times, where less is better.
    init(name: String, ours: Double, peer: Double, target: Double?, unit: String) {
        self.name = name
        self.ours = ours
        self.peer = peer
        self.target = target
        self.unit = unit
        ratio = ours > 0 ? peer / ours : 0
    }
}
