import CheckoutLedger
import CommandKit
import LedgerViews

extension Entry {
    static let export = Entry(
        .care,
        Command(
            "export", "Write the whole ledger as lines of JSON, byte for byte",
            discussion: """
                The first line names the ledger, the last one its root hash and a checksum; in \
                between stands each record in base64. 'import' makes the same ledger of it again \
                and refuses a file that was changed or cut in any way. Private fields stay sealed \
                and no key is in the file. To read events, use 'events --json'.

                --format tiles writes the hashes of the last seal as a directory of static files \
                (C2SP tlog-tiles), for a web server or for auditors; the records, whose headers \
                anybody can read then, only with --with-entries.
                """,
            arguments: [
                Argument(
                    "file", .stream, .optional,
                    "A file that is not there yet (else standard output); for tiles a directory")
            ],
            options: [
                .value(
                    "format", .choice(["lines", "tiles"]), default: "lines",
                    "The whole ledger as lines of JSON, or the tree of its last seal"),
                .flag("with-entries", "With --format tiles: the records too"),
            ],
            examples: [
                Example("export tiles --format tiles", "The tree, for a web server"),
                Example("export shop.jsonl", "Write a file"),
                Example("export | gzip > shop.jsonl.gz", "Compress it on the way"),
            ])
    ) { context in
        let path = context.command.argument(ifAny: "file") ?? "-"
        let ledger = try context.ledger()
        if context.command.value("format") == "tiles" {
            return try exportTiles(of: ledger, to: path, context)
        }
        let summary: LedgerExport.Summary
        if path == "-" {
            summary = try ledger.export { line in
                if Interrupt.isRequested { throw ExitCode.interrupted }
                try context.output.write(line)
            }
            try context.output.flush()
        } else {
            let file = try NewFile(path)
            summary = try ledger.export { line in
                if Interrupt.isRequested { throw ExitCode.interrupted }
                try file.write(line)
            }
            try file.finish()
        }
        // Standard output holds the export itself unless it went to a file.
        if context.isJSON, path != "-" {
            try context.writeObject(["file", "records", "root"]) {
                $0.field("file", path)
                $0.field("records", summary.records)
                $0.field("root", summary.root)
            }
        } else if !context.isQuiet {
            let count = Wording.count(Int(clamping: summary.records), "record")
            context.errors.say("Exported \(count). Root \(summary.root).")
        }
        return .done
    }

    static let importing = Entry(
        .care,
        Command(
            "import", "Take in an export, or events as lines of JSON",
            discussion: """
                A file that 'export' wrote becomes a new ledger, byte for byte, at --into or the \
                ledger's usual place, where nothing must be yet. It is built aside, its root is \
                compared, and only then does it get its name; a file that was changed or cut is \
                refused whole (exit 3).

                Any other file is read as events, one a line, as 'events --json' prints them. They \
                are added to the ledger, which is made if there is none. A line counts once, by \
                its id or else its content, so a file can be imported again. At the first line \
                that cannot be read the import stops and names its place (exit 1); the lines \
                before it stay. Private fields are not in such lines.
                """,
            arguments: [Argument("file", .stream, .one, "The file, or - for standard input")],
            options: [
                .value(
                    "into", .path, placeholder: "DIR",
                    "The ledger's directory, instead of --ledger")
            ],
            examples: [
                Example("import shop.jsonl --into copy.ledger", "Restore an export"),
                Example("import events.jsonl", "Add events to the ledger"),
            ])
    ) { context in
        var lines = try context.lines(context.command.argument("file"))
        let first = try lines.next()
        if let first, LedgerExport.isPart(first.text) {
            return try Importing.restore(&lines, first, context)
        }
        return try await Importing.events(&lines, first, context)
    }
}

/// The two ways of `import`.
enum Importing {
    static func restore(
        _ lines: inout LineReader, _ first: TextLine, _ context: Context
    ) throws -> ExitCode {
        let path = context.command.value("into") ?? context.ledgerPath
        let summary = try Ledger.restore(at: path, from: &lines, first: first)
        if context.isJSON {
            try context.writeObject(["ledger", "records", "root"]) {
                $0.field("ledger", path)
                $0.field("records", summary.records)
                $0.field("root", summary.root)
            }
            return .done
        }
        let count = Wording.count(Int(clamping: summary.records), "record")
        try context.output.line("Restored \(count) into \(path). Root \(summary.root).")
        if !context.isQuiet {
            context.errors.say(
                "Sealed fields open once the ledger's keys and root key are back in place.")
        }
        return .done
    }

    static func events(
        _ lines: inout LineReader, _ first: TextLine?, _ context: Context
    ) async throws -> ExitCode {
        let path = context.command.value("into") ?? context.ledgerPath
        let isNew = !Files.exists(path + "/data.mdb")
        // A file that is no list of events must not leave an empty ledger behind.
        if isNew, let first, !first.isBlank {
            do throws(LedgerError) {
                _ = try EventLine.entry(first.text)
            } catch {
                throw complaint(first.number, first.offset, isTorn: !first.isEnded, error)
            }
        }
        let ledger =
            try isNew ? context.createLedger(at: path) : context.ledger(writing: true, at: path)
        if isNew, !context.isQuiet, !context.isJSON {
            context.errors.say("Created an empty ledger at \(path).")
        }
        let report = try await ledger.importEvents(from: &lines, first: first)
        if context.isJSON {
            try context.writeObject(["records", "added", "known", "passedOver"]) {
                $0.field("records", report.lines)
                $0.field("added", report.added)
                $0.field("known", report.known)
                $0.field("passedOver", report.passedOver)
            }
        } else {
            var words = ["\(Wording.count(report.added, "event")) added"]
            if report.known > 0 { words.append("\(Wording.grouped(report.known)) were there") }
            if report.passedOver > 0 {
                words.append("\(Wording.count(report.passedOver, "link")) passed over")
            }
            try context.output.line(
                "\(Wording.count(report.lines, "record")): \(words.joined(separator: ", ")).")
        }
        guard let stop = report.stop else { return .done }
        try context.output.flush()
        throw complaint(stop.line, stop.offset, isTorn: stop.isTorn, stop.error)
    }

    private static func complaint(
        _ line: Int, _ offset: Int, isTorn: Bool, _ error: LedgerError
    ) -> Complaint {
        let place = "Line \(line), at byte offset \(offset),"
        guard isTorn else {
            return Complaint(
                code: error.code.rawValue,
                message: "\(place) cannot be recorded: \(error.message)",
                hint: "The lines before it are recorded. Correct it and import the file again; "
                    + "only what is missing is added.")
        }
        return Complaint(
            code: "TORN_TAIL", message: "\(place) is torn: it ends in the middle.",
            hint: "The lines before it are recorded. Import the repaired file again; only what "
                + "is missing is added.")
    }
}
