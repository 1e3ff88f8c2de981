import CheckoutLedger
import CheckoutModel
import CommandKit
import ProviderKit

/// A webhook as people have it at hand: headers and body in two files, or one raw request.
enum DeliveryInput {
    private static let lf = UInt8(ascii: "\n")
    private static let cr = UInt8(ascii: "\r")

    /// Takes a raw request apart: an optional request line, header lines, an empty line, the body.
    ///
    /// Lines end in LF or CRLF; the body is byte for byte what follows, up to `Content-Length`
    /// where that is given, so that a line end which an editor added does not spoil the signature.
    /// Throws `MALFORMED_REQUEST` and `MALFORMED_HEADERS`.
    static func request(_ bytes: [UInt8]) throws(Complaint) -> WebhookDelivery {
        guard let end = headerEnd(bytes) else {
            throw Complaint(
                code: "MALFORMED_REQUEST",
                message: "There is no empty line between headers and body.",
                hint: "Write header lines, an empty line, then the body; or use --headers-file "
                    + "and --body-file.")
        }
        let headers = try headers(Array(bytes[..<end.head]))
        if headers.first("transfer-encoding") != nil {
            throw Complaint(
                code: "MALFORMED_REQUEST",
                message: "The body is in chunks, as it went over the wire.",
                hint: "Record the body that your server read, without transfer encoding.")
        }
        let body = bytes[end.body...]
        guard let text = headers.first("content-length") else {
            return WebhookDelivery(headers: headers, body: Array(body))
        }
        guard let length = Int(text), length >= 0, length <= body.count else {
            throw Complaint(
                code: "MALFORMED_REQUEST",
                message: "Content-Length says '\(text)' bytes, and \(body.count) follow.",
                hint: "The request was cut, or the header is not its own.")
        }
        return WebhookDelivery(headers: headers, body: Array(body.prefix(length)))
    }

    /// Reads `Name: value` lines, or JSON: an object, or an array of pairs.
    ///
    /// A first line such as `POST /webhooks HTTP/1.1` is passed over. Throws `MALFORMED_HEADERS`
    /// with the line's number.
    static func headers(_ bytes: [UInt8]) throws(Complaint) -> HeaderList {
        let first = bytes.first { !isBlank($0) && $0 != lf && $0 != cr }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            return try jsonHeaders(bytes)
        }
        var fields: [HeaderList.Field] = []
        for (index, raw) in bytes.split(separator: lf, omittingEmptySubsequences: false)
            .enumerated()
        {
            let line = raw.last == cr ? raw.dropLast() : raw
            if line.allSatisfy(isBlank) { continue }
            if index == 0, isStartLine(line) { continue }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(isNameByte)
            else {
                throw malformed("Line \(index + 1) of the headers is not 'Name: value'.")
            }
            fields.append(
                HeaderList.Field(
                    name: String(decoding: line[..<colon], as: UTF8.self),
                    value: String(decoding: line[(colon + 1)...], as: UTF8.self)))
        }
        return HeaderList(fields)
    }

    private static func jsonHeaders(_ bytes: [UInt8]) throws(Complaint) -> HeaderList {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(json: bytes)
        } catch {
            throw malformed("The headers are not JSON: \(error).")
        }
        var fields: [HeaderList.Field] = []
        func add(_ name: String?, _ value: JSONValue?) throws(Complaint) {
            guard let name, let text = value.flatMap(text) else {
                throw malformed("Header \(fields.count + 1) is not a name with a text.")
            }
            fields.append(HeaderList.Field(name: name, value: text))
        }
        switch value {
        case .object(let members):
            for member in members {
                for element in member.value.elements ?? [member.value] {
                    try add(member.name, element)
                }
            }
        case .array(let elements):
            for element in elements {
                if let pair = element.elements {
                    try add(pair.first?.text, pair.count == 2 ? pair[1] : nil)
                } else {
                    try add(element["name"]?.text, element["value"])
                }
            }
        default: throw malformed("The headers are neither an object nor an array of pairs.")
        }
        return HeaderList(fields)
    }

    private static func text(_ value: JSONValue) -> String? {
        if case .number(let number) = value { return number.text }
        return value.text
    }

    private static func malformed(_ message: String) -> Complaint {
        Complaint(
            code: "MALFORMED_HEADERS", message: message,
            hint: "Write one 'Name: value' a line, or JSON: {\"name\":\"value\"} or "
                + "[[\"name\",\"value\"]].")
    }

    /// Where the head ends and the body begins.
    private static func headerEnd(_ bytes: [UInt8]) -> (head: Int, body: Int)? {
        var start = 0
        while let end = bytes[start...].firstIndex(of: lf) {
            let line = bytes[start..<end]
            if line.isEmpty || line.elementsEqual([cr]) { return (start, end + 1) }
            start = end + 1
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// A request line ends in the protocol's version, a status line begins with it.
    private static func isStartLine(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.split(separator: 0x20)
        let version = Array("HTTP/".utf8)
        return words.count > 1
            && (words.first?.starts(with: version) == true
                || words.last?.starts(with: version) == true)
    }

    /// The characters of an HTTP field name.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// The options by which a command takes a webhook, and what they give.
struct DeliveryRequest {
    let delivery: WebhookDelivery
    let verifier: DeliveryVerifier
    /// The secrets' texts, so that they can be masked wherever a body echoes them.
    let secrets: [String]

    static let options: [Option] = [
        .provider("The provider that sent it"),
        .secretFile,
        .value(
            "headers-file", .stream, placeholder: "FILE",
            "The request's headers: 'Name: value' lines, or JSON"),
        .value("body-file", .stream, placeholder: "FILE", "The request's body, byte for byte"),
        .value(
            "at", .integer(0...InputLimits.latestSecond), placeholder: "UNIX",
            "The receiver's clock in Unix seconds, for old deliveries (else now)"),
    ]

    static let argument = Argument(
        "request", .stream, .optional,
        "A raw request: headers, an empty line, the body (else standard input)")

    static let discussion = """
        Give --headers-file and --body-file, or one raw request: an optional request line, header \
        lines, an empty line, and the body byte for byte. With Content-Length, what follows that \
        many bytes is not part of the body.

        Secrets are read from --secret-file or for the account in --config, never from the command \
        line, and never shown. Blank lines are passed over; several secrets are tried in order, as \
        while one is being rotated. A malformed secret ends the command with exit code 4 before \
        anything is verified.

        PayPal and WeChat Pay sign with keys of their own, which are fetched from their own hosts \
        when a webhook names one, with what --config says of the network and the account.
        """

    /// Takes what is at hand already.
    init(_ delivery: WebhookDelivery, _ verifier: DeliveryVerifier) {
        (self.delivery, self.verifier, secrets) = (delivery, verifier, [])
    }

    /// Reads everything that the options name; secrets first, so that a bad one stops before all.
    init(_ context: Context) throws {
        let command = context.command
        let headersFile = command.value("headers-file")
        let bodyFile = command.value("body-file")
        let request = command.argument(ifAny: "request")
        let isRaw = headersFile == nil && bodyFile == nil
        guard isRaw || (headersFile != nil && bodyFile != nil) else {
            throw command.usageError(
                "--headers-file and --body-file belong together.",
                about: headersFile == nil ? "headers-file" : "body-file")
        }
        guard isRaw || request == nil else {
            throw command.usageError("Give a raw request or the two files, not both.")
        }
        let secretFile = command.value("secret-file")
        let inputs = isRaw ? [request ?? "-"] : [headersFile ?? "", bodyFile ?? ""]
        guard ([secretFile ?? ""] + inputs).filter({ $0 == "-" }).count < 2 else {
            throw command.usageError("Only one of the inputs can be standard input.")
        }
        (verifier, secrets) = try Self.verifier(of: try context.scope(), context)
        delivery =
            isRaw
            ? try DeliveryInput.request(try context.read(inputs[0]))
            : WebhookDelivery(
                headers: try DeliveryInput.headers(try context.read(inputs[0])),
                body: try context.read(inputs[1]))
    }

    /// The lines that are not blank; a file without any has one empty secret, which is malformed.
    static func secrets(_ bytes: [UInt8]) -> [String] {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }.filter { line in !line.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
        return lines.isEmpty ? [""] : lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// What believes the webhooks of an account: with the secrets of `--secret-file`, else with
    /// those of the configuration, which masks its own.
    static func verifier(
        of scope: AccountScope, _ context: Context
    ) throws -> (verifier: DeliveryVerifier, secrets: [String]) {
        if let file = context.command.value("secret-file") {
            let secrets = Self.secrets(try context.read(file))
            return (try verifier(scope, secrets, context), secrets)
        }
        return (try verifier(configuredFor: scope, context), [])
    }

    private static func verifier(
        configuredFor scope: AccountScope, _ context: Context
    ) throws -> DeliveryVerifier {
        guard let configuration = try context.configuration() else {
            throw context.command.usageError(
                "Missing option '--secret-file'.", about: "secret-file")
        }
        guard let account = configuration.account(for: scope) else {
            throw Complaint(
                code: "NO_ACCOUNT", message: "The configuration has no account \(scope).",
                hint: "Name one of its accounts with --provider and --account.")
        }
        guard let adapter = account.provider as? any WebhookReceiving else {
            throw Context.unsupported(scope.provider, "receives no webhooks")
        }
        return try DeliveryVerifier(provider: adapter, secrets: account.secrets)
    }

    private static func verifier(
        _ scope: AccountScope, _ secrets: [String], _ context: Context
    ) throws -> DeliveryVerifier {
        guard let adapter = try context.adapter(for: scope) as? any WebhookReceiving else {
            throw Context.unsupported(scope.provider, "receives no webhooks")
        }
        let rules = type(of: adapter).descriptor.secretRules
        let role = rules.first(where: \.verifies)?.role ?? .webhook
        return try DeliveryVerifier(
            provider: adapter, secrets: try SecretSet([role: secrets], rules: rules))
    }
}
