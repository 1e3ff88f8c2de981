/// Bounds on what comes from outside.
///
/// Beyond them a command line is refused, never cut.
package enum Limits {
    /// Words of one command line, the program's name left out.
    package static let words = 4_096

    /// Bytes of one word.
    ///
    /// Linux refuses longer ones itself (`MAX_ARG_STRLEN`); tests reach the parser without a kernel
    /// in between.
    package static let wordBytes = 131_072

    /// Bytes of all words together.
    package static let allWordsBytes = 2_097_152

    /// How alike, in percent, a word and a known name must be before one is offered for the other.
    ///
    /// At 50, `sesions` finds `sessions` and `xyz` finds nothing.
    package static let similarityFloor = 50

    /// Bytes of a word that is still compared with known names; edit distance is quadratic.
    package static let suggestionBytes = 64

    /// Terminal columns of a person's own words quoted back in a message.
    package static let quotedColumns = 60

    /// Rows a table looks at before it decides how wide its columns are.
    package static let tableSample = 200

    /// Columns of a terminal that does not say how wide it is.
    package static let defaultWidth = 80

    /// Terminal widths that are believed.
    package static let widths = 20...1_000

    /// Bytes an `Output` holds before it writes.
    package static let outputBuffer = 65_536

    /// Milliseconds between two drawings of a progress line.
    package static let progressInterval: Int64 = 100
}
