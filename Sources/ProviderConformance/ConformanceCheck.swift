public import ProviderKit

/// One thing that every adapter is held to.
public struct ConformanceCheck: Sendable, Hashable {
    /// The stable name, such as `PC-W07`; never given to another check.
    public let code: String
    /// What it is about.
    public let group: Group
    /// What holds, in one sentence.
    public let meaning: String
    /// What to do about a finding.
    public let hint: String
    /// How bad a finding is.
    public let severity: Finding.Severity

    /// What checks are about; the letter stands in their codes.
    public enum Group: String, Sendable, Hashable, CaseIterable {
        /// Which URLs open a checkout.
        case checkoutURL = "U"
        /// What a return says.
        case returns = "R"
        /// Whom a delivery comes from.
        case delivery = "W"
        /// What an event says.
        case events = "E"
        /// Asking and creating.
        case requests = "Q"
        /// What holds for everything.
        case everything = "X"
        /// What the ledger makes of it.
        case order = "O"

        /// A few words for a heading.
        public var title: String {
            switch self {
            case .checkoutURL: "checkout URL"
            case .returns: "return"
            case .delivery: "webhook"
            case .events: "events"
            case .requests: "requests"
            case .everything: "everything"
            case .order: "order"
            }
        }
    }

    /// What an adapter has to claim for a check to apply.
    enum Need: Sendable {
        case nothing
        case returns
        case signedReturns
        case webhooks
        case hints
        case queries
        case creation
        case keys
        case completion

        /// Nil when the adapter claims it, else why the check does not apply.
        func missing(in exam: Examination) -> String? {
            switch self {
            case .nothing: nil
            case .returns: exam.returns == nil ? "it reads no return URLs" : nil
            case .signedReturns: exam.signedReturns == nil ? "its returns are not signed" : nil
            case .webhooks: exam.webhooks == nil ? "it receives no webhooks" : nil
            case .hints: exam.hints == nil ? "it receives no hints" : nil
            case .queries: exam.queries == nil ? "it cannot be asked" : nil
            case .creation: exam.creation == nil ? "it creates no sessions" : nil
            case .keys: exam.provider is any KeyPublishing ? nil : "its provider publishes no keys"
            case .completion: exam.completion == nil ? "its payments complete themselves" : nil
            }
        }
    }

    /// A check with what carries it out.
    struct Entry: Sendable {
        let check: ConformanceCheck
        let need: Need
        let body: @Sendable (Examination, inout Probe) -> Void

        /// `hint` says what to do about a finding.
        init(
            _ code: String, _ severity: Finding.Severity, _ need: Need, _ meaning: String,
            hint: String, _ body: @escaping @Sendable (Examination, inout Probe) -> Void
        ) {
            let letter = code.dropFirst("PC-".count).prefix(1)
            check = ConformanceCheck(
                code: code, group: Group(rawValue: String(letter)) ?? .everything,
                meaning: meaning, hint: hint, severity: severity)
            self.need = need
            self.body = body
        }

        func run(_ exam: Examination) -> CheckResult {
            var probe = Probe(check)
            if let reason = need.missing(in: exam) {
                probe.skip(reason)
            } else {
                body(exam, &probe)
            }
            return probe.result()
        }
    }
}

extension ConformanceReport {
    /// Runs every check of the table against one adapter; `vectors` are the bytes of its file.
    ///
    /// Pure: no clock, no I/O, the same result each time. Takes about a second for most adapters.
    /// Throws when the fixtures cannot make their adapter.
    public init(
        checking fixtures: some ProviderFixtures, vectors: [UInt8]
    ) throws(ProviderConfigurationError) {
        let exam = try Examination(fixtures, ConformanceVectors(json: vectors))
        provider = exam.descriptor.id
        results = ConformanceCheck.table.map { $0.run(exam) }
    }
}
