import CheckoutFlow
import CheckoutLedger
import CheckoutModel
import CommandKit
import DesktopCheckout
import EventLog
import LedgerViews
import ProviderKit

extension Entry {
    static let checkout = Entry(
        .receive,
        Command(
            "checkout", "Open a checkout page in the browser, and record what becomes of it",
            discussion: """
                Waits until the browser comes back, the time is over, or Ctrl-C. What the browser \
                says is a hint: it is recorded and makes no outcome. The session has to be made \
                with the return URL that this command waits at: give the one it was made with, \
                or give - as the checkout URL; then the command says on standard error where it \
                waits, and reads the checkout URL once you have made the session. Ends with 0 \
                when the return says how it ended, and with 5 when that is not known.
                """,
            options: [
                .provider("The provider whose page it is"),
                .value(
                    "checkout-url", .text, placeholder: "URL", isRequired: true,
                    "The page, or - to read it from standard input"),
                .value(
                    "return-url", .text, placeholder: "URL",
                    "http://127.0.0.1:PORT/PATH, or one of a scheme that is registered for "
                        + "handle-url; else a new address of this machine"),
                .value(
                    "cancel-url", .text, placeholder: "URL",
                    "Where customers who give up are sent, if that is another URL"),
                .value(
                    "port", .integer(1...65_535),
                    "The port of the new address, if not any free one"),
                .value(
                    "session", .text, placeholder: "ID",
                    "The session's id, for pages whose URL does not name it"),
                .value(
                    "browser", .path, placeholder: "PROGRAM",
                    "What opens the page, if not the system's own; it is given the URL"),
                .value("time-limit", .span, default: "15min", "How long to wait for an end"),
                .account,
            ],
            examples: [
                Example(
                    "checkout --provider dodo --checkout-url URL --return-url shop://return",
                    "Take the return by the app's own scheme"),
                Example(
                    "checkout --provider dodo --checkout-url - < url.pipe",
                    "Make the session once the return URL is known"),
            ])
    ) { context in
        let scope = try context.scope()
        guard let provider = try Context.registry().returns(scope.provider) else {
            throw Context.unsupported(scope.provider, "reads no return URLs")
        }
        let selection = try context.selection(of: checkoutShape)
        let ledger = try context.ledger(writing: true)
        let way = try CheckoutWay(context)
        defer { way.channel.close() }
        let request = try way.request(context)
        let browser = context.command.value("browser").map { BrowserCommand($0) } ?? .system
        return try await CheckoutTrial(
            provider: provider, way: way, browser: browser,
            journal: LedgerSessionJournal(ledger, account: scope.account)
        ).run(request, context, selection)
    }
}

/// The members of the one row that `checkout` and `handle-url` write.
let checkoutShape = RowShape(
    title: "checkout, handle-url",
    members: [
        ("session", "the session's id"), ("provider", "whose checkout it is"),
        ("status", "what an app may show; a hint"),
        ("ending", "how it ended: returned, dismissed, cancelled_by_app or timed_out"),
        ("settled", "true when the return said how it ended, and said it of this session"),
        ("late", "true when the return came after the checkout had ended"),
        ("payment", "the attempt to pay, or null"), ("subscription", "the subscription, or null"),
    ])

/// How the browser comes back, by the command line's words.
struct CheckoutWay {
    let channel: any ReturnChannel
    let returnURL: String
    let cancelURL: String?

    init(_ context: Context) throws {
        let command = context.command
        let given = command.value("cancel-url")
        do throws(CheckoutError) {
            guard let url = command.value("return-url") else {
                let port = command.integer("port").flatMap { UInt16(exactly: $0) } ?? 0
                let listener = try LoopbackListener(port: port)
                (channel, returnURL) = (listener, listener.returnURL)
                cancelURL = given ?? listener.cancelURL
                return
            }
            (returnURL, cancelURL) = (url, given)
            if LoopbackListener.canListen(at: url) {
                channel = try LoopbackListener(returnURL: url, cancelURL: given)
                return
            }
            let scheme = url.prefix { $0 != ":" }.lowercased()
            guard !["http", "https"].contains(scheme) else {
                throw CheckoutError(
                    .invalidReturnURL, "A web site's page does not come back to this program.",
                    hint: "Use http://127.0.0.1:PORT/PATH, or a scheme of your own.")
            }
            channel = try SchemeListener(scheme: scheme)
        } catch {
            throw Complaint(error)
        }
    }

    /// What to run; says where the return is awaited, and reads the page's URL where it is not
    /// known yet.
    func request(_ context: Context) throws -> CheckoutRequest {
        let command = context.command
        var page = command.value("checkout-url") ?? ""
        if page == "-" {
            try tell(context)
            let bytes = try context.urlBytes("-")
            guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
                throw Complaint(
                    code: "INVALID_CHECKOUT_URL", message: "Standard input holds no URL.",
                    hint: "Write the checkout URL on it, as one line.")
            }
            page = text
        } else if !context.isQuiet, command.value("return-url") == nil {
            try tell(context)
        }
        return CheckoutRequest(
            checkoutURL: page, returnURL: returnURL, cancelURL: cancelURL,
            sessionID: command.value("session"),
            timeLimitSeconds: command.microseconds("time-limit").map { max(1, $0 / 1_000_000) })
    }

    private func tell(_ context: Context) throws {
        guard context.isJSON else {
            context.errors.say("Return URL: \(returnURL)")
            if let cancelURL { context.errors.say("Cancel URL: \(cancelURL)") }
            return
        }
        var writer = JSONWriter()
        writer.object {
            $0.field("schema", "return-url/1")
            $0.field("returnURL", returnURL)
            $0.field("cancelURL", cancelURL)
        }
        try context.errors.line(&writer)
        try context.errors.flush()
    }
}

/// One checkout from a terminal.
struct CheckoutTrial {
    let provider: any ReturnURLParsing
    let way: CheckoutWay
    let browser: BrowserCommand
    let journal: LedgerSessionJournal<LMDBStore>

    func run(
        _ request: CheckoutRequest, _ context: Context, _ selection: FieldSelection?
    ) async throws -> ExitCode {
        do {
            let (flow, result) = try await finish(request)
            try context.write(result, selection)
            try context.output.flush()
            // The reader has it now; before that a crash must leave it to be told again.
            try await flow.acknowledge(result.session)
            if result.isSettled { return .done }
            try context.remark(
                "How it ended is not known; it may have been paid. Its story: "
                    + "\(Program.name) timeline \(SafeText.visible(result.session.id))")
            return .unresolved
        } catch let error as CheckoutError {
            throw Complaint(error)
        } catch let error as JournalError {
            throw Complaint(code: error.code, message: error.message, hint: error.hint)
        }
    }

    @MainActor
    private func finish(
        _ request: CheckoutRequest
    ) async throws -> (CheckoutFlow, CheckoutResult) {
        let presenter = SystemBrowserPresenter(returningBy: way.channel, browser: browser)
        let flow = CheckoutFlow(provider: provider, presenter: presenter, journal: journal)
        let checkout = Task { try await flow.start(request) }
        let watch = Task {
            while !Interrupt.isRequested {
                guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { return }
            }
            checkout.cancel()
        }
        defer { watch.cancel() }
        return (flow, try await checkout.value)
    }
}

extension CheckoutResult {
    /// True when the return said how it ended, and said it of this session.
    var isSettled: Bool { isCertain && status.endsCheckout }
}

extension Complaint {
    /// A flow's error in the program's form.
    init(_ error: CheckoutError) {
        self.init(
            code: error.code.rawValue, message: error.message,
            hint: error.hint.isEmpty ? nil : error.hint)
    }
}

extension Context {
    /// Tells how a checkout ended.
    func write(_ result: CheckoutResult, _ selection: FieldSelection?) throws {
        if isJSON {
            var writer = JSONWriter(only: selection)
            writer.object {
                $0.field("session", result.session.id)
                $0.field("provider", result.session.provider.rawValue)
                $0.field("status", result.status.name)
                $0.field("ending", result.ending.rawValue)
                $0.field("settled", result.isSettled)
                $0.field("late", result.isLate)
                $0.field("payment", result.paymentID)
                $0.field("subscription", result.subscriptionID)
            }
            return try output.line(&writer)
        }
        let name = SafeText.visible(result.session.description)
        let how =
            switch result.ending {
            case .returned: "the browser came back"
            case .dismissed: "the customer closed the page"
            case .cancelledByApp: "the wait was ended"
            case .timedOut: "the time ran out"
            }
        let doubt = result.isCertain ? "" : "; it may be another checkout's return"
        let payment = result.paymentID.map { ", payment \(SafeText.visible($0))" } ?? ""
        let late = result.isLate ? ", late" : ""
        try output.line("\(name): \(result.status.name), \(how)\(late)\(payment)\(doubt).")
    }
}
