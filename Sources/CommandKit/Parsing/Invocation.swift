/// What a command line asks for.
package enum Invocation: Sendable {
    /// A command of the program's own.
    case run(ParsedCommand)
    /// A page that the tree itself writes; render it with `CommandTree.text(of:)`, exit 0.
    case show(Page)
}

/// A page made from the tree.
package enum Page: Sendable, Hashable {
    /// The program's overview (empty path) or one command's help.
    case help(path: [String])
    case topic(String)
    case version
    case completions(Shell)
    case manual
}

/// The words this process was started with.
package enum ProcessArguments {
    /// The last part of the path the program was called by, or `fallback` when there is none.
    package static func name(else fallback: String) -> String {
        let called = CommandLine.arguments.first ?? ""
        let last = called.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) ?? "" }
        return last.flatMap { $0.isEmpty ? nil : $0 } ?? fallback
    }

    /// The words after the program's name, byte for byte as the kernel gave them.
    ///
    /// Not `CommandLine.arguments`, which repairs invalid UTF-8 and would so open another file.
    package static func words() -> [[UInt8]] {
        let count = Int(CommandLine.argc)
        guard count > 1 else { return [] }
        return (1..<count).compactMap { index in
            guard let word = CommandLine.unsafeArgv[index] else { return nil }
            var length = 0
            while word[length] != 0 { length += 1 }
            return [UInt8](UnsafeRawBufferPointer(start: word, count: length))
        }
    }
}
