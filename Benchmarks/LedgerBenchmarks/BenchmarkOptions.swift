/// What the command line asks of a run.
struct BenchmarkOptions {
    /// How much is measured: seconds, a minute or two, or with ten million events.
    enum Size {
        case short
        case standard
        case full
    }

    var size = Size.standard
    /// A JSON line for each row instead of the table.
    var isJSON = false
    /// Exit 1 when a target is not held.
    var isCheck = false
    /// Groups whose name contains this; nil for all.
    var only: String?

    static let usage = """
        Usage: LedgerBenchmarks [--short | --full] [--json] [--check] [--only NAME]

          --short      Smaller counts, for CI: seconds
          --full       Also with ten million events: minutes, and about 5 GB of disk
          --json       A line for each row: name, ours, peer, ratio, target, held
          --check      Exit 1 when a target is not held
          --only NAME  Only groups with NAME in their name: \
        \(BenchmarkGroup.all.map(\.name).joined(separator: ", "))

        Works in a new directory under TMPDIR, or here when that is not set, and removes it.
        """

    /// Nil when a word is not understood.
    init?(_ words: some Sequence<String>) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            switch word {
            case "--short": size = .short
            case "--full": size = .full
            case "--json": isJSON = true
            case "--check": isCheck = true
            case "--only":
                guard let name = words.popFirst() else { return nil }
                only = name
            default: return nil
            }
        }
    }

    /// The value for this size.
    func pick<T>(short: T, standard: T) -> T { size == .short ? short : standard }
}
