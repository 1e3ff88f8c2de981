import CheckoutModel
import ProviderKit

/// Group R, the part about returns that the provider signs.
enum SignedReturnChecks {
    private typealias Pairs = [(name: String, value: String)]

    private static func pairs(
        _ exam: Examination, word: String? = nil, number: Int = 1, key: FixtureKey? = nil,
        forging forge: @escaping @Sendable ([UInt8]) -> [[UInt8]] = { [$0] }
    ) -> Pairs? {
        let first = exam.vectors.returns?.words.first { $0.status == .succeeded }?.word
        return exam.fixtures.signedReturn(
            ReturnSigning(
                ids: exam.fixtures.ids(number), word: word ?? first, time: exam.now,
                key: key ?? exam.key, forge: forge))
    }

    /// What a host with these keys makes of a return.
    private static func verify(
        _ exam: Examination, _ pairs: Pairs, keys: [FixtureKey]? = nil, open: String? = nil
    ) -> Result<VerifiedReturn, Trouble> {
        guard let provider = exam.signedReturns,
            let request = ReturnChecks.request(ReturnChecks.query(pairs), open: open)
        else { return .failure("it is no return") }
        do {
            let verifier = try ReturnVerifier(
                provider: provider, secrets: try exam.secrets(keys ?? [exam.key]))
            return .success(try verifier.verify(request, at: exam.now))
        } catch {
            return .failure(Trouble("it was refused: \(error)"))
        }
    }

    private static func refuse(
        _ exam: Examination, _ pairs: Pairs?, _ what: String, _ probe: inout Probe
    ) {
        guard let pairs else { return }
        let found = verify(exam, pairs)
        probe.expect((try? found.get()) == nil, "\(what) not to count as signed", "it did")
    }

    static func sound(_ exam: Examination, _ probe: inout Probe) {
        let words: [(word: String?, status: CheckoutStatus)] =
            exam.vectors.returns?.words.map { (word: $0.word, status: $0.status) } ?? []
        let all = words.isEmpty ? [(word: nil, status: CheckoutStatus.pending)] : words
        for (word, status) in all {
            guard let pairs = pairs(exam, word: word) else {
                probe.expect(false, "the fixtures to sign a return", "they do not")
                continue
            }
            switch verify(exam, pairs) {
            case .success(let verified):
                probe.expect(
                    verified.claim.status == status,
                    "a signed \(word ?? "return") to be \(status.name)",
                    "it was \(verified.claim.status.name)")
            case .failure(let trouble):
                probe.expect(false, "a signed return to hold", trouble.description)
            }
        }
    }

    static func altered(_ exam: Examination, _ probe: inout Probe) {
        guard let pairs = pairs(exam), let others = self.pairs(exam, number: 2) else { return }
        let unsigned = exam.vectors.returns?.unsigned ?? []
        for (index, pair) in pairs.enumerated() where !unsigned.contains(pair.name) {
            let other = others.first { $0.name == pair.name }?.value ?? ""
            for value in ["", pair.value + "x", "x" + pair.value, other] where value != pair.value {
                var changed = pairs
                changed[index].value = value
                refuse(exam, changed, "a return with another \(pair.name)", &probe)
                for doubled in [pairs + [changed[index]], [changed[index]] + pairs] {
                    // What the adapter reads then must be what was signed.
                    guard case .success(let found) = verify(exam, doubled) else { continue }
                    let sound = try? verify(exam, pairs).get()
                    probe.expect(
                        found.claim.ids == sound?.claim.ids
                            && found.claim.status == sound?.claim.status,
                        "a second \(pair.name) to change nothing", "the claim changed")
                }
            }
            var fewer = pairs
            fewer.remove(at: index)
            refuse(exam, fewer, "a return without \(pair.name)", &probe)
        }
        for word in exam.vectors.returns?.words.map(\.word) ?? [] {
            guard let name = exam.vectors.returns?.statusName,
                let place = pairs.firstIndex(where: { $0.name == name }), pairs[place].value != word
            else { continue }
            var changed = pairs
            changed[place].value = word
            refuse(exam, changed, "a return with the status changed to \(word)", &probe)
        }
    }

    static func unsigned(_ exam: Examination, _ probe: inout Probe) {
        refuse(exam, pairs(exam) { _ in [[]] }, "an empty signature", &probe)
        refuse(exam, pairs(exam) { [$0.dropLast(1) + []] }, "a signature cut short", &probe)
        refuse(exam, pairs(exam) { [$0 + [0]] }, "a signature too long", &probe)
        refuse(
            exam, pairs(exam) { $0.isEmpty ? [] : [[$0[0] ^ 1] + $0.dropFirst()] },
            "a damaged signature", &probe)
        refuse(exam, pairs(exam, key: exam.otherKey), "another key's signature", &probe)
        refuse(
            exam, pairs(exam, key: exam.key.withEmptySigning), "an empty key's signature", &probe)
        refuse(exam, [], "a return without parameters", &probe)
        guard let pairs = pairs(exam), let open = exam.fixtures.ids(2).session,
            exam.vectors.returns?.sessionName != nil
        else { return }
        let other = verify(exam, pairs, open: open)
        probe.expect(
            (try? other.get()) == nil, "a signed return about another session to be refused",
            "it was taken")
    }
}
