import CheckoutModel
import ProviderKit

/// Group Q: asking the provider how a payment stands.
enum StatusChecks {
    static func target(_ name: String, _ ids: ProviderIDs) -> StatusQueryTarget? {
        switch name {
        case "session": ids.session.map { .session($0) }
        case "payment": ids.payment.map { .payment($0) }
        case "order": ids.order.map { .order($0) }
        default: ids.order.map { .merchantReference($0) }
        }
    }

    private static func reply(
        _ exam: Examination, _ word: String, _ name: String, number: Int = 1
    ) -> (reply: HTTPReply, target: StatusQueryTarget)? {
        let ids = exam.fixtures.ids(number)
        guard let target = target(name, ids) else { return nil }
        let sample = StatusSample(
            word: word, target: target, ids: ids, amount: amount(exam), mode: .test)
        return exam.fixtures.reply(sample).map { (reply: $0, target: target) }
    }

    private static func amount(_ exam: Examination) -> SampleAmount {
        exam.usual(exam.sample(.captured)).amount
    }

    private static func report(
        _ exam: Examination, _ reply: HTTPReply, _ target: StatusQueryTarget
    ) -> Result<StatusReport, ProviderReplyError> {
        guard let queries = exam.queries else { return .failure(.unreadable) }
        do throws(ProviderReplyError) {
            return .success(try queries.interpret(reply, for: target))
        } catch {
            return .failure(error)
        }
    }

    static func words(_ exam: Examination, _ probe: inout Probe) {
        for kind in exam.vectors.statuses {
            for (word, status) in kind.words {
                guard let (reply, target) = reply(exam, word, kind.target) else {
                    probe.expect(false, "the fixtures to reply \(word)", "they have no reply")
                    continue
                }
                let report = report(exam, reply, target)
                guard case .success(.known(let facts)) = report else {
                    probe.expect(false, "\(word) to be \(status.name)", report.text)
                    continue
                }
                probe.expect(facts.status == status, "\(word) to be \(status.name)", report.text)
                probe.expect(
                    facts.amount == nil || facts.amount == amount(exam).money,
                    "the amount of \(word) to be read exactly", "it was another")
                let ids = exam.fixtures.ids(1)
                probe.expect(
                    [(facts.ids.session, ids.session), (facts.ids.payment, ids.payment)]
                        .allSatisfy { $0 == nil || $0 == $1 },
                    "the ids of what was asked about", "they were \(facts.ids)")
                probe.expect(
                    facts.mode != .live || exam.facts.isLiveOnly, "a test reply not to be live",
                    "it was")
            }
        }
    }

    /// What the adapter makes of each word.
    static func said(_ exam: Examination) -> [ProviderWord] {
        exam.vectors.statuses.flatMap { kind in
            kind.words.compactMap { word, _ in
                guard let (reply, target) = reply(exam, word, kind.target),
                    case .success(.known(let facts)) = report(exam, reply, target)
                else { return nil }
                return ProviderWord(
                    place: .answer, about: kind.target, word: word, meaning: facts.status.name)
            }
        }
    }

    static func unknownWord(_ exam: Examination, _ probe: inout Probe) {
        for kind in exam.vectors.statuses {
            for word in ["zz_never_seen", "SUCCEEDED_BUT_NOT_QUITE"] {
                guard let (reply, target) = reply(exam, word, kind.target) else { continue }
                let report = report(exam, reply, target)
                probe.expect(
                    report.isIndeterminate, "the unknown word \(word) to tell nothing", report.text)
            }
        }
    }

    /// Replies that tell nothing, whatever stands in them.
    static func trouble(_ exam: Examination, _ probe: inout Probe) {
        for kind in exam.vectors.statuses {
            guard let word = kind.words.last?.word,
                let (sound, target) = reply(exam, word, kind.target)
            else { continue }
            let bodies = [[], Array("{}".utf8), Array("<html>busy</html>".utf8), sound.body]
            for status in [302, 404, 429, 500, 502, 503, 504] {
                for body in bodies {
                    let reply = HTTPReply(
                        status: status, headers: ["Retry-After": "17"], body: body)
                    let report = report(exam, reply, target)
                    probe.expect(
                        report.isIndeterminate, "a \(status) to tell nothing", report.text)
                    guard status == 429 || status == 503 else { continue }
                    probe.expect(
                        report.retryAfterSeconds == 17, "a \(status) to keep how long to wait",
                        "it was lost")
                }
            }
        }
    }

    static func truncated(_ exam: Examination, _ probe: inout Probe) {
        for kind in exam.vectors.statuses {
            for (word, _) in kind.words {
                guard let (sound, target) = reply(exam, word, kind.target) else { continue }
                for count in sound.body.indices {
                    let reply = HTTPReply(
                        status: 200, headers: sound.headers, body: Array(sound.body.prefix(count)))
                    let report = report(exam, reply, target)
                    probe.expect(
                        report.isIndeterminate,
                        "the first \(count) bytes of a reply to tell nothing",
                        report.text)
                }
            }
        }
    }

    static func otherObject(_ exam: Examination, _ probe: inout Probe) {
        guard exam.vectors.statusNamesObject else {
            probe.skip("its replies do not name what they are about")
            return
        }
        for kind in exam.vectors.statuses {
            guard let word = kind.words.first?.word,
                let (reply, _) = reply(exam, word, kind.target, number: 2),
                let target = target(kind.target, exam.fixtures.ids(1))
            else { continue }
            let report = report(exam, reply, target)
            probe.expect(
                report.isIndeterminate, "a reply about another \(kind.target) to tell nothing",
                report.text)
        }
    }

    static func refusedKey(_ exam: Examination, _ probe: inout Probe) {
        for kind in exam.vectors.statuses {
            guard let target = target(kind.target, exam.fixtures.ids(1)) else { continue }
            for status in [401, 403] {
                let report = report(
                    exam, HTTPReply(status: status, body: Array("{}".utf8)), target)
                probe.expect(
                    report == .failure(.unauthorized) || report.isIndeterminate,
                    "a \(status) to say nothing of the payment", report.text)
            }
        }
    }

    // MARK: - Requests

    static func plan(
        _ exam: Examination, _ target: StatusQueryTarget
    ) -> Result<HTTPRequestPlan, Trouble> {
        guard let queries = exam.queries else { return .failure("it cannot be asked") }
        do {
            return .success(
                try queries.statusRequest(
                    for: target, secrets: try exam.secrets([exam.key]), now: exam.now,
                    nonce: Nonce(bytes: [UInt8](0..<16))))
        } catch {
            return .failure(Trouble("no request was planned: \(error)"))
        }
    }

    static func requests(_ exam: Examination, _ probe: inout Probe) {
        for kind in exam.vectors.statuses {
            guard let target = target(kind.target, exam.fixtures.ids(1)) else { continue }
            let planned = plan(exam, target)
            guard case .success(let plan) = planned else {
                probe.expect(false, "a request about a \(kind.target)", "\(planned)")
                continue
            }
            RequestChecks.judge(plan, exam, &probe)
            probe.expect(
                plan == (try? self.plan(exam, target).get()), "the same request again",
                "it was another")
        }
    }

    static func hostileIDs(_ exam: Examination, _ probe: inout Probe) {
        for kind in exam.vectors.statuses {
            guard let usual = target(kind.target, exam.fixtures.ids(1)),
                let plain = try? plan(exam, usual).get()
            else { continue }
            let shape = RequestChecks.shape(plain.url)
            for id in [
                "../x", "a/b", "a?b=c", "a#b", "a&b=c", "a b", "%2e%2e/x", "a\nb", "é", "a;b",
            ] {
                let ids = ProviderIDs(session: id, payment: id, order: id)
                guard let target = target(kind.target, ids),
                    case .success(let plan) = plan(exam, target)
                else {
                    // Refused: as good.
                    probe.expect(true, "", "")
                    continue
                }
                probe.expect(
                    RequestChecks.shape(plan.url) == shape, "the id \(id) not to change the path",
                    "the URL became \(plan.url)")
            }
            for id in [".", ".."] {
                guard
                    let target = target(
                        kind.target, ProviderIDs(session: id, payment: id, order: id)),
                    case .success(let plan) = plan(exam, target)
                else { continue }
                let path = plan.url.prefix { $0 != "?" }.split(separator: "/")
                probe.expect(
                    !path.contains(Substring(id)), "the id \(id) to be refused",
                    "the URL became \(plan.url)")
            }
        }
    }
}

extension Result where Success == StatusReport, Failure == ProviderReplyError {
    var isIndeterminate: Bool {
        if case .success(.indeterminate) = self { true } else { false }
    }

    var retryAfterSeconds: Int? {
        if case .success(.indeterminate(_, let seconds)) = self { seconds } else { nil }
    }

    var text: String {
        switch self {
        case .success(.known(let facts)): "it was \(facts.status.name)"
        case .success(.indeterminate(let reason, _)): "it told nothing: \(reason)"
        case .failure(let error): "it failed as \(error.code)"
        }
    }
}
