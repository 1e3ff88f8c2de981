import CheckoutModel
import ProviderKit

/// Group Q, the part about taking money that a customer approved.
enum CompletionChecks {
    static func reply(_ exam: Examination, _ word: String, number: Int = 1) -> HTTPReply? {
        let ids = exam.fixtures.ids(number)
        guard let session = ids.session else { return nil }
        return exam.fixtures.completionReply(
            StatusSample(
                word: word, target: .session(session), ids: ids,
                amount: exam.usual(exam.sample(.captured)).amount, mode: .test))
    }

    private static func plan(
        _ exam: Examination, of session: String? = nil, key: String = "key-of-a-wish-0001",
        later: Int64 = 0
    ) -> Result<HTTPRequestPlan, Trouble> {
        guard let completion = exam.completion, let key = IdempotencyKey(rawValue: key),
            let session = session ?? exam.fixtures.ids(1).session
        else { return .failure("it completes no payments") }
        do {
            return .success(
                try completion.completionRequest(
                    for: session, idempotencyKey: key, secrets: try exam.secrets([exam.key]),
                    now: Instant(seconds: exam.now.seconds + later),
                    nonce: Nonce(bytes: [UInt8](repeating: UInt8(later & 0xFF), count: 16))))
        } catch {
            return .failure(Trouble("no request was planned: \(error)"))
        }
    }

    static func requests(_ exam: Examination, _ probe: inout Probe) {
        let planned = plan(exam)
        guard case .success(let first) = planned else {
            probe.expect(false, "a request that completes a session", "\(planned)")
            return
        }
        RequestChecks.judge(first, exam, &probe)
        probe.expect(first.method != "GET", "a method that may change something", "it was GET")
        let plans =
            [first]
            + [plan(exam, later: 61), plan(exam, key: "key-of-a-wish-0002")]
            .compactMap { try? $0.get() }
        let marks = plans.map { exam.vectors.completion?.idempotency.mark(in: $0) }
        guard marks.count == 3, let mark = marks[0] ?? nil, !mark.isEmpty else {
            probe.expect(false, "the key in the request", "it was not there")
            return
        }
        probe.expect(
            marks[1] == mark, "the same key when the request is repeated later", "it was another")
        probe.expect(marks[2] != mark, "another key for another wish", "it was the same")
        let shape = RequestChecks.shape(first.url)
        for id in ["../x", "a/b", "a?b=c", "a#b", "a b", "%2e%2e/x", "a\nb"] {
            guard case .success(let plan) = Self.plan(exam, of: id) else { continue }
            probe.expect(
                RequestChecks.shape(plan.url) == shape, "the id \(id) not to change the path",
                "the URL became \(plan.url)")
        }
    }

    static func replies(_ exam: Examination, _ probe: inout Probe) {
        guard let kind = exam.vectors.statuses.first(where: { $0.target == "session" }),
            let session = exam.fixtures.ids(1).session
        else { return }
        for (word, status) in kind.words {
            guard let sound = reply(exam, word) else { continue }
            let report = report(exam, sound, session)
            probe.expect(
                report.status == status, "\(word) to be \(status.name)", report.text)
            for count in sound.body.indices {
                let cut = HTTPReply(
                    status: sound.status, headers: sound.headers,
                    body: Array(sound.body.prefix(count)))
                let report = self.report(exam, cut, session)
                probe.expect(
                    report.tellsNothing, "the first \(count) bytes of a reply to tell nothing",
                    report.text)
            }
            for status in [302, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503] {
                let reply = HTTPReply(status: status, headers: sound.headers, body: sound.body)
                let report = self.report(exam, reply, session)
                probe.expect(report.tellsNothing, "a \(status) to tell nothing", report.text)
            }
            guard exam.vectors.statusNamesObject, let other = reply(exam, word, number: 2) else {
                continue
            }
            let foreign = self.report(exam, other, session)
            probe.expect(
                foreign.tellsNothing, "a reply about another session to tell nothing",
                foreign.text)
        }
    }

    private static func report(
        _ exam: Examination, _ reply: HTTPReply, _ session: String
    ) -> Result<StatusReport, ProviderReplyError> {
        guard let completion = exam.completion else { return .failure(.unreadable) }
        do throws(ProviderReplyError) {
            return .success(try completion.interpretCompletion(reply, for: session))
        } catch {
            return .failure(error)
        }
    }
}

extension CreationFacts.Idempotency {
    /// Where the key must stand in a request; nil where it is not there, or in none.
    func mark(in plan: HTTPRequestPlan) -> [UInt8]? {
        switch self {
        case .header(let name): plan.headers.first(name).map { Array($0.utf8) }
        case .body: plan.body
        case .none: nil
        }
    }
}

extension Result where Success == StatusReport, Failure == ProviderReplyError {
    fileprivate var status: CheckoutStatus? {
        if case .success(.known(let facts)) = self { facts.status } else { nil }
    }

    /// True also where the provider's refusal was thrown.
    fileprivate var tellsNothing: Bool { status == nil }
}
