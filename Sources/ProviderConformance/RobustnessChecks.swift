import CheckoutModel
import ProviderKit

/// Group X, the part about input that nobody sends in earnest.
///
/// A trap ends the run: that is the finding.
enum RobustnessChecks {
    static func randomDeliveries(_ exam: Examination, _ probe: inout Probe) {
        guard let sound = exam.soundDelivery() else { return }
        var random = RandomBytes(seed: 1)
        for round in 0..<Limits.randomRounds {
            var body = sound.body
            var fields = sound.headers.fields
            // Round by round something else is damaged; never nothing.
            if round % 3 != 1 || fields.isEmpty {
                body = round % 2 == 0 ? random.bytes(upTo: 300) : random.damaged(body)
            }
            if round % 3 != 0, !fields.isEmpty {
                let place = random.below(fields.count)
                let value = random.damaged(Array(fields[place].value.utf8))
                fields[place] = HeaderList.Field(
                    name: fields[place].name, value: String(decoding: value, as: UTF8.self))
            }
            let delivery = WebhookDelivery(
                configuredURL: sound.configuredURL, headers: HeaderList(fields), body: body)
            let isChanged = body != sound.body && exam.facts.coversBytes
            let verdict = exam.verify(delivery)
            probe.expect(
                verdict.code != nil || !isChanged, "a random body to be refused", "\(verdict)")
        }
    }

    /// Bodies that are signed and make no sense: understood or set aside, never believed.
    static func randomBodies(_ exam: Examination, _ probe: inout Probe) {
        guard let receiver = exam.webhooks, let sound = exam.successBody(event: 1) else { return }
        var random = RandomBytes(seed: 2)
        for round in 0..<Limits.randomRounds {
            let isNoise = round % 2 == 0
            let body = isNoise ? random.bytes(upTo: 300) : random.damaged(sound)
            guard let delivery = exam.signed(body), let found = exam.verify(delivery).delivery
            else {
                probe.expect(true, "", "")
                continue
            }
            let events = Examination.reading(found, by: receiver).events
            _ = receiver.identity(of: found)
            probe.expect(
                !isNoise || events.allSatisfy { $0.kind == .ignored }, "noise to mean nothing",
                "it was read as \(events.map(\.summary))")
        }
    }

    static func randomURLs(_ exam: Examination, _ probe: inout Probe) {
        var random = RandomBytes(seed: 3)
        let pages = exam.vectors.checkoutURLs.map(\.url) + ["https://pay.example/x"]
        for round in 0..<Limits.randomRounds {
            let noise = String(decoding: random.bytes(upTo: 120), as: UTF8.self)
            let match = exam.provider.recognise(checkoutURL: noise)
            probe.expect(match == .notMine, "noise to be no checkout page", "it was \(match)")
            let page = random.damaged(Array(pages[round % pages.count].utf8))
            _ = exam.provider.recognise(checkoutURL: String(decoding: page, as: UTF8.self))
        }
    }

    static func randomReturns(_ exam: Examination, _ probe: inout Probe) {
        guard let returns = exam.returns else { return }
        var random = RandomBytes(seed: 4)
        for _ in 0..<Limits.randomRounds {
            let bytes = Array("https://shop.example/back?".utf8) + random.bytes(upTo: 120)
            guard let url = try? ReturnURL(parsing: bytes) else {
                probe.expect(true, "", "")
                continue
            }
            let claim = try? returns.parseReturn(ReturnRequest(url: url, landing: .success))
            probe.expect(
                claim?.status ?? .pending == .pending, "a random return to be pending",
                "it was \(claim?.status.name ?? "")")
            if let signed = exam.signedReturns {
                _ = try? signed.plan(for: ReturnRequest(url: url))
            }
        }
    }

    static func randomReplies(_ exam: Examination, _ probe: inout Probe) {
        var random = RandomBytes(seed: 5)
        for round in 0..<Limits.randomRounds {
            let reply = HTTPReply(
                status: round % 4 == 0 ? random.below(700) : 200, body: random.bytes(upTo: 300))
            if let queries = exam.queries {
                let report = try? queries.interpret(reply, for: .payment("pay_1"))
                var isKnown = false
                if case .known = report { isKnown = true }
                probe.expect(!isKnown, "noise to tell nothing", "it was read as a status")
            }
            if let creation = exam.creation {
                let session = try? creation.interpretCreation(reply, of: exam.fixtures.draft)
                probe.expect(session == nil, "noise to be no session", "it was read as one")
            }
        }
        if exam.queries == nil && exam.creation == nil { probe.skip("it reads no replies") }
    }

    /// The same input gives the same answer, also from another instance.
    static func deterministic(_ exam: Examination, _ probe: inout Probe) {
        guard let other = try? exam.fixtures.adapter(.test) else { return }
        for page in exam.vectors.checkoutURLs {
            probe.expect(
                exam.provider.recognise(checkoutURL: page.url)
                    == other.recognise(checkoutURL: page.url),
                "the same answer from another instance", "\(page.url) was read otherwise")
        }
        guard let receiver = exam.webhooks, let second = other as? any WebhookReceiving else {
            probe.expect(
                exam.provider.recognise(checkoutURL: "") == other.recognise(checkoutURL: ""),
                "the same answer from another instance", "it was another")
            return
        }
        for kind in exam.facts.events + [.unknownType] {
            guard let body = exam.fixtures.body(exam.usual(exam.sample(kind))),
                let delivery = exam.signed(body), let found = exam.verify(delivery).delivery
            else { continue }
            let readings = [receiver, receiver, second].map { $0.reading(of: found) }
            probe.expect(
                readings.allSatisfy { $0 == readings[0] }, "\(kind.name) to be read the same again",
                "it was read otherwise")
            let plans = [receiver, receiver, second].map { try? $0.plans(for: delivery) }
            probe.expect(
                plans.allSatisfy { $0 == plans[0] }, "the same plan for the same delivery",
                "it was another")
            let names = [receiver, receiver, second].map { $0.identity(of: found) }
            probe.expect(
                names.allSatisfy { $0 == names[0] }, "the same name for the same delivery",
                "it was another")
        }
    }

    /// Nothing that is printed, logged or debugged shows a secret or a person.
    static func descriptions(_ exam: Examination, _ probe: inout Probe) {
        var shown: [(String, String)] = [
            ("the adapter", RequestChecks.shown(exam.provider)),
            ("the descriptor", RequestChecks.shown(exam.descriptor)),
        ]
        if let set = try? exam.secrets([exam.key]) {
            shown.append(("the secrets", RequestChecks.shown(set)))
        }
        if let receiver = exam.webhooks, let delivery = exam.soundDelivery() {
            shown.append(("a delivery", "\(delivery)"))
            let plans = (try? receiver.plans(for: delivery)) ?? []
            shown.append(("a verification plan", RequestChecks.shown(plans.map(\.anyOf.count))))
            if let found = exam.verify(delivery).delivery {
                shown.append(("a verified delivery", "\(found)"))
                let events = Examination.reading(found, by: receiver).events
                shown.append(("its events", events.map { "\($0)" }.joined()))
            }
            for outcome in [WebhookOutcome.recorded, .rejected(.signatureMismatch)] {
                let reply = receiver.acknowledgement(for: outcome)
                shown.append(("an answer", String(decoding: reply.body, as: UTF8.self)))
            }
        }
        for (what, text) in shown {
            for (index, secret) in exam.secretTexts.enumerated() {
                probe.expect(
                    !text.contains(secret), "\(what) not to show secret \(index + 1)", "it did")
            }
            probe.expect(
                !text.contains("zoe@example.com"), "\(what) not to show a customer's address",
                "it did")
        }
    }
}
