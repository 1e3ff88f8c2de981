/// A command line that cannot be understood.
///
/// Read from top to bottom it says what is wrong, what the argument in question is for, how the
/// command is used, and where the whole help is.
///
/// The message quotes what was typed, shortened and with control characters made visible. Secrets
/// are never option values, so nothing private can be quoted.
package struct UsageError: Error, Sendable, Hashable {
    /// The stable word for scripts.
    package let code: Code
    package let message: String
    /// The help line of the option or argument that the message is about.
    package let argumentHelp: String?
    package let usage: String
    package let pointer: String

    package enum Code: String, Sendable {
        case unknownCommand = "UNKNOWN_COMMAND"
        case unknownOption = "UNKNOWN_OPTION"
        case unknownTopic = "UNKNOWN_TOPIC"
        case missingCommand = "MISSING_COMMAND"
        case missingArgument = "MISSING_ARGUMENT"
        case missingOption = "MISSING_OPTION"
        case missingValue = "MISSING_VALUE"
        case unexpectedArgument = "UNEXPECTED_ARGUMENT"
        case unexpectedValue = "UNEXPECTED_VALUE"
        case invalidValue = "INVALID_VALUE"
        case repeatedOption = "REPEATED_OPTION"
        case limitExceeded = "LIMIT_EXCEEDED"
        case notUTF8 = "NOT_UTF8"
    }

    /// What a person reads on standard error, with its last line break.
    package func text(style: Style = .plain) -> String {
        var lines = [style.paint("Error:", .bad) + " " + message]
        if let argumentHelp { lines.append("  " + argumentHelp) }
        lines.append("Usage: " + usage)
        lines.append("  " + pointer)
        return lines.joined(separator: "\n") + "\n"
    }

    /// The same for programs: one line of JSON with schema `error/1`.
    package var json: [UInt8] {
        Complaint(code: code.rawValue, message: message, hint: pointer).json
    }
}

/// A failure of a command that was understood: a code, a sentence, a hint.
package struct Complaint: Error, Sendable, Hashable {
    package let code: String
    package let message: String
    package let hint: String?

    package init(code: String, message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// `Error: …` and `Hint: …`, one line each.
    package func text(style: Style = .plain) -> String {
        let first = style.paint("Error:", .bad) + " " + SafeText.visible(message) + "\n"
        return first + (hint.map { "Hint: " + SafeText.visible($0) + "\n" } ?? "")
    }

    /// One line of JSON: `{"schema":"error/1","code":…,"message":…,"hint":…}`.
    package var json: [UInt8] { line(schema: "error/1") }

    /// The same of what does not stop a command, with schema `warning/1`.
    package var warning: [UInt8] { line(schema: "warning/1") }

    private func line(schema: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.field("schema", schema)
            $0.field("code", code)
            $0.field("message", message)
            $0.field("hint", hint)
        }
        return writer.line()
    }
}

/// What was typed, in quotes, short and harmless on a terminal.
func quoted(_ word: String) -> String {
    "'" + DisplayWidth.truncated(SafeText.visible(word), to: Limits.quotedColumns) + "'"
}
