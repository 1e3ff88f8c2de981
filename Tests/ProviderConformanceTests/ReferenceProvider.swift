import CheckoutModel
import Cryptography
import ProviderKit
import Synchronization

/// A small adapter with every capability, sound unless a fault is asked for.
struct ReferenceProvider: PaymentProvider {
    static let descriptor = ProviderDescriptor(
        id: "com.example.reference", name: "Reference Pay", adapterVersion: "1",
        secretRules: [
            SecretRule(role: .webhook, encoding: .utf8, minimumBytes: 8),
            SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 8),
        ])

    struct Configuration: ProviderConfiguration {
        var mode: ProviderMode
        var fault: Fault?
        /// What no configuration should hold.
        var apiKey = ""

        init(mode: ProviderMode, fault: Fault?) {
            self.mode = mode
            self.fault = fault
        }

        init(settings: inout ProviderSettings) { self.init(mode: settings.mode, fault: nil) }
    }

    let configuration: Configuration
    let memory = Memory()

    init(configuration: Configuration) { self.configuration = configuration }

    func has(_ fault: Fault) -> Bool { configuration.fault == fault }

    /// What an adapter must not have.
    final class Memory: Sendable {
        private let count = Mutex(0)
        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    // MARK: - Checkout pages

    static let hosts: KeyValuePairs<String, ProviderMode> = [
        "pay.reference.example": .live, "pay.test.reference.example": .test,
    ]

    var checkoutURLRules: [CheckoutURLRule] {
        [CheckoutURLRule(hosts: Self.hosts, pathPrefix: "/s/", idPrefix: "ses_")]
    }

    func recognise(checkoutURL: String) -> CheckoutURLMatch {
        guard configuration.fault != nil else { return sound(checkoutURL) }
        return switch sound(checkoutURL) {
        case .notMine: careless(checkoutURL)
        case let match where has(.forgetsTestHost) && match != .notMine:
            .session(id: "ses_1", mode: .live)
        case let match: match
        }
    }

    private func sound(_ text: String) -> CheckoutURLMatch {
        guard let page = try? checkoutURLRules[0].read(text) else { return .notMine }
        return .session(id: page.sessionID, mode: page.mode)
    }

    /// Reads a URL by cutting text, with just the one check left out.
    private func careless(_ text: String) -> CheckoutURLMatch {
        let usual = "https://pay.reference.example/s/"
        let taken = CheckoutURLMatch.session(id: "ses_1", mode: .live)
        switch configuration.fault {
        case .takesHostSuffix:
            let host = text.split(separator: "/").dropFirst().first ?? ""
            return text.hasPrefix("https://") && host.hasSuffix("reference.example")
                ? taken : .notMine
        case .takesHTTP: return text.hasPrefix("http://pay.reference.example/s/") ? taken : .notMine
        case .takesUserInfo: return text.contains("@pay.reference.example/s/") ? taken : .notMine
        case .takesAnyPort:
            return text.hasPrefix("https://pay.reference.example:") ? taken : .notMine
        case .takesRootDot:
            return text.hasPrefix("https://pay.reference.example./s/") ? taken : .notMine
        case .takesFragment: return text.contains("#\(usual)") ? taken : .notMine
        case .takesEmptyID: return text.hasPrefix(usual) ? .session(id: "", mode: .live) : .notMine
        case .takesDotSegments:
            return text.hasPrefix(usual) && text.count > usual.count ? taken : .notMine
        case .takesLookAlikes:
            return text.hasPrefix("https://") && text.unicodeScalars.contains { $0.value > 127 }
                ? taken : .notMine
        case .takesEverything: return .linkWithoutSession(mode: .live)
        default: return .notMine
        }
    }
}

// MARK: - Returns

extension ReferenceProvider: SignedReturn {
    var returnVocabulary: ReturnVocabulary {
        ReturnVocabulary(
            parameters: ["session": .session, "payment": .payment, "status": .status],
            statusWords: has(.forgetsWord)
                ? ["paid": .succeeded]
                : ["paid": .succeeded, "declined": .failed, "given_up": .cancelled])
    }

    func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim {
        let reading = returnVocabulary.read(request.url)
        var ids = reading.ids
        if ids.session == "{SESSION}", !has(.takesTemplate) { ids.session = nil }
        if !has(.takesOtherSession) { try request.check(session: ids.session) }
        var status = reading.status
        if reading.flags == .missingStatus, request.landing == .cancel { status = .cancelled }
        return ReturnClaim(
            status: mistaken(status, reading, request), ids: ids, privateFields: PrivateFields(),
            reading: reading)
    }

    private func mistaken(
        _ status: CheckoutStatus, _ reading: ReturnReading, _ request: ReturnRequest
    ) -> CheckoutStatus {
        let words = request.url.parameters.values(named: "status")
        switch configuration.fault {
        case .trustsLanding where request.landing == .success: return .succeeded
        case .trustsUnknownWords where status == .pending && !words.isEmpty: return .succeeded
        case .takesLastValue:
            return words.last.map { returnVocabulary.status(word: $0) } ?? status
        case .decodesTwice:
            let text = words.first.map { FormFields("x=\($0)".utf8)?.pairs[0].value ?? $0 }
            return text.map { returnVocabulary.status(word: $0) } ?? status
        case .readsReturnsAtRandom:
            return request.url.parameters.isEmpty || !words.isEmpty ? status : .failed
        default: return status
        }
    }

    func plan(for request: ReturnRequest) throws(ReturnRejection) -> VerificationPlan {
        let parameters = request.url.parameters
        guard let text = parameters.uniqueValue(named: "sign").text, let code = Hex.decode(text)
        else { throw .missingSignature }
        var fields: [String] = []
        for name in ["session", "payment", "status"] {
            if name == "status" && has(.leavesStatusUnsigned) { continue }
            guard let value = parameters.uniqueValue(named: name).text else { throw .malformed }
            fields.append(value)
        }
        return VerificationPlan(
            SignatureCandidate(
                scheme: "reference/return", algorithm: .hmacSHA256, keys: .secret(.webhook),
                signed: [Array(fields.joined(separator: "|").utf8)],
                signatures: [has(.takesReturnPrefix) ? Array(code.prefix(32)) : code]),
            time: nil)
    }
}
