import CheckoutModel
import ProviderKit

extension ConformanceVectors {
    mutating func read(_ reader: inout VectorReader) {
        provider = reader.requiredText("provider")
        checkoutURLs = reader.objects("checkoutURLs") { Self.page(&$0) }
        returns = reader.object("returns") { Self.returns(&$0) }
        webhook = reader.object("webhook") { Self.webhook(&$0) }
        statuses = Self.statuses(&reader)
        statusNamesObject = reader.flag("statusNamesObject", or: true)
        creation = reader.object("creation") { Self.creation(&$0) }
        completion = reader.object("completion") { Self.creation(&$0) }
        reader.finish()
    }

    private static func page(_ reader: inout VectorReader) -> PageVector {
        let url = reader.requiredText("url")
        let mode = reader.mode("mode") ?? .unknown
        let isLink = reader.flag("link", or: false)
        let suffix = reader.text("hostSuffix")
        let written = reader.text("written")
        let match: CheckoutURLMatch =
            if let session = reader.text("session") {
                .session(id: session, mode: mode)
            } else {
                isLink ? .linkWithoutSession(mode: mode) : .notMine
            }
        return PageVector(url: url, match: match, hostSuffix: suffix, written: written)
    }

    // MARK: - Returns

    private static func returns(_ reader: inout VectorReader) -> ReturnFacts {
        var facts = ReturnFacts()
        reader.object("parameters") { names in
            facts.statusName = names.text("status")
            facts.sessionName = names.text("session")
            facts.paymentName = names.text("payment")
        }
        facts.words = reader.words("words")
        facts.landings = reader.words("landings").compactMap { word, status in
            guard let landing = landing(word) else {
                reader.report("landings.\(word)", "is no landing")
                return nil
            }
            return (landing: landing, status: status)
        }
        facts.template = reader.text("template")
        facts.unsigned = reader.texts("unsigned") ?? []
        facts.cases = reader.objects("cases") { item in
            let status = item.text("status")
            if let status, CheckoutStatus(name: status) == nil {
                item.report("status", "names no status")
            }
            return ReturnCase(
                id: item.requiredText("id"), url: item.requiredText("url"),
                landing: landing(item.text("landing") ?? "unspecified") ?? .unspecified,
                open: item.text("open"), status: status.flatMap { CheckoutStatus(name: $0) },
                ids: ProviderIDs(
                    session: item.text("session"), payment: item.text("payment"),
                    subscription: item.text("subscription"), order: item.text("order"),
                    customer: item.text("customer")),
                refused: item.text("refused"))
        }
        return facts
    }

    static func landing(_ word: String) -> ReturnRequest.Landing? {
        switch word {
        case "success": .success
        case "failure": .failure
        case "cancel": .cancel
        case "unspecified": .unspecified
        default: nil
        }
    }

    // MARK: - Webhooks

    private static func webhook(_ reader: inout VectorReader) -> WebhookFacts {
        var facts = WebhookFacts()
        if !reader.has("toleranceSeconds") { reader.report("toleranceSeconds", "is missing") }
        facts.toleranceSeconds = reader.integer("toleranceSeconds")
        facts.headers = reader.texts("headers") ?? []
        facts.repeatable = reader.texts("repeatable") ?? []
        facts.coversBytes = word(&reader, "covers", ["bytes", "fields"]) != "fields"
        facts.unsignedFields = reader.texts("unsignedFields") ?? []
        facts.hasLists = reader.flag("lists", or: false)
        for name in reader.texts("events") ?? [] {
            if let kind = EventSample.Kind(name: name) {
                facts.events.append(kind)
            } else {
                reader.report("events", "lists \(name), which is no kind of event")
            }
        }
        facts.amount = word(&reader, "amount", AmountForm.allCases.map(\.rawValue))
            .flatMap(AmountForm.init)
        if let currencies = reader.texts("currencies") { facts.currencies = currencies }
        let mode = word(&reader, "mode", ["body", "endpoint", "live", "test"])
        facts.isModeInBody = mode == "body"
        facts.isLiveOnly = mode == "live"
        facts.isTestOnly = mode == "test"
        facts.url = reader.text("url") ?? ""
        let now = reader.integer("now")
        let secrets = Self.secrets(&reader) ?? [:]
        facts.deliveries = reader.objects("deliveries") { item in
            delivery(&item, now: now, secrets: secrets, url: facts.url)
        }
        return facts
    }

    /// One of a few words; nil, and a problem, for another.
    private static func word(
        _ reader: inout VectorReader, _ name: String, _ words: [String]
    ) -> String? {
        guard let text = reader.text(name) else { return nil }
        guard words.contains(text) else {
            reader.report(name, "is none of \(words.joined(separator: ", "))")
            return nil
        }
        return text
    }

    private static func secrets(_ reader: inout VectorReader) -> [SecretRole: [String]]? {
        guard reader.has("secrets") else { return nil }
        var secrets: [SecretRole: [String]] = [:]
        for member in reader.members("secrets") {
            let list = member.value.elements ?? [member.value]
            secrets[SecretRole(rawValue: member.name)] = list.compactMap(\.text)
        }
        return secrets
    }

    private static func delivery(
        _ reader: inout VectorReader, now: Int64?, secrets: [SecretRole: [String]], url: String
    ) -> DeliveryVector? {
        let id = reader.requiredText("id")
        let headers = Self.headers(&reader)
        var body = Array((reader.text("body") ?? "").utf8)
        if let text = reader.text("bodyHex") { body = bytes(hex: text) }
        guard let now = reader.integer("now") ?? now else {
            reader.report("now", "is missing")
            return nil
        }
        let accepted = reader.texts("accepted")
        let rejected = reader.text("rejected")
        guard (accepted == nil) != (rejected == nil) else {
            reader.report("accepted", "and rejected: just one of them must be there")
            return nil
        }
        return DeliveryVector(
            id: id,
            delivery: WebhookDelivery(configuredURL: url, headers: headers, body: body),
            now: Instant(seconds: now), secrets: Self.secrets(&reader) ?? secrets,
            resolved: resolved(&reader), mode: reader.mode("mode") ?? .test,
            expected: rejected.map { .rejected($0) } ?? .accepted(accepted ?? []))
    }

    /// An object of names and values, or a list of pairs where a name is repeated.
    private static func headers(_ reader: inout VectorReader) -> HeaderList {
        if let pairs = reader.take("headers")?.elements {
            return HeaderList(
                pairs.map { pair in
                    HeaderList.Field(
                        name: pair.elements?.first?.text ?? "",
                        value: pair.elements?.last?.text ?? "")
                })
        }
        return HeaderList(
            reader.members("headers").map {
                HeaderList.Field(name: $0.name, value: $0.value.text ?? "")
            })
    }

    /// Reads `[{"certificate": url, "pem"}, {"platformKey": serial, "pem"}]`.
    private static func resolved(_ reader: inout VectorReader) -> [KeyRequest: String] {
        var keys: [KeyRequest: String] = [:]
        let found: [(KeyRequest, String)] = reader.objects("resolved") { item in
            let pem = item.requiredText("pem")
            if let url = item.text("certificate") { return (.certificate(url: url), pem) }
            return (.platformKey(serial: item.requiredText("platformKey")), pem)
        }
        for (request, pem) in found { keys[request] = pem }
        return keys
    }

    private static func bytes(hex text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    // MARK: - Requests

    private static func statuses(_ reader: inout VectorReader) -> [StatusWords] {
        let found: [StatusWords]? = reader.object("statuses") { targets in
            ["session", "payment", "order", "reference"].compactMap { name in
                let words = targets.words(name)
                return words.isEmpty ? nil : StatusWords(target: name, words: words)
            }
        }
        return found ?? []
    }

    private static func creation(_ reader: inout VectorReader) -> CreationFacts {
        let text = reader.requiredText("idempotency")
        if text.hasPrefix("header ") {
            return CreationFacts(idempotency: .header(String(text.dropFirst("header ".count))))
        }
        if text != "body" && text != "none" {
            reader.report("idempotency", "is none of header <name>, body and none")
        }
        return CreationFacts(idempotency: text == "body" ? .body : .none)
    }
}
