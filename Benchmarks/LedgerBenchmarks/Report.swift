/// One line of the report.
struct ReportRow {
    /// What is asked of a row.
    enum Target {
        /// How many times faster than the peer ours must be at least.
        case atLeast(Double)
        /// How many times the peer's figure ours may be at most.
        case atMost(Double)
        /// How much more than the peer's figure ours may be, in the row's unit.
        case extraAtMost(Double)
    }

    let name: String
    let ours: Double
    /// Nil where there is nothing to stand beside.
    let peer: Double?
    let unit: String
    let target: Target?

    init(
        _ name: String, ours: Double, peer: Double? = nil, unit: String, target: Target? = nil
    ) {
        self.name = name
        self.ours = ours
        self.peer = peer
        self.unit = unit
        self.target = target
    }

    init(_ row: BenchmarkRow) {
        self.init(
            row.name, ours: row.ours, peer: row.peer, unit: row.unit,
            target: row.target.map { .atLeast($0) })
    }

    /// What is compared with the target.
    ///
    /// All figures are costs: less is better.
    var ratio: Double? {
        guard let peer, ours > 0, peer > 0 else { return nil }
        switch target {
        case .atMost: return ours / peer
        case .extraAtMost: return ours - peer
        case .atLeast, nil: return peer / ours
        }
    }

    /// True when there is no target.
    var isHeld: Bool {
        guard let target, let ratio else { return true }
        switch target {
        case .atLeast(let least): return ratio >= least
        case .atMost(let most), .extraAtMost(let most): return ratio <= most
        }
    }

    private var targetNumber: Double? {
        switch target {
        case .atLeast(let number), .atMost(let number), .extraAtMost(let number): number
        case nil: nil
        }
    }

    private var targetText: String {
        switch target {
        case .atLeast(let number): "≥ \(decimal(number)) ×"
        case .atMost(let number): "≤ \(decimal(number)) ×"
        case .extraAtMost(let number): "≤ +\(decimal(number))"
        case nil: ""
        }
    }

    /// Name, ours, peer, ratio, target, held, as the table shows them.
    var cells: [String] {
        [
            name, "\(decimal(ours)) \(unit)", peer.map { decimal($0) } ?? "",
            ratio.map { decimal($0) } ?? "", targetText,
            target == nil ? "" : isHeld ? "yes" : "NO",
        ]
    }

    /// One line; numbers are decimal strings, what is missing is null.
    var json: String {
        func quoted(_ number: Double?) -> String { number.map { "\"\(decimal($0))\"" } ?? "null" }
        return "{\"name\":\"\(name)\",\"ours\":\"\(decimal(ours))\",\"peer\":\(quoted(peer)),"
            + "\"ratio\":\(quoted(ratio)),\"target\":\(quoted(targetNumber)),"
            + "\"held\":\(isHeld),\"unit\":\"\(unit)\"}"
    }
}

/// Three significant digits, without an exponent.
func decimal(_ number: Double) -> String {
    if !number.isFinite { return "0" }
    let magnitude = number.magnitude
    let places = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int64((magnitude * scale).rounded())
    let sign = number < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % Int64(scale))
    return sign + "\(scaled / Int64(scale))."
        + String(repeating: "0", count: places - fraction.count) + fraction
}

/// Prints rows as they come.
struct Report {
    private static let widths = [68, 16, 9, 8, 9, 4]

    let isJSON: Bool
    private(set) var allHeld = true

    init(isJSON: Bool) { self.isJSON = isJSON }

    func printHeader() {
        guard !isJSON else { return }
        print(Self.line(["what / beside what", "ours", "peer", "ratio", "target", "held"]))
        print(Self.line(Self.widths.map { String(repeating: "-", count: $0) }))
    }

    mutating func add(_ rows: [ReportRow]) {
        for row in rows {
            allHeld = allHeld && row.isHeld
            print(isJSON ? row.json : Self.line(row.cells))
        }
        flushStandardOutput()
    }

    private static func line(_ cells: [String]) -> String {
        var line = ""
        for (index, (cell, width)) in zip(cells, widths).enumerated() {
            let padding = String(repeating: " ", count: max(0, width - cell.count))
            line += index == 0 ? cell + padding : "  " + padding + cell
        }
        return line
    }
}
