import CommandKit
import LedgerViews

extension Entry {
    static let doctor = Entry(
        .care,
        Command(
            "doctor", "Check the set-up and say what to fix",
            discussion: """
                Looks at the ledger, its root key, its files' permissions, the clock, your \
                accounts' secrets, the port of 'serve' and the LMDB library. Changes nothing, asks \
                nobody.

                Exit code 0 when nothing fails, warnings or not; 4 when all that fails is about \
                keys and secrets, else 1.
                """,
            options: [
                .value(
                    "port", .integer(1...65_535), default: "8787",
                    "The port that 'serve' is to have")
            ],
            examples: [
                Example("doctor --config shop.json", "With the secrets of your accounts"),
                Example("doctor --json", "One object a finding"),
            ])
    ) { context in
        let selection = try context.selection(of: doctorShape)
        let findings = Doctor(context).findings()
        for finding in findings {
            if context.isJSON {
                var writer = JSONWriter(only: selection)
                writer.object(finding.write)
                try context.output.line(&writer)
            } else if !context.isQuiet || finding.state != .ok {
                for line in finding.lines(context.output.terminal.style) {
                    try context.output.line(line)
                }
            }
        }
        let failed = findings.filter { $0.state == .fail }
        let warned = findings.count { $0.state == .warn }
        try context.remark(
            failed.isEmpty
                ? (warned == 0
                    ? "Nothing to fix." : "\(Wording.count(warned, "warning")); nothing fails.")
                : "\(Wording.count(failed.count, "check")) failed.")
        if failed.isEmpty { return .done }
        return failed.allSatisfy(\.isAboutCredentials) ? .credentials : .failed
    }
}

let doctorShape = RowShape(
    title: "doctor",
    members: [
        ("check", "what was looked at"),
        ("state", "ok, warn or fail"),
        ("message", "what was found, in a sentence"),
        ("hint", "what to do, or null"),
    ])

/// What one look of `doctor` found.
struct DoctorFinding: Sendable {
    enum State: String, Sendable {
        case ok, warn, fail

        fileprivate var tone: Tone {
            switch self {
            case .ok: .good
            case .warn: .caution
            case .fail: .bad
            }
        }
    }

    let check: String
    let state: State
    let message: String
    let hint: String?
    /// True where a key or a secret is what is missing.
    let isAboutCredentials: Bool

    init(
        _ check: String, _ state: State, _ message: String, hint: String? = nil,
        isAboutCredentials: Bool = false
    ) {
        self.check = check
        self.state = state
        self.message = message
        self.hint = hint
        self.isAboutCredentials = isAboutCredentials
    }

    func write(to writer: inout JSONWriter) {
        writer.field("check", check)
        writer.field("state", state.rawValue)
        writer.field("message", message)
        writer.field("hint", hint)
    }

    fileprivate func lines(_ style: Style) -> [String] {
        let word = state.rawValue + String(repeating: " ", count: 6 - state.rawValue.count)
        let name = check + String(repeating: " ", count: max(1, 14 - check.count))
        let line = style.paint(word, state.tone) + name + SafeText.visible(message)
        return [line] + (hint.map { ["      " + "Hint: " + SafeText.visible($0)] } ?? [])
    }
}
