import CheckoutModel
import ProviderKit

/// Group X, the part about what an adapter claims.
enum HonestyChecks {
    static func vectors(_ exam: Examination, _ probe: inout Probe) {
        for problem in exam.vectors.problems {
            probe.expect(false, "vectors that can be read", problem)
        }
        probe.expect(
            exam.vectors.provider == exam.descriptor.id.rawValue,
            "the vectors of \(exam.descriptor.id)", "they are of \(exam.vectors.provider)")
    }

    static func descriptor(_ exam: Examination, _ probe: inout Probe) {
        let descriptor = exam.descriptor
        do throws(RegistryError) {
            _ = try ProviderRegistry([exam.provider])
            probe.expect(true, "", "")
        } catch {
            probe.expect(false, "an adapter that can be registered", error.message)
        }
        probe.expect(
            !descriptor.name.isEmpty && !descriptor.adapterVersion.isEmpty,
            "a name and a version", "one of them is empty")
        let roles = descriptor.secretRules.map(\.role)
        probe.expect(
            Set(roles).count == roles.count, "one rule for each kind of secret", "there are two")
        for rule in descriptor.secretRules {
            probe.expect(
                rule.minimumBytes >= 1, "secrets for \(rule.role) that are not empty",
                "an empty one would do")
        }
        for key in exam.fixtures.keys {
            let set = try? exam.secrets([key])
            probe.expect(set != nil, "the fixtures' secrets to fit the rules", "they do not")
        }
    }

    /// What is claimed is exercised, and what the vectors speak of is claimed.
    static func capabilities(_ exam: Examination, _ probe: inout Probe) {
        func claim(_ name: String, _ isClaimed: Bool, _ lacks: [(Bool, String)]) {
            for (isMissing, what) in lacks where isClaimed {
                probe.expect(!isMissing, "\(what), because it claims \(name)", "there is none")
            }
        }
        let vectors = exam.vectors
        let sample = exam.sample(exam.successKind ?? .payment(.succeeded))
        let pages = vectors.checkoutURLs.filter { $0.match != .notMine }
        claim(
            "checkout pages", !exam.provider.checkoutURLRules.isEmpty,
            [(pages.isEmpty, "a checkout URL in the vectors")])
        claim(
            "return URLs", exam.returns != nil,
            [
                (vectors.returns == nil, "a section 'returns' in the vectors"),
                (vectors.returns?.cases.isEmpty ?? true, "a return case in the vectors"),
            ])
        let signs = exam.fixtures.signedReturn(
            ReturnSigning(ids: exam.fixtures.ids(1), word: nil, time: exam.now, key: exam.key))
        claim("signed returns", exam.signedReturns != nil, [(signs == nil, "a signed return")])
        let facts = vectors.webhook
        let expectations = facts?.deliveries.map(\.expected) ?? []
        claim(
            "webhooks", exam.webhooks != nil,
            [
                (facts == nil, "a section 'webhook' in the vectors"),
                (facts?.events.isEmpty ?? true, "an event kind in the vectors"),
                (exam.fixtures.keys.count < 2, "a second key"),
                (exam.fixtures.body(sample) == nil, "a body of \(sample.kind.name)"),
                (exam.fixtures.body(exam.sample(.unknownType)) == nil, "a body of unknown type"),
                (exam.soundDelivery() == nil, "a signed delivery"),
                (!expectations.contains(where: \.isAccepted), "an accepted delivery vector"),
                (!expectations.contains { !$0.isAccepted }, "a rejected delivery vector"),
            ])
        claim(
            "hints", exam.hints != nil,
            [(exam.fixtures.hint(exam.fixtures.ids(1)) == nil, "a hint")])
        claim(
            "status queries", exam.queries != nil,
            [(vectors.statuses.isEmpty, "a section 'statuses' in the vectors")])
        claim(
            "session creation", exam.creation != nil,
            [
                (vectors.creation == nil, "a section 'creation' in the vectors"),
                (exam.fixtures.creationReply(exam.fixtures.ids(1)) == nil, "a creation reply"),
            ])
        let waits: HTTPReply? = vectors.statuses.first { $0.target == "session" }.flatMap { kind in
            CompletionChecks.reply(exam, kind.words.first?.word ?? "")
        }
        claim(
            "payment completion", exam.completion != nil,
            [
                (vectors.completion == nil, "a section 'completion' in the vectors"),
                (waits == nil, "a reply to a completion"),
            ])
        unclaimed(exam, &probe)
    }

    private static func unclaimed(_ exam: Examination, _ probe: inout Probe) {
        let sections: [(String, Bool, Bool)] = [
            ("returns", exam.vectors.returns != nil, exam.returns != nil),
            ("webhook", exam.vectors.webhook != nil, exam.webhooks != nil),
            ("statuses", !exam.vectors.statuses.isEmpty, exam.queries != nil),
            ("creation", exam.vectors.creation != nil, exam.creation != nil),
            ("completion", exam.vectors.completion != nil, exam.completion != nil),
        ]
        for (name, isThere, isClaimed) in sections {
            probe.expect(
                !isThere || isClaimed,
                "the adapter to claim what '\(name)' in the vectors is about",
                "it does not")
        }
        for kind in exam.vectors.webhook?.events ?? [] {
            probe.expect(
                exam.fixtures.body(exam.sample(kind)) != nil,
                "a body of \(kind.name), which the vectors list", "the fixtures have none")
        }
    }
}

extension DeliveryVector.Expectation {
    fileprivate var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }
}
