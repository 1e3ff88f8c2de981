/// A `.desktop` file that makes a program the handler of a scheme.
///
/// Source: Desktop Entry Specification 1.5, "The Exec key" and "Recognized desktop entry keys".
struct DesktopEntry: Sendable, Hashable {
    let text: String

    /// The file of a program that is given the URL as its last word; nil when a word cannot stand
    /// in such a file.
    init?(name: String, command: [String], mimeType: String) {
        let isPlain = ([name] + command).allSatisfy { text in
            !text.isEmpty && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        }
        guard isPlain, !command.isEmpty else { return nil }
        let words = command.map(Self.quoted) + ["%u"]
        text = """
            [Desktop Entry]
            Type=Application
            Name=\(Self.escaped(name))
            Exec=\(Self.escaped(words.joined(separator: " ")))
            NoDisplay=true
            Terminal=false
            MimeType=\(mimeType);

            """
    }

    /// Reads a file, for `problem(mimeType:)`.
    init(text: String) { self.text = text }

    /// What keeps it from handling the type; nil when nothing does.
    func problem(mimeType: String) -> String? {
        var isInEntry = false
        var keys: [Substring: Substring] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("[") { isInEntry = line.hasPrefix("[Desktop Entry]") }
            guard isInEntry, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else {
                continue
            }
            let key = line[..<equals].split(separator: " ").first ?? ""
            keys[key] = line[line.index(after: equals)...].drop { $0 == " " }
        }
        guard keys["Type"] == "Application" else { return "it describes no application" }
        guard let command = keys["Exec"], !command.isEmpty else { return "it starts no program" }
        guard command.contains("%u") || command.contains("%U") else {
            return "its program is not given the URL: %u is missing behind Exec"
        }
        let types = (keys["MimeType"] ?? "").split(separator: ";")
        guard types.contains(Substring(mimeType)) else {
            return "it does not name \(mimeType) behind MimeType"
        }
        return nil
    }

    /// A word of a command line, in quotes where it needs them.
    private static func quoted(_ word: String) -> String {
        let reserved = " \t\n\"'\\><~|&;$*?#()`"
        let literal = word.replacing("%", with: "%%")
        guard word.contains(where: reserved.contains) else { return literal }
        var text = ""
        for character in literal {
            if "\"`$\\".contains(character) { text.append("\\") }
            text.append(character)
        }
        return "\"\(text)\""
    }

    /// The value of a key: a backslash stands for itself only when it is doubled.
    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\")
    }
}
