import CheckoutModel
import CommandKit
import Markup

/// When facts happened and how long after it their webhooks were recorded.
///
/// What came out of order is red, and a hollow square where the others are dots.
struct DelayScatter {
    let points: [DelayTally.Point]

    private static let (width, left, right) = (700.0, 60.0, 684.0)
    private static let (top, bottom, height) = (14.0, 220.0, 258.0)

    func plot(title: String, note: Markup) -> Plot {
        let delays = points.map { max($0.delay, 1) }
        let scale = LogScale(
            bounds: LogScale.bounds(
                around: max(delays.min() ?? 1, 100_000), max(delays.max() ?? 1, 1_000_000)),
            pixels: (Self.bottom - 6, Self.top + 6))
        let first = points.map(\.occurredAt).min() ?? 0
        let last = points.map(\.occurredAt).max() ?? 1
        let span = max(1, Double(last) - Double(first))
        var drawing = axes(scale, first, last)
        for point in points.filter({ !$0.isLate }) + points.filter(\.isLate) {
            let x =
                Self.left + 6
                + (Self.right - Self.left - 12) * (Double(point.occurredAt) - Double(first)) / span
            drawing += mark(point, x, scale.place(max(point.delay, 1)))
        }
        return Plot(
            title: title, note: note, width: Self.width, height: Self.height, drawing: drawing,
            alternative: title + " The numbers stand in the table.")
    }

    private func mark(_ point: DelayTally.Point, _ x: Double, _ y: Double) -> Markup {
        let delay = Wording.duration(.microseconds(point.delay))
        let name: Markup = "<title>@\(point.position): recorded \(delay) after it happened</title>"
        let shape: Markup =
            point.isLate
            ? """
            <rect x="\(px: x - 3.5)" y="\(px: y - 3.5)" width="7" height="7" \
            class="open l-failed">\(name)</rect>
            """
            : """
            <circle cx="\(px: x)" cy="\(px: y)" r="2.6" class="f-none">\(name)</circle>
            """
        return "<a href=\"/events/\(point.position)\">\(shape)</a>\n"
    }

    private func axes(_ scale: LogScale, _ first: Int64, _ last: Int64) -> Markup {
        var drawing = Plot.line(Self.left, Self.bottom, Self.right, Self.bottom, style: "axis")
        for (duration, name) in scale.ticks {
            let y = scale.place(duration)
            drawing += Plot.line(Self.left, y, Self.right, y, style: "grid")
            drawing += Plot.text(name, Self.left - 6, y + 4, anchor: .end)
        }
        let ends: [(Int64, Double, Plot.Anchor)] = [
            (first, Self.left, .start), (last, Self.right, .end),
        ]
        for (time, x, anchor) in ends {
            let text = Instant(microseconds: time).iso8601Seconds.replacing("T", with: " ")
            drawing += Plot.text(text, x, Self.bottom + 16, anchor: anchor)
        }
        drawing += Plot.text(
            "happened at; upwards: delay (logarithmic)", (Self.left + Self.right) / 2,
            Self.height - 6, anchor: .middle)
        return drawing
    }
}
