/// When to colour: `--color auto|always|never`.
package enum ColorPolicy: String, Sendable, CaseIterable { case auto, always, never }

/// What stands behind an output: a terminal or not, how wide, and whether colour is welcome.
package struct Terminal: Sendable, Hashable {
    package let isTerminal: Bool
    /// Columns; `Limits.defaultWidth` when unknown.
    package let width: Int
    package let style: Style

    package init(isTerminal: Bool, width: Int = Limits.defaultWidth, style: Style = .plain) {
        self.isTerminal = isTerminal
        self.width = width
        self.style = style
    }

    /// Looks at a file descriptor and the environment.
    ///
    /// `--color` decides first. With `auto`: `NO_COLOR` (not empty) forbids colour,
    /// `CLICOLOR_FORCE` (not `0`) asks for it, then it needs a terminal that is not `dumb` and no
    /// `CLICOLOR=0`.
    package static func behind(_ descriptor: Int32, color: ColorPolicy = .auto) -> Terminal {
        Terminal(
            isTerminal: SystemCalls.isTerminal(descriptor),
            columns: SystemCalls.columns(descriptor), color: color,
            environment: SystemCalls.environment)
    }

    init(
        isTerminal: Bool, columns: Int?, color: ColorPolicy, environment: (String) -> String?
    ) {
        let width = columns ?? environment("COLUMNS").flatMap { Int($0) } ?? Limits.defaultWidth
        self.isTerminal = isTerminal
        self.width = min(max(width, Limits.widths.lowerBound), Limits.widths.upperBound)
        let colours =
            switch color {
            case .always: true
            case .never: false
            case .auto: Self.welcomesColour(isTerminal, environment)
            }
        style = Style(colours: colours)
    }

    private static func welcomesColour(
        _ isTerminal: Bool, _ environment: (String) -> String?
    ) -> Bool {
        if let value = environment("NO_COLOR"), !value.isEmpty { return false }
        if let force = environment("CLICOLOR_FORCE"), !force.isEmpty, force != "0" { return true }
        return isTerminal && environment("CLICOLOR") != "0" && environment("TERM") != "dumb"
    }
}
