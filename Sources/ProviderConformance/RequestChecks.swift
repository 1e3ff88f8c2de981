import CheckoutModel
import ProviderKit

/// Group Q, the part about what is sent, and about creating sessions.
enum RequestChecks {
    /// How many path segments and parameters a URL has, which no id may change.
    static func shape(_ url: String) -> [Int] {
        let marks: [Character] = ["/", "?", "&", "#", "=", " ", "\n"]
        return marks.map { mark in url.count { $0 == mark } }
    }

    /// What holds for every request: https, and no secret in what may be logged.
    static func judge(_ plan: HTTPRequestPlan, _ exam: Examination, _ probe: inout Probe) {
        let requests = [plan] + [plan.token?.request].compactMap { $0 }
        for request in requests {
            probe.expect(
                request.url.hasPrefix("https://"), "an https URL", "it was \(request.url)")
            probe.expect(
                ["GET", "POST", "PUT", "PATCH"].contains(request.method), "a method that exists",
                "it was \(request.method)")
            for (index, secret) in exam.secretTexts.enumerated() {
                let forms = [secret, escaped(secret)]
                probe.expect(
                    !forms.contains { request.url.contains($0) },
                    "secret \(index + 1) not to be in the URL", "it was")
                probe.expect(
                    !Self.shown(request).contains(secret),
                    "secret \(index + 1) not to be in a description", "it was")
            }
        }
    }

    private static func escaped(_ text: String) -> String {
        String(decoding: URLSegment.form([(name: "", value: text)]).dropFirst(), as: UTF8.self)
    }

    /// Everything that printing, logging and debugging would show of a value.
    static func shown(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        return text
    }

    // MARK: - Published keys

    static func keys(_ exam: Examination, _ probe: inout Probe) {
        guard let publishing = exam.provider as? any KeyPublishing else { return }
        guard let secrets = try? exam.secrets([exam.key]),
            let plan = try? publishing.keysRequest(
                secrets: secrets, now: exam.now, nonce: Nonce(bytes: [UInt8](0..<16)))
        else {
            probe.expect(false, "a request for the published keys", "none was planned")
            return
        }
        judge(plan, exam, &probe)
        var random = RandomBytes(seed: 6)
        for status in [200, 200, 404, 429, 500] {
            for _ in 0..<20 {
                let reply = HTTPReply(status: status, body: random.bytes(upTo: 300))
                let keys = (try? publishing.interpretKeys(reply, secrets: secrets)) ?? []
                probe.expect(keys.isEmpty, "noise to publish no key", "it did")
            }
        }
    }

    // MARK: - Creation

    private static func plan(
        _ exam: Examination, key: String = "key-of-a-wish-0001", later: Int64 = 0
    ) -> Result<HTTPRequestPlan, Trouble> {
        guard let creation = exam.creation, let key = IdempotencyKey(rawValue: key) else {
            return .failure("it cannot create sessions")
        }
        do {
            return .success(
                try creation.createRequest(
                    exam.fixtures.draft, idempotencyKey: key, secrets: try exam.secrets([exam.key]),
                    now: Instant(seconds: exam.now.seconds + later),
                    nonce: Nonce(bytes: [UInt8](repeating: UInt8(later & 0xFF), count: 16))))
        } catch {
            return .failure(Trouble("no request was planned: \(error)"))
        }
    }

    static func creation(_ exam: Examination, _ probe: inout Probe) {
        let planned = plan(exam)
        guard case .success(let first) = planned else {
            probe.expect(false, "a request that creates a session", "\(planned)")
            return
        }
        judge(first, exam, &probe)
        probe.expect(
            first == (try? plan(exam).get()), "the same request for the same wish",
            "it was another")
    }

    static func idempotency(_ exam: Examination, _ probe: inout Probe) {
        guard let facts = exam.vectors.creation, facts.idempotency != .none else {
            probe.skip("the provider documents no idempotency key")
            return
        }
        let plans = [plan(exam), plan(exam, later: 61), plan(exam, key: "key-of-a-wish-0002")]
            .compactMap { try? $0.get() }
        guard plans.count == 3 else { return }
        let marks = plans.map { facts.idempotency.mark(in: $0) }
        probe.expect(marks[0]?.isEmpty == false, "the key in the request", "it was not there")
        probe.expect(
            marks[0] == marks[1], "the same key when the request is repeated later",
            "it was another")
        probe.expect(marks[0] != marks[2], "another key for another wish", "it was the same")
    }

    static func created(_ exam: Examination, _ probe: inout Probe) {
        let ids = exam.fixtures.ids(1)
        guard let creation = exam.creation, let reply = exam.fixtures.creationReply(ids) else {
            probe.expect(false, "the fixtures to reply to a creation", "they do not")
            return
        }
        guard
            let session = try? creation.interpretCreation(
                reply, of: exam.fixtures.draft)
        else {
            probe.expect(false, "a sound reply to be read", "it was refused")
            return
        }
        let pairs = [
            (session.ids.session, ids.session), (session.ids.payment, ids.payment),
            (session.ids.order, ids.order),
        ]
        probe.expect(
            pairs.allSatisfy { $0 == nil || $0 == $1 } && pairs.contains { $0.0 != nil },
            "the ids of what was made", "they were \(session.ids)")
        probe.expect(
            session.mode != .live || exam.facts.isLiveOnly, "a test session not to be live",
            "it was")
        steps(exam, creation, last: reply, &probe)
        guard let url = session.checkoutURL, !exam.provider.checkoutURLRules.isEmpty else { return }
        let match = exam.provider.recognise(checkoutURL: url)
        probe.expect(match != .notMine, "its own checkout page to be recognised", "it was not")
    }

    /// Each reply but the last one leads to a request as sound as the first.
    private static func steps(
        _ exam: Examination, _ creation: any SessionCreating, last: HTTPReply,
        _ probe: inout Probe
    ) {
        func next(_ reply: HTTPReply) -> HTTPRequestPlan? {
            guard let key = IdempotencyKey(rawValue: "key-of-a-wish-0001"),
                let secrets = try? exam.secrets([exam.key])
            else { return nil }
            return
                (try? creation.nextRequest(
                    after: reply, for: exam.fixtures.draft, idempotencyKey: key, secrets: secrets,
                    now: exam.now, nonce: Nonce(bytes: [UInt8](repeating: 0, count: 16)))) ?? nil
        }
        for reply in exam.fixtures.creationSteps(exam.fixtures.ids(1)) {
            guard let plan = next(reply) else {
                probe.expect(false, "a request after a reply that is not the last", "there is none")
                continue
            }
            judge(plan, exam, &probe)
            probe.expect(plan == next(reply), "the same request again", "it was another")
            if let facts = exam.vectors.creation, facts.idempotency != .none {
                let mark = facts.idempotency.mark(in: plan)
                probe.expect(mark?.isEmpty == false, "a key in every request", "there was none")
            }
        }
        probe.expect(next(last) == nil, "no request after the last reply", "there was one")
    }

    static func creationTrouble(_ exam: Examination, _ probe: inout Probe) {
        guard let creation = exam.creation,
            let sound = exam.fixtures.creationReply(exam.fixtures.ids(1))
        else { return }
        func outcome(_ status: Int, _ body: [UInt8]) -> String {
            do throws(ProviderReplyError) {
                _ = try creation.interpretCreation(
                    HTTPReply(status: status, headers: sound.headers, body: body),
                    of: exam.fixtures.draft)
                return "a session"
            } catch {
                return error.code
            }
        }
        for count in sound.body.indices {
            let outcome = outcome(sound.status, Array(sound.body.prefix(count)))
            probe.expect(
                outcome == "unreadable_reply",
                "the first \(count) bytes of a reply to leave open what was made",
                "it was \(outcome)")
        }
        for status in [500, 502, 503] {
            for body in [[], sound.body] {
                let outcome = outcome(status, body)
                probe.expect(
                    outcome == "unreadable_reply", "a \(status) to leave open what was made",
                    "it was \(outcome)")
            }
        }
        for (status, wanted) in [(401, "unauthorized"), (400, "refused"), (422, "refused")] {
            let outcome = outcome(status, Array("{}".utf8))
            probe.expect(outcome == wanted, "a \(status) to be \(wanted)", "it was \(outcome)")
        }
    }
}
