import CheckoutModel
import ProviderKit

/// Group R: what may be made of a URL that a browser came back with.
enum ReturnChecks {
    private static let base = "https://shop.example/back"
    private static let landings: [ReturnRequest.Landing] = [
        .unspecified, .success, .failure, .cancel,
    ]

    static func request(
        _ query: String, landing: ReturnRequest.Landing = .unspecified, open: String? = nil
    ) -> ReturnRequest? {
        (try? ReturnURL(parsing: query.isEmpty ? base : "\(base)?\(query)")).map {
            ReturnRequest(url: $0, landing: landing, expectedSession: open)
        }
    }

    /// A query of pairs with their values escaped.
    static func query(_ pairs: [(name: String, value: String)]) -> String {
        String(decoding: URLSegment.form(pairs), as: UTF8.self)
    }

    /// What the adapter makes of a query.
    private static func claim(
        _ exam: Examination, _ query: String, landing: ReturnRequest.Landing = .unspecified,
        open: String? = nil
    ) -> Result<ReturnClaim, ReturnRejection> {
        guard let returns = exam.returns, let request = request(query, landing: landing, open: open)
        else { return .failure(.malformed) }
        do throws(ReturnRejection) {
            return .success(try returns.parseReturn(request))
        } catch {
            return .failure(error)
        }
    }

    /// Session and payment in their parameters, escaped, with an `&` behind.
    private static func idsQuery(_ exam: Examination) -> String {
        guard let facts = exam.vectors.returns else { return "" }
        let ids = exam.fixtures.ids(1)
        let pairs = [(facts.sessionName, ids.session), (facts.paymentName, ids.payment)]
        return pairs.compactMap { name, id in
            name.flatMap { name in id.map { query([(name: name, value: $0)]) + "&" } }
        }.joined()
    }

    static func listed(_ exam: Examination, _ probe: inout Probe) {
        let cases = exam.vectors.returns?.cases ?? []
        for item in cases {
            guard let returns = exam.returns, let url = try? ReturnURL(parsing: item.url) else {
                probe.expect(false, "case \(item.id) to have a URL", "it has none")
                continue
            }
            let request = ReturnRequest(
                url: url, landing: item.landing, expectedSession: item.open)
            do throws(ReturnRejection) {
                let claim = try returns.parseReturn(request)
                let wanted = item.refused.map { "refused as \($0)" } ?? item.status?.name ?? "?"
                probe.expect(
                    item.refused == nil && claim.status == item.status,
                    "case \(item.id) to be \(wanted)", "it was \(claim.status.name)")
                probe.expect(
                    item.refused != nil || claim.ids == item.ids,
                    "case \(item.id) to name \(item.ids)", "it named \(claim.ids)")
            } catch {
                probe.expect(
                    item.refused == error.code, "case \(item.id) to be \(item.refused ?? "read")",
                    "it was refused as \(error.code)")
            }
        }
    }

    static func words(_ exam: Examination, _ probe: inout Probe) {
        guard let facts = exam.vectors.returns, let name = facts.statusName else {
            probe.skip("its returns carry no status")
            return
        }
        let ids = idsQuery(exam)
        probe.expect(!facts.words.isEmpty, "status words in the vectors", "there are none")
        for (word, status) in facts.words {
            let claim = claim(exam, ids + query([(name: name, value: word)]))
            probe.expect(
                status == claim.status, "\(name)=\(word) to be \(status.name)",
                "it was \(claim.text)")
        }
    }

    /// What the adapter makes of each word.
    static func said(_ exam: Examination) -> [ProviderWord] {
        guard let facts = exam.vectors.returns, let name = facts.statusName else { return [] }
        return facts.words.compactMap { word, _ in
            claim(exam, idsQuery(exam) + query([(name: name, value: word)])).status.map {
                ProviderWord(place: .return, about: name, word: word, meaning: $0.name)
            }
        }
    }

    static func unknownWord(_ exam: Examination, _ probe: inout Probe) {
        let ids = idsQuery(exam)
        let name = exam.vectors.returns?.statusName ?? "status"
        let known = exam.vectors.returns?.words.map(\.word) ?? []
        let words =
            ["zz_never_seen", "1", "true", "ok", "success!", "%00", "succeeded%20", "paid%0A"]
            + known.flatMap { ["\($0)x", "x\($0)", "\($0)%20"] }
        for word in words where !known.contains(word) {
            let claim = claim(exam, "\(ids)\(name)=\(word)")
            probe.expect(
                claim.status ?? .pending == .pending, "\(name)=\(word) to be pending",
                "it was \(claim.text)")
        }
    }

    static func noWord(_ exam: Examination, _ probe: inout Probe) {
        let ids = idsQuery(exam)
        let name = exam.vectors.returns?.statusName
        for landing in landings {
            let wanted = exam.vectors.returns?.status(landing: landing) ?? .pending
            probe.expect(
                wanted != .succeeded, "no landing to mean success", "the vectors say it does")
            for query in [ids, "", name.map { ids + $0 + "=" }, name.map { ids + $0 }] {
                guard let query else { continue }
                let claim = claim(exam, query, landing: landing)
                probe.expect(
                    claim.status ?? wanted == wanted,
                    "'\(query)' after landing on \(landing) to be \(wanted.name)",
                    "it was \(claim.text)")
            }
        }
    }

    static func repeated(_ exam: Examination, _ probe: inout Probe) {
        guard let facts = exam.vectors.returns else { return }
        let ids = idsQuery(exam)
        let good = facts.words.filter { $0.status == .succeeded }.map(\.word)
        let bad = facts.words.filter { $0.status != .succeeded }.map(\.word) + ["zz_never_seen"]
        if let name = facts.statusName {
            for (left, right) in good.flatMap({ good in bad.map { (good, $0) } }) {
                for (first, second) in [(left, right), (right, left)] {
                    let query = "\(ids)\(name)=\(first)&\(name)=\(second)"
                    let claim = claim(exam, query)
                    probe.expect(
                        claim.status ?? .pending == .pending,
                        "\(first) and \(second) together to be pending", "it was \(claim.text)")
                }
            }
            for word in good {
                let claim = claim(exam, "\(ids)\(name)=\(word)&\(name)=\(word)")
                probe.expect(
                    claim.status ?? .pending != .failed, "\(word) twice not to be failed",
                    "it was \(claim.text)")
            }
        }
        for (name, one, other) in idNames(exam) {
            let status = zip([facts.statusName].compactMap { $0 }, good).map {
                (name: $0, value: $1)
            }
            let pairs = status + [(name: name, value: one), (name: name, value: other)]
            guard case .success(let claim) = claim(exam, query(pairs)) else { continue }
            let named = [claim.ids.session, claim.ids.payment]
            probe.expect(
                !named.contains(one) && !named.contains(other) && claim.status != .succeeded,
                "two values of \(name) to leave open which is meant",
                "it named \(claim.ids) as \(claim.status.name)")
        }
        if facts.statusName == nil && idNames(exam).isEmpty {
            probe.skip("its returns carry no parameters")
        }
    }

    /// The parameters with ids, each with two different ones.
    private static func idNames(_ exam: Examination) -> [(name: String, one: String, other: String)]
    {
        guard let facts = exam.vectors.returns else { return [] }
        let (one, other) = (exam.fixtures.ids(1), exam.fixtures.ids(2))
        let names = [
            (facts.sessionName, one.session, other.session),
            (facts.paymentName, one.payment, other.payment),
        ]
        return names.compactMap { name, one, other in
            guard let name, let one, let other else { return nil }
            return (name: name, one: one, other: other)
        }
    }

    static func decodedOnce(_ exam: Examination, _ probe: inout Probe) {
        guard let facts = exam.vectors.returns else { return }
        if let name = facts.statusName {
            for (word, _) in facts.words {
                guard let first = word.utf8.first else { continue }
                let hex = String(first, radix: 16, uppercase: true)
                let rest = word.dropFirst()
                let twice = claim(exam, "\(idsQuery(exam))\(name)=%25\(hex)\(rest)")
                probe.expect(
                    twice.status ?? .pending == .pending,
                    "%25\(hex)\(rest) to be another word than \(word)", "it was \(twice.text)")
            }
        }
        for (name, one, _) in idNames(exam) {
            guard case .success(let claim) = claim(exam, "\(name)=\(one)%2541") else { continue }
            let named = [claim.ids.session, claim.ids.payment].compactMap { $0 }
            probe.expect(
                !named.contains("\(one)A"), "\(one)%2541 to stand for \(one)%41",
                "it was read as \(named)")
        }
        if facts.statusName == nil && idNames(exam).isEmpty {
            probe.skip("its returns carry no parameters")
        }
    }

    static func template(_ exam: Examination, _ probe: inout Probe) {
        guard let facts = exam.vectors.returns, let template = facts.template,
            let name = facts.sessionName
        else {
            probe.skip("the provider replaces no template in its return URLs")
            return
        }
        for value in [template, query([(name: "", value: template)]).dropFirst().description] {
            guard case .success(let claim) = claim(exam, "\(name)=\(value)") else { continue }
            probe.expect(
                claim.ids.session == nil, "\(value) to be no session's id",
                "it was taken for \(claim.ids.session ?? "")")
        }
    }

    static func otherSession(_ exam: Examination, _ probe: inout Probe) {
        let ids = exam.fixtures.ids(1)
        guard let facts = exam.vectors.returns, let name = facts.sessionName,
            let session = ids.session, let open = exam.fixtures.ids(2).session
        else {
            probe.skip("its returns name no session")
            return
        }
        let word = facts.words.first { $0.status == .succeeded }?.word
        let status = zip([facts.statusName].compactMap { $0 }, [word].compactMap { $0 })
        let pairs = [(name: name, value: session)] + status.map { (name: $0, value: $1) }
        let other = claim(exam, query(pairs), open: open)
        probe.expect(
            other.refusal == .otherSession, "a return about another session to be refused",
            "it was \(other.text)")
        let own = claim(exam, query(pairs), open: session)
        probe.expect(
            own.refusal == nil, "a return about the open session to be read", "it was \(own.text)")
    }
}

extension Result where Success == ReturnClaim, Failure == ReturnRejection {
    var status: CheckoutStatus? {
        if case .success(let claim) = self { claim.status } else { nil }
    }

    var refusal: ReturnRejection? {
        if case .failure(let error) = self { error } else { nil }
    }

    var text: String {
        switch self {
        case .success(let claim): claim.status.name
        case .failure(let error): "refused as \(error.code)"
        }
    }
}
