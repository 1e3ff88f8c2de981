import CommandKit
import Markup

/// Upright bars from zero, one for each class.
struct Columns {
    struct Column {
        let name: String
        let count: Int
        let tone: String
        let address: Markup?
    }

    let columns: [Column]
    let unit: String
    /// What the classes are of.
    let axis: String

    private static let height = 190.0
    private static let bottom = 158.0
    private static let top = 24.0
    private static let left = 44.0
    private static let step = 74.0

    func plot(title: String, note: Markup) -> Plot {
        let scale = CountScale(upTo: columns.map(\.count).max() ?? 0)
        let width = max(Self.left + Self.step * Double(columns.count) + 16, 340)
        func y(_ count: Int) -> Double {
            Self.bottom - (Self.bottom - Self.top) * Double(count) / Double(scale.top)
        }
        var drawing = Markup.empty
        for tick in scale.ticks {
            drawing += Plot.line(
                Self.left, y(tick), width - 8, y(tick), style: tick == 0 ? "axis" : "grid")
            drawing += Plot.text(
                Wording.grouped(tick), Self.left - 6, y(tick) + 4, anchor: .end)
        }
        drawing += Plot.text(unit, 2, 12)
        for (index, column) in columns.enumerated() {
            let x = Self.left + Self.step * Double(index) + 8
            let middle = x + (Self.step - 16) / 2
            let bar: Markup = """
                <rect x="\(px: x)" y="\(px: y(column.count))" width="\(px: Self.step - 16)" \
                height="\(px: max(Self.bottom - y(column.count), column.count > 0 ? 1 : 0))" \
                class="f-\(column.tone)"><title>\(column.name): \(column.count)</title></rect>
                """
            drawing += column.address.map { "<a href=\"\($0)\">\(bar)</a>" } ?? bar
            drawing += Plot.text(
                column.name, middle, Self.bottom + 15, anchor: .middle, style: "name")
            guard column.count > 0 else { continue }
            drawing += Plot.text(
                Wording.grouped(column.count), middle, y(column.count) - 5, anchor: .middle,
                style: "value")
        }
        drawing += Plot.text(axis, width - 8, Self.height - 2, anchor: .end)
        return Plot(
            title: title, note: note, width: width, height: Self.height, drawing: drawing,
            alternative: title + " The numbers stand in the table.")
    }
}
