import CheckoutLedger
import CheckoutModel
import DodoPayments
import EventLog
import ProviderKit
import Testing

/// Webhook cases straight from the file, from the bytes that arrive to what the ledger holds.
@Suite("Public webhook cases")
struct WebhookCaseTests {
    /// One delivery of a case, recorded.
    private struct Arrival {
        let receipt: DeliveryReceipt
        let secrets: SecretSet
        let texts: [String]
        let body: [UInt8]
    }

    @Test("A webhook gets what its case says", arguments: PublicCase.runnable("webhook"))
    func run(_ item: PublicCase) async throws {
        if item.expected.hasPrefix("config_error") { return try misconfigured(item) }
        let ledger = try CaseLedger.memory()
        var arrivals: [Arrival] = []
        for delivery in item.input["deliveries"]?.elements ?? [item.input] {
            arrivals.append(try await record(delivery, in: ledger))
        }
        for condition in item.conditions { try check(condition, arrivals, ledger) }
    }

    private func record(
        _ input: JSONValue, in ledger: Ledger<InMemoryStore>
    ) async throws -> Arrival {
        let now = Instant(seconds: try #require(input["now"]?.integer))
        let texts = try #require(input["secrets"]?.elements).compactMap(\.text)
        let secrets = try SecretSet(
            [.webhook: texts], rules: DodoPaymentsProvider.descriptor.secretRules)
        let provider = try DodoPaymentsProvider(
            configuration: .init(toleranceSeconds: try #require(input["tolerance_s"]?.integer)))
        let fields = try #require(input["headers"]?.elements).map { pair in
            HeaderList.Field(
                name: try #require(pair.elements?.first?.text),
                value: try #require(pair.elements?.last?.text))
        }
        let body = Array(try #require(input["body"]?.text).utf8)
        let receipt = try await ledger.record(
            WebhookDelivery(headers: HeaderList(fields), body: body),
            verifiedBy: DeliveryVerifier(provider: provider, secrets: secrets),
            scope: CaseLedger.scope, at: now)
        return Arrival(receipt: receipt, secrets: secrets, texts: texts, body: body)
    }

    private func check(
        _ condition: String, _ arrivals: [Arrival], _ ledger: Ledger<InMemoryStore>
    ) throws {
        let first = try #require(arrivals.first)
        if let reason = condition.after("reject ") {
            #expect(try rejection(first.receipt).code == reason.value("reason"))
            #expect(try rejection(first.receipt).headerName == reason.value("name"))
            #expect(!(200..<300).contains(first.receipt.acknowledgement.status))
            #expect(try ledger.concluded().isEmpty)
        } else if let id = condition.firstMatch(of: /^payment (\S+) is shown as pending/)?.1 {
            let evidence = try ledger.session(named: String(id)).state.evidence
            #expect(evidence.payments.map(\.status) == [.pending])
            #expect(evidence.status == .pending && evidence.outcome == nil)
        } else if condition.hasPrefix("metadata gift is unchanged") {
            let body = try ledger.body(of: try ledger.event(at: first.receipt.position))
            let stored = try #require(body)
            #expect(try gift(stored) == gift(first.body))
        } else {
            try checkText(condition, first, arrivals, ledger)
        }
    }

    private func checkText(
        _ condition: String, _ first: Arrival, _ arrivals: [Arrival],
        _ ledger: Ledger<InMemoryStore>
    ) throws {
        let event = try ledger.event(at: first.receipt.position)
        switch condition {
        case "accept", "first: accept", "success answer":
            #expect(event.event.type == .deliveryReceived)
            #expect((200..<300).contains(first.receipt.acknowledgement.status))
        case "second: duplicate (success answer, nothing appended)":
            let second = try #require(arrivals.dropFirst().first).receipt
            #expect(second.verdict == .duplicate)
            #expect(second.position == first.receipt.position && second.events.isEmpty)
            #expect((200..<300).contains(second.acknowledgement.status))
        case "one stored event":
            let types = try (0..<ledger.endPosition()).map { try ledger.event(at: $0).event.type }
            #expect(types == [.deliveryReceived, .paymentSucceeded])
        case "stored as unhandled":
            #expect(first.receipt.verdict == .unhandled)
            #expect(event.flags.contains(.unhandled))
        case "projections unchanged": #expect(try ledger.concluded().isEmpty)
        case "the stored raw body ends in CR LF":
            let body = try ledger.body(of: event)
            let stored = try #require(body)
            #expect(stored == first.body && stored.suffix(2) == [0x0D, 0x0A])
        case "audit shows which secret matched (by index, not by value)":
            let fingerprint = try #require(event.event.verification?.keyFingerprint)
            #expect(first.secrets.fingerprints(.webhook).firstIndex(of: fingerprint) == 1)
            let line = String(decoding: EventLine.json(event).json, as: UTF8.self)
            #expect(line.contains(fingerprint))
            for text in first.texts { #expect(!line.contains(text.dropFirst(6))) }
        case "no crash": break
        default: Issue.record("no runner understands '\(condition)'")
        }
    }

    private func rejection(_ receipt: DeliveryReceipt) throws -> WebhookRejection {
        guard case .refused(let rejection) = receipt.verdict else {
            throw Unexpected(verdict: receipt.verdict)
        }
        return rejection
    }

    private struct Unexpected: Error { let verdict: DeliveryReceipt.Verdict }

    private func gift(_ body: [UInt8]) throws -> [Unicode.Scalar] {
        let gift = try JSONValue(json: body)["data"]?["metadata"]?["gift"]?.text
        return Array(try #require(gift).unicodeScalars)
    }

    /// A wrong secret stops the receiver before any delivery is looked at.
    private func misconfigured(_ item: PublicCase) throws {
        let texts = try #require(item.input["secrets"]?.elements).compactMap(\.text)
        let error = #expect(throws: SecretError.self) {
            let secrets = try SecretSet(
                [.webhook: texts], rules: DodoPaymentsProvider.descriptor.secretRules)
            _ = try DeliveryVerifier(provider: DodoPaymentsProvider(), secrets: secrets)
        }
        for condition in item.conditions {
            switch condition {
            case "config_error", "refuses to verify anything": #expect(error != nil)
            case _ where condition.hasPrefix("config_error that names the stray 'v1,' prefix"):
                #expect(error?.message.contains("\"v1,\"") == true)
            default: Issue.record("no runner understands '\(condition)'")
            }
        }
    }
}
