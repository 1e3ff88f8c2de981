import CommandKit
import Markup

/// The share of cases that were over after a time, one line for each kind of evidence.
struct CumulativeCurve {
    struct Line {
        let name: String
        let tone: String
        /// Durations, µs, ascending; never empty.
        let durations: [Int64]

        /// The duration within which that share of all came; the exact value of a case.
        func quantile(_ percent: Int) -> Int64 {
            durations[max(0, (durations.count * percent + 99) / 100 - 1)]
        }

        /// How many took at most so long.
        func count(within duration: Int64) -> Int {
            var low = 0
            var high = durations.count
            while low < high {
                let middle = (low + high) / 2
                if durations[middle] <= duration { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    let lines: [Line]

    static let percents = [50, 90, 99]

    private static let (width, left, right) = (700.0, 44.0, 532.0)
    private static let (top, bottom, height) = (16.0, 232.0, 268.0)
    private static let samples = 140

    func plot(title: String, note: Markup) -> Plot {
        let least = lines.map { $0.durations[0] }.min() ?? 0
        let greatest = lines.map { $0.durations[$0.durations.count - 1] }.max() ?? 1
        let scale = LogScale(
            bounds: LogScale.bounds(around: max(least, 100_000), greatest),
            pixels: (Self.left, Self.right))
        var drawing = axes(scale)
        var labels: [(y: Double, line: Line)] = []
        for line in lines {
            drawing += curve(line, scale)
            labels.append((y(1.0 * share(line, scale.bounds.upperBound)), line))
        }
        // Direct labels stand below each other where lines end together.
        var lowest = Self.top - 12
        for (at, line) in labels.sorted(by: { $0.y < $1.y }) {
            let place = max(at + 4, lowest + 14)
            lowest = place
            drawing += """
                <rect x="\(px: Self.right + 8)" y="\(px: place - 9)" width="9" height="9" \
                class="f-\(line.tone)"/>
                """
            drawing += Plot.text(
                "\(line.name) (\(Wording.grouped(line.durations.count)))", Self.right + 22, place,
                style: "name")
        }
        return Plot(
            title: title, note: note, width: Self.width, height: Self.height, drawing: drawing,
            alternative: title + " The marks at 50, 90 and 99 percent stand in the table.")
    }

    private func y(_ share: Double) -> Double {
        Self.bottom - (Self.bottom - Self.top) * share
    }

    private func share(_ line: Line, _ duration: Int64) -> Double {
        Double(line.count(within: duration)) / Double(line.durations.count)
    }

    private func axes(_ scale: LogScale) -> Markup {
        var drawing = Markup.empty
        for percent in [0, 25, 50, 75, 100] {
            let at = y(Double(percent) / 100)
            drawing += Plot.line(
                Self.left, at, Self.right, at, style: percent == 0 ? "axis" : "grid")
            drawing += Plot.text("\(percent) %", Self.left - 6, at + 4, anchor: .end)
        }
        for (duration, name) in scale.ticks {
            let at = scale.place(duration)
            drawing += Plot.line(at, Self.top, at, Self.bottom + 4, style: "grid")
            drawing += Plot.text(name, at, Self.bottom + 17, anchor: .middle)
        }
        drawing += Plot.text(
            "time from opening the page (logarithmic)", Self.right, Self.height - 4, anchor: .end)
        return drawing
    }

    private func curve(_ line: Line, _ scale: LogScale) -> Markup {
        var path: Markup = "M\(px: Self.left) \(px: y(share(line, scale.bounds.lowerBound)))"
        for index in 1...Self.samples {
            let duration = scale.duration(at: Double(index) / Double(Self.samples))
            let x =
                scale.pixels.first
                + (scale.pixels.last - scale.pixels.first) * Double(index) / Double(Self.samples)
            path += "L\(px: x) \(px: y(share(line, duration)))"
        }
        var drawing: Markup = "<path d=\"\(path)\" class=\"line l-\(line.tone)\"/>\n"
        for percent in Self.percents {
            let duration = line.quantile(percent)
            drawing += """
                <circle cx="\(px: scale.place(duration))" cy="\(px: y(Double(percent) / 100))" \
                r="4" class="open l-\(line.tone)"><title>\(line.name): \(percent) % within \
                \(Wording.duration(.microseconds(duration)))</title></circle>
                """
        }
        return drawing
    }
}
