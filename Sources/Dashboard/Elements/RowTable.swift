import Markup

/// A table in a box of its own, which folds into cards on a narrow screen.
struct RowTable {
    struct Column {
        let title: String
        let isNumber: Bool

        static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
        static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
    }

    let columns: [Column]
    /// True where a narrow screen shows each row as a card; else the box scrolls sideways.
    var folds = true
    var caption: String?
    private var body: [Markup] = []

    init(_ columns: [Column], folds: Bool = true, caption: String? = nil) {
        self.columns = columns
        self.folds = folds
        self.caption = caption
    }

    var isEmpty: Bool { body.isEmpty }

    /// Adds a row; `anchor` is the name by which addresses find it.
    mutating func add(_ cells: [Markup], anchor: Markup? = nil) {
        precondition(cells.count == columns.count)
        let inside = zip(columns, cells).map { column, cell -> Markup in
            // One element, so that beside its label on a narrow screen it stays together.
            let held: Markup = folds && !cell.isEmpty ? "<div>\(cell)</div>" : cell
            return column.isNumber
                ? "<td class=\"num\" data-label=\"\(column.title)\">\(held)</td>"
                : "<td data-label=\"\(column.title)\">\(held)</td>"
        }
        if let anchor {
            body.append("<tr id=\"\(anchor)\">\(inside)</tr>\n")
        } else {
            body.append("<tr>\(inside)</tr>\n")
        }
    }

    var markup: Markup {
        let head = columns.map { column -> Markup in
            column.isNumber
                ? "<th scope=\"col\" class=\"num\">\(column.title)</th>"
                : "<th scope=\"col\">\(column.title)</th>"
        }
        let kind = folds ? "box fold cut" : "box"
        let caption: Markup? = caption.map { "<caption>\($0)</caption>" }
        return """
            <div class="\(kind)"><table>\(caption)<thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody></table></div>

            """
    }
}
