/// The members of one kind of JSON row: their names in order, and what each means.
///
/// `--json=?`, `--json=FIELDS` and `help formats` are all read from it, so that none of them can
/// say what another does not.
package struct RowShape: Sendable {
    /// The command line whose rows these are.
    package let title: String
    package let members: [(name: String, meaning: String)]

    package init(title: String, members: [(name: String, meaning: String)]) {
        self.title = title
        self.members = members
    }

    package var names: [String] { members.map(\.name) }

    /// One line a member, names padded to one width.
    package var lines: [String] {
        let width = names.reduce(0) { max($0, $1.utf8.count) }
        return members.map { name, meaning in
            name + String(repeating: " ", count: width - name.utf8.count + 2) + meaning
        }
    }

    /// The same members and some more behind them.
    package func adding(_ title: String, _ more: [(name: String, meaning: String)]) -> RowShape {
        RowShape(title: title, members: members + more)
    }
}
