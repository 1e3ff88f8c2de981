/// One line that says how far a long job is, drawn over itself on a terminal's standard error.
///
/// Elsewhere nothing is drawn; the final count is printed everywhere, unless quiet. Not for a
/// command that prints rows meanwhile: on one terminal the two would meet on a line.
package struct Progress {
    private let label: String
    private let total: Int?
    private let output: Output
    private let isQuiet: Bool
    private let clock: () -> Int64
    private var drawnAt: Int64?
    private var count = 0

    private static let barWidth = 20

    /// `total` nil: the end is not known, only the count is shown.
    package init(_ label: String, of total: Int?, on output: Output, isQuiet: Bool = false) {
        self.init(
            label, of: total, on: output, isQuiet: isQuiet,
            clock: SystemCalls.monotonicMilliseconds)
    }

    init(
        _ label: String, of total: Int?, on output: Output, isQuiet: Bool,
        clock: @escaping () -> Int64
    ) {
        self.label = label
        self.total = total
        self.output = output
        self.isQuiet = isQuiet
        self.clock = clock
    }

    /// Tells how much is done; draws at most every `Limits.progressInterval`.
    ///
    /// Cheap enough for every few hundred items, not meant for every single one.
    package mutating func update(_ count: Int) {
        self.count = count
        guard output.terminal.isTerminal, !isQuiet else { return }
        let now = clock()
        if let drawnAt, now - drawnAt < Limits.progressInterval { return }
        drawnAt = now
        draw()
    }

    /// Prints a line above the progress line.
    package mutating func note(_ text: String) {
        erase()
        output.say(text)
        if drawnAt != nil { draw() }
    }

    /// Replaces the progress line by a last sentence with the final count.
    package mutating func finish(_ sentence: String) {
        erase()
        drawnAt = nil
        if !isQuiet { output.say(sentence) }
    }

    private func draw() {
        let counts = total.map { "\(Wording.grouped(count))/\(Wording.grouped($0))" }
        let text = [label, bar(), counts ?? Wording.grouped(count)].filter { !$0.isEmpty }
            .joined(separator: "  ")
        let fitting = DisplayWidth.truncated(text, to: output.terminal.width - 1)
        try? output.write("\r\u{1B}[K" + fitting)
    }

    private func bar() -> String {
        guard let total, total > 0 else { return "" }
        let done = min(max(count, 0), total)
        let filled = Int(
            UInt(total).dividingFullWidth(UInt(done).multipliedFullWidth(by: UInt(Self.barWidth)))
                .quotient)
        return String(repeating: "█", count: filled)
            + String(repeating: "·", count: Self.barWidth - filled)
    }

    private func erase() {
        if drawnAt != nil { try? output.write("\r\u{1B}[K") }
    }
}
