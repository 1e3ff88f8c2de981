import CheckoutModel
import ProviderKit

/// Group W: whom a delivery is believed to come from.
enum DeliveryChecks {
    // MARK: - Vectors

    static func acceptedVectors(_ exam: Examination, _ probe: inout Probe) {
        for vector in exam.facts.deliveries {
            guard case .accepted(let summaries) = vector.expected else { continue }
            let (verdict, receiver) = verdict(exam, vector)
            guard let delivery = verdict.delivery, let receiver else {
                probe.expect(false, "delivery \(vector.id) to be accepted", "\(verdict)")
                continue
            }
            let found = Examination.reading(delivery, by: receiver)
            probe.expect(
                found.events.map(\.summary) == summaries,
                "delivery \(vector.id) to say [\(summaries.joined(separator: ", "))]", found.text)
        }
    }

    static func rejectedVectors(_ exam: Examination, _ probe: inout Probe) {
        for vector in exam.facts.deliveries {
            guard case .rejected(let code) = vector.expected else { continue }
            let (verdict, _) = verdict(exam, vector)
            probe.expect(
                verdict.code == code, "delivery \(vector.id) to be refused as \(code)", "\(verdict)"
            )
        }
    }

    private static func verdict(
        _ exam: Examination, _ vector: DeliveryVector
    ) -> (Examination.Verdict, (any WebhookReceiving)?) {
        guard let receiver = try? exam.fixtures.adapter(vector.mode) as? any WebhookReceiving else {
            return (.refused("not_a_receiver"), nil)
        }
        var resolved = ResolvedKeys()
        for (request, pem) in vector.resolved { try? resolved.add(pem: pem, for: request) }
        do {
            let secrets = try SecretSet(vector.secrets, rules: exam.descriptor.secretRules)
            let verifier = try DeliveryVerifier(provider: receiver, secrets: secrets)
            return (
                .accepted(
                    try verifier.verify(vector.delivery, at: vector.now, resolved: resolved)),
                receiver
            )
        } catch let error as WebhookRejection {
            return (.refused(error.code), receiver)
        } catch let error as SecretError {
            return (.refused(error.code), receiver)
        } catch {
            return (.refused("unknown_error"), receiver)
        }
    }

    // MARK: - Keys

    static func sound(_ exam: Examination, _ probe: inout Probe) {
        for (index, key) in exam.fixtures.keys.enumerated() {
            guard let body = exam.successBody(event: 1), let delivery = exam.signed(body, key: key)
            else {
                probe.expect(false, "the fixtures to sign a delivery", "they do not")
                continue
            }
            let verdict = exam.verify(delivery, keys: [key])
            probe.expect(
                verdict.delivery != nil, "a delivery signed with key \(index + 1) to be accepted",
                "\(verdict)")
        }
    }

    static func otherSecret(_ exam: Examination, _ probe: inout Probe) {
        guard let body = exam.successBody(event: 1), let other = exam.otherKey else { return }
        for (signer, receiver) in [(exam.key, other), (other, exam.key)] {
            guard let delivery = exam.signed(body, key: signer) else { continue }
            let verdict = exam.verify(delivery, keys: [receiver])
            probe.expect(
                verdict.code != nil, "a delivery signed with another key to be refused",
                "\(verdict)")
        }
    }

    static func rotated(_ exam: Examination, _ probe: inout Probe) {
        guard let body = exam.successBody(event: 1), let other = exam.otherKey else { return }
        for keys in [[exam.key, other], [other, exam.key]] {
            for key in keys {
                guard let delivery = exam.signed(body, key: key) else { continue }
                let verdict = exam.verify(delivery, keys: keys)
                probe.expect(
                    verdict.delivery != nil,
                    "either of two secrets to hold while they are rotated", "\(verdict)")
            }
        }
    }

    static func emptySecret(_ exam: Examination, _ probe: inout Probe) {
        guard let receiver = exam.webhooks else { return }
        for rule in exam.descriptor.secretRules {
            for text in ["", " ", rule.prefix, "\n"] {
                let set = try? SecretSet([rule.role: [text]], rules: [rule])
                probe.expect(
                    set == nil, "an empty secret for \(rule.role) to be refused", "it was taken")
            }
        }
        let none = try? SecretSet([:], rules: exam.descriptor.secretRules)
        if let none, let delivery = exam.soundDelivery() {
            let verified = try? DeliveryVerifier(provider: receiver, secrets: none)
                .verify(delivery, at: exam.now)
            probe.expect(
                verified == nil, "nothing to be believed without a secret", "a delivery was")
        }
        if let body = exam.successBody(event: 1),
            let delivery = exam.signed(body, key: exam.key.withEmptySigning)
        {
            let verdict = exam.verify(delivery)
            probe.expect(
                verdict.code != nil, "a delivery signed with an empty key to be refused",
                "\(verdict)")
        }
    }

    // MARK: - Signatures

    static func flippedBits(_ exam: Examination, _ probe: inout Probe) {
        guard let body = exam.successBody(event: 1) else { return }
        let length = signatureLength(exam, body)
        let bits =
            length <= Limits.fullyFlippedBytes
            ? Array(0..<length * 8) : (0..<length).map { $0 * 8 + $0 % 8 }
        for bit in bits {
            let forged = exam.signed(body) { signature in
                var signature = signature
                if bit / 8 < signature.count { signature[bit / 8] ^= 1 << UInt8(bit % 8) }
                return [signature]
            }
            guard let forged else { continue }
            let verdict = exam.verify(forged)
            probe.expect(
                verdict.code != nil, "a signature with bit \(bit) flipped to be refused",
                "\(verdict)")
        }
    }

    /// The length of the signature that the fixtures make, which only a forger gets to see.
    private static func signatureLength(_ exam: Examination, _ body: [UInt8]) -> Int {
        let plans = exam.signed(body).flatMap { try? exam.webhooks?.plans(for: $0) } ?? []
        return plans.flatMap { $0.anyOf.flatMap { $0.signatures.map(\.count) } }.max() ?? 32
    }

    static func wrongLength(_ exam: Examination, _ probe: inout Probe) {
        guard let body = exam.successBody(event: 1) else { return }
        let changes: [(String, @Sendable ([UInt8]) -> [[UInt8]])] = [
            ("no signature", { _ in [] }), ("an empty signature", { _ in [[]] }),
            ("one byte of the signature", { [Array($0.prefix(1))] }),
            ("half of the signature", { [Array($0.prefix($0.count / 2))] }),
            ("the signature without its last byte", { [$0.dropLast(1) + []] }),
            ("the signature without its first byte", { [$0.dropFirst(1) + []] }),
            ("the signature with a zero byte behind it", { [$0 + [0]] }),
            ("the signature with a zero byte before it", { [[0] + $0] }),
            ("zeros", { [[UInt8](repeating: 0, count: $0.count)] }),
            ("the signature backwards", { [$0.reversed()] }),
        ]
        for (what, change) in changes {
            guard let delivery = exam.signed(body, forging: change) else { continue }
            let verdict = exam.verify(delivery)
            probe.expect(verdict.code != nil, "\(what) to be refused", "\(verdict)")
        }
    }

    static func longList(_ exam: Examination, _ probe: inout Probe) {
        guard let body = exam.successBody(event: 1) else { return }
        let wrong = exam.signed(body) { signature in
            let item = signature.map { $0 ^ 0x5A }
            return [[UInt8]](repeating: item, count: Limits.longListItems)
        }
        if let wrong {
            let verdict = exam.verify(wrong)
            probe.expect(
                verdict.code != nil, "\(Limits.longListItems) wrong signatures to be refused",
                "\(verdict)")
        }
        guard exam.facts.hasLists else { return }
        for isFirst in [true, false] {
            let two = exam.signed(body) { signature in
                let wrong = signature.map { $0 ^ 0x5A }
                return isFirst ? [signature, wrong] : [wrong, signature]
            }
            guard let two else { continue }
            let verdict = exam.verify(two)
            probe.expect(
                verdict.delivery != nil, "the right signature beside a wrong one to hold",
                "\(verdict)")
        }
    }

    // MARK: - The clock

    static func clock(_ exam: Examination, _ probe: inout Probe) {
        guard let delivery = exam.soundDelivery() else { return }
        let moments: [(Int64, String?)]
        if let tolerance = exam.facts.toleranceSeconds {
            moments = [
                (tolerance - 1, nil), (tolerance, nil), (tolerance + 1, "timestamp_too_old"),
                (1 - tolerance, nil), (-tolerance, nil), (-tolerance - 1, "timestamp_too_new"),
                (86_400 * 365, "timestamp_too_old"), (-86_400 * 365, "timestamp_too_new"),
            ]
        } else {
            moments = [(86_400 * 365, nil), (-86_400 * 365, nil)]
        }
        for (age, code) in moments {
            let verdict = exam.verify(delivery, at: Instant(seconds: exam.now.seconds + age))
            probe.expect(
                verdict.code == code,
                "a delivery that is \(age) s old to be \(code ?? "accepted")",
                "\(verdict)")
        }
    }

    // MARK: - Notes that nobody signs

    static func hint(_ exam: Examination, _ probe: inout Probe) {
        guard let hints = exam.hints else { return }
        guard let sample = exam.fixtures.hint(exam.fixtures.ids(1)) else {
            probe.expect(false, "the fixtures to have a hint", "they have none")
            return
        }
        let target = hints.hint(in: sample.delivery)
        probe.expect(
            target == sample.target, "a hint to name \(sample.target)",
            "it named \(target.map { "\($0)" } ?? "nothing")")
        let empty = hints.hint(in: WebhookDelivery(headers: [:], body: []))
        probe.expect(empty == nil, "an empty note to say nothing", "it named something")
        var random = RandomBytes(seed: 7)
        for _ in 0..<Limits.randomRounds {
            let body = random.damaged(sample.delivery.body)
            let note = WebhookDelivery(
                method: sample.delivery.method, configuredURL: sample.delivery.configuredURL,
                headers: sample.delivery.headers, body: body)
            let first = hints.hint(in: note)
            probe.expect(first == hints.hint(in: note), "the same target again", "it was another")
        }
    }
}
