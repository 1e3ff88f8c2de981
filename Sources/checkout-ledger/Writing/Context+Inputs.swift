import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews
import ProviderKit

/// Bounds on the files and streams that commands read.
enum InputLimits {
    /// A webhook's body, its headers, a file of secrets: larger files are the wrong ones.
    static let fileBytes = 16 << 20
    /// A URL on standard input.
    static let urlBytes = 1 << 20
    /// The latest second that can be named: the end of year 9999.
    static let latestSecond = 253_402_300_799
}

extension Option {
    /// `--provider`, with the adapters of this program as its words.
    static func provider(isRequired: Bool = true, _ help: String) -> Option {
        .value(
            "provider", .choice(Context.providerNames), placeholder: "PROVIDER",
            isRequired: isRequired, help)
    }

    /// `--account`, for merchants with several accounts at one provider.
    static let account = value(
        "account", .text, placeholder: "NAME", "Your name for the account, if you have several")
}

extension Context {
    /// The short names of the registered adapters.
    static let providerNames = Adapters.descriptors.map(\.id.rawValue)

    /// The provider that the command line names.
    func providerID() throws -> ProviderID {
        guard let name = command.value("provider") else {
            throw command.usageError("Missing option '--provider'.", about: "provider")
        }
        return ProviderID(rawValue: name)
    }

    /// The account that the command is about.
    func scope() throws -> AccountScope {
        AccountScope(try providerID(), account: command.value("account") ?? "")
    }

    /// A whole file, or standard input for `-`.
    func read(_ path: String, limit: Int = InputLimits.fileBytes) throws(LedgerError) -> [UInt8] {
        guard path == "-" else {
            return try Files.read(path, limit: limit) { Interrupt.isRequested }
        }
        inviteToType()
        return try Files.read(0, named: "standard input", limit: limit) { Interrupt.isRequested }
    }

    /// The lines of a file, or of standard input for `-`.
    func lines(_ path: String) throws(LedgerError) -> LineReader {
        if path == "-" { inviteToType() }
        return try LineReader(path) { Interrupt.isRequested }
    }

    /// Says that input is awaited, where a person would otherwise stare at a silent program.
    func inviteToType() {
        guard Terminal.behind(0).isTerminal, !isQuiet else { return }
        errors.say("Reading from the terminal; end with Ctrl-D.")
    }

    /// A URL from the command line, or from standard input for `-`, where one line end behind it
    /// is not part of it.
    func urlBytes(_ argument: String) throws(LedgerError) -> [UInt8] {
        guard argument == "-" else { return Array(argument.utf8) }
        var bytes = try read("-", limit: InputLimits.urlBytes)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return bytes
    }

    /// An instant from a time or an age; positions make no sense here.
    func instant(_ option: String) throws -> Instant? {
        switch command.moment(option) {
        case nil: return nil
        case .time(let microseconds): return Instant(microseconds: microseconds)
        case .ago(let microseconds):
            return Instant(microseconds: now.microseconds - microseconds)
        case .position:
            throw command.usageError(
                "--\(option) takes a time or an age, not a position.", about: option)
        }
    }

    /// The return URL that an app registered; throws `INVALID_RETURN_URL`.
    func registeredURL(_ text: String, _ provider: ProviderID) throws -> ReturnURLPattern {
        let adapter = try registry().provider(provider)
        let hosts = adapter?.checkoutURLRules.map(\.hosts).reduce(into: Set()) { $0.formUnion($1) }
        do {
            return try ReturnURLPattern(registered: text, refusedHosts: hosts ?? [])
        } catch {
            throw Complaint(
                code: "INVALID_RETURN_URL", message: "\(error.message) (\(error.code))",
                hint: error.hint)
        }
    }

    /// What runs for a provider that cannot do what is asked.
    static func unsupported(_ provider: ProviderID, _ what: String) -> Complaint {
        Complaint(
            code: "UNSUPPORTED", message: "The adapter of \(provider) \(what).",
            hint: "See what each adapter can do: \(Program.name) providers")
    }

    /// Writes one JSON object with the members that `--json=…` asks for, or lists them for `?`.
    func writeObject(
        _ members: [String], _ body: (inout JSONWriter) throws -> Void
    ) throws {
        var selection: FieldSelection?
        if let list = command.value("json") {
            if FieldSelection.isQuestion(list) {
                try output.line(members.joined(separator: "\n"))
                return
            }
            do throws(FieldSelection.Refusal) {
                selection = try FieldSelection(list, known: members)
            } catch {
                throw command.usageError(error.message, about: "json")
            }
        }
        var writer = JSONWriter(only: selection)
        try writer.object(body)
        try output.line(&writer)
    }
}

extension Landing {
    var landing: ReturnRequest.Landing {
        switch self {
        case .success: .success
        case .failure: .failure
        case .cancel: .cancel
        }
    }
}

/// The words of `--landing`.
enum Landing: String, CaseIterable {
    case success, failure, cancel

    static let option = Option.value(
        "landing", .choice(allCases.map(\.rawValue)),
        "Which of several registered URLs the browser came to")
}

extension Money {
    /// `EUR 5.00`, with the currency's own decimals.
    var label: String { "\(currency.code) \(amountText)" }
}
