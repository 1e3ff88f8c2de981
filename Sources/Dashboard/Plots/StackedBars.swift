import CommandKit
import Markup

/// Horizontal bars from zero, each cut into parts that are links to what they count.
struct StackedBars {
    struct Part {
        let name: String
        /// The colour's name, as in the style sheet.
        let tone: String
        let count: Int
        let address: Markup
        /// True for what is not known: drawn with an open edge.
        var isOpen = false
    }

    struct Bar {
        let name: String
        let parts: [Part]
        var total: Int { parts.reduce(0) { $0 + $1.count } }
    }

    let bars: [Bar]
    var unit = "sessions"

    private static let width = 1_000.0
    private static let rowHeight = 34.0
    private static let top = 8.0

    private var left: Double { 12 + (bars.map { Plot.width(of: $0.name) }.max() ?? 0) }

    func plot(title: String, note: Markup) -> Plot {
        let scale = CountScale(upTo: bars.map(\.total).max() ?? 0)
        let right = Self.width - 84
        let bottom = Self.top + Self.rowHeight * Double(bars.count)
        func x(_ count: Int) -> Double {
            left + (right - left) * Double(count) / Double(scale.top)
        }
        var drawing = Markup.empty
        for tick in scale.ticks {
            drawing += Plot.line(
                x(tick), Self.top, x(tick), bottom, style: tick == 0 ? "axis" : "grid")
            drawing += Plot.text(
                Wording.grouped(tick), x(tick), bottom + 15, anchor: .middle)
        }
        drawing += Plot.text(unit, Self.width, bottom + 15, anchor: .end)
        for (index, bar) in bars.enumerated() {
            let y = Self.top + Self.rowHeight * Double(index) + 6
            drawing += Plot.text(bar.name, left - 8, y + 15, anchor: .end, style: "name")
            drawing += parts(of: bar, at: y, x: x)
            drawing += Plot.text(
                Wording.grouped(bar.total), x(bar.total) + 7, y + 15, style: "value")
        }
        return Plot(
            title: title, note: note, width: Self.width, height: bottom + 24, drawing: drawing,
            alternative: title + " The numbers stand in the table.")
    }

    private func parts(of bar: Bar, at y: Double, x: (Int) -> Double) -> Markup {
        var drawing = Markup.empty
        var before = 0
        for part in bar.parts where part.count > 0 {
            let (first, last) = (x(before), x(before + part.count))
            before += part.count
            let wide = max(last - first - 1, 1)
            let label = "\(part.name): \(Wording.count(part.count, "session"))"
            drawing += """
                <a href="\(part.address)"><title>\(bar.name), \(label)</title>
                """
            drawing +=
                part.isOpen
                ? """
                <rect x="\(px: first + 0.8)" y="\(px: y + 0.8)" width="\(px: max(wide - 1.6, 1))" \
                height="20.4" class="unsure l-\(part.tone)"/>
                """
                : """
                <rect x="\(px: first)" y="\(px: y)" width="\(px: wide)" height="22" \
                class="f-\(part.tone)"/>
                """
            if wide > Plot.width(of: part.name) + 10 {
                drawing += Plot.text(
                    part.name, first + wide / 2, y + 15, anchor: .middle,
                    style: part.isOpen ? "name" : "on")
            }
            drawing += "</a>\n"
        }
        return drawing
    }
}
