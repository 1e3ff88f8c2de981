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
    /// The name to use in help and in suggested commands.
    ///
    /// `variable` names an environment variable that a wrapping script may set to what a person
    /// types (`./run cli`); else it is the last part of the path the program was called by, else
    /// `fallback`.
    package static func name(else fallback: String, variable: String) -> String {
        name(
            calledBy: CommandLine.arguments.first ?? "",
            wrapper: SystemCalls.environment(variable), fallback: fallback)
    }

    static func name(calledBy path: String, wrapper: String?, fallback: String) -> String {
        if let wrapper, !wrapper.isEmpty { return SafeText.visible(wrapper) }
        guard let last = path.utf8.split(separator: UInt8(ascii: "/")).last else { return fallback }
        return SafeText.visible(String(Substring(last)))
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
