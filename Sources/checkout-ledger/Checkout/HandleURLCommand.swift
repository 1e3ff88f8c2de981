import CheckoutFlow
import CheckoutLedger
import CheckoutModel
import CommandKit
import DesktopCheckout
import EventLog
import ProviderKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Entry {
    static let handleURL = Entry(
        .receive,
        Command(
            "handle-url", "Take a return URL that the desktop hands over",
            discussion: """
                What the desktop starts for URLs of a scheme of your own. Passes the URL to the \
                'checkout' that waits for URLs of its scheme; when none does, records it as a \
                late return of the checkout that it belongs to. --register makes this program \
                the scheme's handler, for this user and this ledger.
                """,
            arguments: [Argument("url", .text, .optional, "The URL, as it came")],
            options: [
                .value(
                    "register", .text, placeholder: "SCHEME",
                    "Make this program the handler of a scheme, such as shop"),
                .account,
            ],
            examples: [
                Example("handle-url --register shop", "Before the first checkout, once"),
                Example("handle-url 'shop://return?status=succeeded'", "What the desktop does"),
            ])
    ) { context in
        let command = context.command
        switch (command.argument(ifAny: "url"), command.value("register")) {
        case (let url?, nil): return try await HandledURL(text: url).take(context)
        case (nil, let scheme?): return try await SchemeHandler(scheme: scheme).install(context)
        case (nil, nil): throw command.usageError("Give a URL, or --register.", about: "url")
        case (_?, _?):
            throw command.usageError("Give a URL or --register, not both.", about: "register")
        }
    }
}

/// A URL on its way to its checkout.
struct HandledURL {
    let text: String

    func take(_ context: Context) async throws -> ExitCode {
        let selection = try context.selection(of: checkoutShape)
        if try isForwarded() {
            if !context.isJSON {
                try context.output.line("Handed to the program that waits for URLs of this scheme.")
            }
            return .done
        }
        let journal = LedgerSessionJournal(
            try context.ledger(writing: true), account: context.command.value("account") ?? "")
        guard let result = try await late(journal) else {
            throw Complaint(
                code: "NO_CHECKOUT", message: "No checkout waits for this URL.",
                hint: "It was taken before, or is another ledger's. To record it by hand: "
                    + "\(Program.name) record return-url --provider PROVIDER --session ID URL")
        }
        try context.write(result, selection)
        return .done
    }

    /// The addresses of this machine need no handler: whoever waits there hears by itself.
    private func isForwarded() throws -> Bool {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard !["http", "https"].contains(scheme) else { return false }
        do throws(CheckoutError) {
            return try SchemeListener.forward(text)
        } catch {
            throw Complaint(error)
        }
    }

    /// Records it for the checkout that it belongs to, whosever that is.
    @MainActor
    private func late(_ journal: LedgerSessionJournal<LMDBStore>) async throws -> CheckoutResult? {
        let registry = try Context.registry()
        for descriptor in registry.descriptors {
            guard let provider = registry.returns(descriptor.id) else { continue }
            let presenter = SystemBrowserPresenter(returningBy: ForwardedByHost())
            let flow = CheckoutFlow(
                provider: provider, presenter: presenter, journal: journal)
            if let result = await flow.receiveLate(openURL: text) { return result }
        }
        return nil
    }
}

/// This program as what the desktop starts for a scheme.
struct SchemeHandler {
    let scheme: String

    func install(_ context: Context) async throws -> ExitCode {
        // A ledger that is not there would be found out by the first customer.
        let path = context.ledgerPath
        _ = try context.ledger()
        var words = ["handle-url", "--ledger", try absolute(path)]
        if let key = try context.options(writing: false).rootKeyPath {
            words += ["--root-key", try absolute(key)]
        }
        if let account = context.command.value("account") { words += ["--account", account] }
        do {
            let registration = try SchemeRegistration(scheme: scheme)
            let name = "checkout-ledger-\(registration.scheme)"
            try registration.install(
                command: [try absolute(Self.program)] + words,
                applicationName: "Checkout Ledger", fileName: name)
            try context.tell(registration.scheme, file: "\(name).desktop")
        } catch let error as CheckoutError {
            throw Complaint(error)
        }
        return .done
    }

    private func absolute(_ path: String) throws -> String {
        guard let real = realpath(path, nil) else {
            throw LedgerError(
                .fileFailed, "Cannot find \(path): \(String(cString: strerror(errno))).",
                hint: "Check that it is there.")
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// Where this program is.
    private static var program: String {
        #if canImport(Darwin)
            var size = UInt32(PATH_MAX)
            var buffer = [CChar](repeating: 0, count: Int(size))
            _NSGetExecutablePath(&buffer, &size)
            return String(cString: buffer)
        #else
            return "/proc/self/exe"
        #endif
    }
}

extension Context {
    fileprivate func tell(_ scheme: String, file: String) throws {
        if isJSON {
            try writeObject(["scheme", "file"]) {
                $0.field("scheme", scheme)
                $0.field("file", file)
            }
        } else {
            try output.line("URLs of \(scheme): are given to this program now, by \(file).")
        }
    }
}
