import CheckoutModel
import CommandKit
import ProviderKit

/// `explain return-url`: whether a URL is the registered one, and what it claims.
struct ExplainedReturn {
    let match: ReturnURLMatch
    /// Nil unless the URL is handled.
    private(set) var claim: ReturnClaim?
    private(set) var parameters: [Parameter] = []
    /// Codes joined by commas: why the URL is not handled, or what is odd about one that is.
    private(set) var reason: String?

    var isHandled: Bool { claim != nil }

    /// Compares and reads; never throws, since a URL that cannot be read is an answer too.
    init(
        _ bytes: [UInt8], registered: ReturnURLPattern, provider: any ReturnURLParsing,
        landing: ReturnRequest.Landing = .unspecified
    ) {
        let url: ReturnURL
        do throws(URLTextError) {
            url = try ReturnURL(parsing: bytes)
        } catch {
            match = .unreadable(error)
            reason = error.code
            return
        }
        match = registered.match(url)
        parameters = Array(url.parameters)
        guard match.isMatch else {
            reason = match.code
            return
        }
        do throws(ReturnRejection) {
            let claim = try provider.parseReturn(ReturnRequest(url: url, landing: landing))
            self.claim = claim
            let codes = claim.reading.flags.codes
            // A status that the landing told leaves nothing to explain.
            let isToldByLanding = claim.status != .pending && codes == ["missing_status"]
            reason = codes.isEmpty || isToldByLanding ? nil : codes.joined(separator: ",")
        } catch {
            reason = error.code
        }
    }

    static let members = [
        "handled", "status", "paymentID", "subscriptionID", "licenseKeys", "customerEmail",
        "parameters", "reason",
    ]

    static let command = Command(
        "return-url", "Say whether a URL is a return to the app, and what it claims",
        discussion: """
            Whatever it claims is a hint: a return never makes an outcome by itself.

            JSON: {"handled","status","paymentID","subscriptionID","licenseKeys","customerEmail",\
            "parameters":[{"name","value"}],"reason"}; what is absent is null. The reason says \
            what differs from the registered URL, or what is odd about the parameters. A \
            registered URL that no app can have is the error INVALID_RETURN_URL, exit 1.

            The answer shows the customer's e-mail address and licence keys, if the URL has them.
            """,
        arguments: [Argument("url", .text, .one, "The URL, or - for standard input")],
        options: [
            .provider("The provider whose words the URL has"),
            .value(
                "registered", .text, placeholder: "URL", isRequired: true,
                "The return URL that the app registered"), Landing.option,
        ],
        examples: [
            Example(
                "explain return-url --provider dodo --registered shop://return "
                    + "'shop://return?status=succeeded&payment_id=pay_1'",
                "What this return claims")
        ])

    static let run: Handler = { context in
        let id = try context.providerID()
        guard let provider = try context.registry().returns(id) else {
            throw Context.unsupported(id, "reads no return URLs")
        }
        let registered = try context.registeredURL(context.command.value("registered") ?? "", id)
        let answer = ExplainedReturn(
            try context.urlBytes(context.command.argument("url")), registered: registered,
            provider: provider,
            landing: context.command.choice("landing", as: Landing.self)?.landing ?? .unspecified)
        try context.isJSON ? answer.writeJSON(context) : answer.writeText(context)
        return .done
    }

    private func writeJSON(_ context: Context) throws {
        let reading = claim?.reading
        let keys = reading?.licenseKeys ?? []
        try context.writeObject(Self.members) {
            $0.field("handled", isHandled)
            $0.field("status", claim?.status.name)
            $0.field("paymentID", reading?.paymentID)
            $0.field("subscriptionID", reading?.subscriptionID)
            $0.field("licenseKeys", keys.isEmpty ? nil : keys)
            $0.field("customerEmail", reading?.customerEmail)
            $0.array("parameters") {
                for parameter in parameters {
                    $0.object {
                        $0.field("name", parameter.name)
                        $0.field("value", parameter.value)
                    }
                }
            }
            $0.field("reason", reason)
        }
    }

    private func writeText(_ context: Context) throws {
        guard let claim else {
            try context.output.line("Not handled (\(reason ?? "")): \(sentence)")
            return
        }
        try context.output.line("Handled: the registered return URL. What it says is a hint.")
        let reading = claim.reading
        var rows = [("status", claim.status.name + (reason.map { " (\($0))" } ?? ""))]
        for (name, value) in [
            ("session", claim.ids.session), ("payment", claim.ids.payment),
            ("subscription", claim.ids.subscription), ("email", reading.customerEmail),
        ] {
            if let value { rows.append((name, value)) }
        }
        rows += reading.licenseKeys.map { ("licence key", $0) }
        for (name, value) in rows {
            let padding = String(repeating: " ", count: 14 - name.count)
            try context.output.line("  \(name)\(padding)\(SafeText.visible(value))")
        }
        let count = Wording.count(parameters.count, "parameter")
        try context.output.line("\(count) in all.")
    }

    private var sentence: String {
        switch match {
        case .matches: "the adapter does not take it as a return."
        case .unreadable(let error): error.message
        case .differs(let difference):
            switch difference {
            case .scheme: "its scheme is not the registered one."
            case .userInfo: "its user name or password is not the registered one."
            case .host: "its host is not the registered one."
            case .port: "its port is not the registered one."
            case .path: "its path is not the registered one; case counts there."
            }
        }
    }
}
