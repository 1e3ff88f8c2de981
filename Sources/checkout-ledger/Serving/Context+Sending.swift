import CheckoutLedger
import CheckoutModel
import CommandKit
import HTTPTransport
import LedgerServer
import LedgerViews
import ProviderKit

/// What became of a webhook that this program sent.
struct SentDelivery {
    let url: String
    let answer: Result<Int, TransportError>
    let took: Duration

    /// True when the receiver took it over.
    var isAccepted: Bool {
        if case .success(let status) = answer { (200..<300).contains(status) } else { false }
    }

    /// `200 in 4 ms`, or what went wrong; without a full stop.
    var words: String {
        switch answer {
        case .success(let status): "\(status) in \(Wording.duration(took))"
        case .failure(let error):
            error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
        }
    }

    /// `Sent msg_1 to URL: 200 in 4 ms.`, or that it was not sent and why.
    func sentence(of what: String) -> String {
        let verb = if case .success = answer { "Sent" } else { "Could not send" }
        return "\(verb) \(what) to \(url): \(words)."
    }

    /// What to do where there was no answer; none of it is the provider's doing.
    var hint: String? {
        guard case .failure(let error) = answer else { return nil }
        return error.isAboutTheWay
            ? "Is the receiver running, and is that its address?" : error.hint
    }

    func write(to writer: inout JSONWriter) {
        writer.field("url", url)
        switch answer {
        case .success(let status):
            writer.field("status", status)
            writer.field("error", String?.none)
        case .failure(let error):
            writer.field("status", Int?.none)
            writer.field("error", error.code)
        }
    }
}

extension TransportError {
    /// True when nobody was reached, which here says something of the receiver that a person named.
    fileprivate var isAboutTheWay: Bool {
        switch reason {
        case .dns, .refused, .unreachable, .connectTimeout: true
        default: false
        }
    }
}

extension WebhookDelivery {
    /// Headers that belong to one connection or one length, not to the message.
    private static let hopByHop: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "accept-encoding", "expect",
        "te", "trailer", "upgrade", "keep-alive", "proxy-authorization", "proxy-connection",
    ]

    /// The headers to send it with once more; a body without a type is called JSON.
    var headersToSend: HeaderList {
        var fields = headers.fields.filter { !Self.hopByHop.contains($0.name.lowercased()) }
        if headers.first("Content-Type") == nil {
            fields.append(HeaderList.Field(name: "Content-Type", value: "application/json"))
        }
        return HeaderList(fields)
    }

    /// The request as it would be sent, for `--dry-run`; `record webhook` reads it back.
    func request(to url: String) -> [UInt8] {
        let lines = headersToSend.fields.map { "\($0.name): \($0.value)\r\n" }
        return Array("POST \(url) HTTP/1.1\r\n\(lines.joined())\r\n".utf8) + body
    }
}

extension Context {
    /// The URL of an option that names where webhooks are sent; nil where it is not given.
    func target(_ option: String) throws(UsageError) -> String? {
        guard let text = command.value(option) else { return nil }
        guard let target = LedgerConfiguration.Server.target(text) else {
            throw command.usageError(
                "--\(option) takes a URL such as https://test.example/hooks.", about: option)
        }
        return target
    }

    /// How long a receiver may take to answer; providers give up at about that time.
    private static let answerTime: Duration = .seconds(15)

    /// Sends webhooks one after the other, until Ctrl-C.
    ///
    /// Plain http is for this machine's own addresses only.
    func send(
        _ deliveries: [WebhookDelivery], to url: String,
        _ each: (WebhookDelivery, SentDelivery) throws -> Void
    ) async throws {
        let worker = sender(try configuration()?.network ?? .init())
        try await interruptible(worker) {
            for delivery in deliveries where !Interrupt.isRequested {
                try each(delivery, await Self.send(delivery, to: url, over: worker))
            }
        }
    }

    /// What carries webhooks to where a person wants them, this machine's own addresses included.
    func sender(_ network: LedgerConfiguration.Network) -> CurlTransport {
        var options = CurlTransportOptions()
        options.allowsLoopbackHTTP = true
        options.userAgent = "checkout-ledger/\(Program.version)"
        options.rootsFile = network.rootsFile.map {
            Files.path($0, besideFile: configurationPath ?? "")
        }
        options.usesProxyEnvironment = network.usesProxyEnvironment
        return CurlTransport(options: options)
    }

    static func send(
        _ delivery: WebhookDelivery, to url: String, over transport: any HTTPTransport
    ) async -> SentDelivery {
        let clock = ContinuousClock()
        let began = clock.now
        let plan = HTTPRequestPlan(
            method: "POST", url: url, headers: delivery.headersToSend, body: delivery.body)
        let answer: Result<Int, TransportError>
        do throws(TransportError) {
            answer = .success(try await transport.send(plan, deadline: answerTime).status)
        } catch {
            answer = .failure(error)
        }
        return SentDelivery(url: url, answer: answer, took: began.duration(to: clock.now))
    }

    /// The URL that a provider was told to call, as the configuration has it; empty where it says
    /// nothing of that.
    func webhookURL(of scope: AccountScope) -> String {
        let known = (try? configuration())??.server.publicURL
        return known.map { WebhookEndpoints.url(of: scope, below: $0) } ?? ""
    }

    /// Where this program's own receiver takes a provider's webhooks when nothing else is said.
    static func receiver(of scope: AccountScope) -> String {
        let account = scope.account.isEmpty ? "" : "/\(scope.account)"
        return "http://127.0.0.1:8787/webhooks/\(scope.provider)\(account)"
    }
}

extension Option {
    static let secretFile = value(
        "secret-file", .stream, placeholder: "FILE",
        "The endpoint's secrets, one a line (else those of --config)")
}
