import CheckoutModel
import ProviderKit

/// Group W, the part about what of a delivery is covered by its signature.
enum MessageChecks {
    private static func changed(
        _ delivery: WebhookDelivery, headers: [HeaderList.Field]? = nil, body: [UInt8]? = nil
    ) -> WebhookDelivery {
        WebhookDelivery(
            method: delivery.method, configuredURL: delivery.configuredURL,
            headers: headers.map { HeaderList($0) } ?? delivery.headers,
            body: body ?? delivery.body)
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.lowercased() == right.lowercased()
    }

    // MARK: - Headers

    static func droppedHeaders(_ exam: Examination, _ probe: inout Probe) {
        guard !exam.facts.headers.isEmpty else {
            probe.skip("the signature stands in the body")
            return
        }
        guard let sound = exam.soundDelivery() else { return }
        for name in exam.facts.headers {
            let rest = sound.headers.fields.filter { !isSame($0.name, name) }
            probe.expect(
                rest.count < sound.headers.fields.count, "deliveries to have \(name)",
                "the fixtures make them without")
            let empty = rest + [HeaderList.Field(name: name, value: "")]
            for fields in [rest, empty] {
                let verdict = exam.verify(changed(sound, headers: fields))
                probe.expect(
                    verdict.code != nil, "a delivery without \(name) to be refused", "\(verdict)")
            }
        }
    }

    static func doubledHeaders(_ exam: Examination, _ probe: inout Probe) {
        guard !exam.facts.headers.isEmpty else {
            probe.skip("the signature stands in the body")
            return
        }
        let single = exam.facts.headers.filter { !exam.facts.repeatable.contains($0) }
        if single.isEmpty { probe.skip("its signatures come in headers of their own") }
        guard let sound = exam.soundDelivery() else { return }
        for name in single {
            guard let own = sound.headers.fields.first(where: { isSame($0.name, name) }) else {
                continue
            }
            for value in [own.value + "0", "0", own.value + "," + own.value] {
                let other = HeaderList.Field(name: own.name, value: value)
                for fields in [sound.headers.fields + [other], [other] + sound.headers.fields] {
                    let verdict = exam.verify(changed(sound, headers: fields))
                    probe.expect(
                        verdict.code != nil, "two different \(name) to be refused", "\(verdict)")
                }
            }
        }
    }

    static func headerCase(_ exam: Examination, _ probe: inout Probe) {
        guard let sound = exam.soundDelivery() else { return }
        for change in [{ $0.uppercased() }, { $0.lowercased() }] as [(String) -> String] {
            let fields = sound.headers.fields.map {
                HeaderList.Field(name: change($0.name), value: $0.value)
            }
            let delivery = changed(sound, headers: fields)
            let verdict = exam.verify(delivery)
            probe.expect(
                verdict.delivery != nil, "the case of header names not to matter", "\(verdict)")
            guard let found = verdict.delivery, let plain = exam.verify(sound).delivery,
                let receiver = exam.webhooks
            else { continue }
            probe.expect(
                receiver.identity(of: found) == receiver.identity(of: plain),
                "the delivery's identity not to depend on the case of header names", "it did")
        }
    }

    // MARK: - Bodies

    static func alteredBody(_ exam: Examination, _ probe: inout Probe) {
        guard let sound = exam.soundDelivery() else { return }
        for (what, body) in alterations(of: sound.body) where body != sound.body {
            judge(exam, changed(sound, body: body), what, isUnsigned: false, &probe)
        }
        let plain = exam.facts.coversBytes ? [] : exam.facts.unsignedFields
        for (path, other) in leaves(of: sound.body) {
            judge(
                exam, changed(sound, body: other), "another \(path)",
                isUnsigned: plain.contains(path), &probe)
        }
    }

    /// The body with one of its values changed, once for each: of a JSON text, else of a form.
    private static func leaves(of body: [UInt8]) -> [(path: String, body: [UInt8])] {
        if let value = try? JSONValue(json: body) {
            return JSONLeaves.alterations(of: value).map { (path: $0, body: $1.json) }
        }
        let pairs = (FormFields(body)?.pairs ?? []).map { (name: $0.name, value: $0.value) }
        return pairs.indices.map { index in
            var changed = pairs
            changed[index].value += "1"
            return (path: pairs[index].name, body: URLSegment.form(changed))
        }
    }

    /// A changed body is refused; where a scheme signs fields only, it may say the same still.
    private static func judge(
        _ exam: Examination, _ delivery: WebhookDelivery, _ what: String, isUnsigned: Bool,
        _ probe: inout Probe
    ) {
        let verdict = exam.verify(delivery)
        guard !exam.facts.coversBytes, let found = verdict.delivery,
            let sound = exam.soundDelivery(), let plain = exam.verify(sound).delivery,
            let receiver = exam.webhooks
        else {
            probe.expect(verdict.code != nil, "a body with \(what) to be refused", "\(verdict)")
            return
        }
        let (now, before) = (
            Examination.reading(found, by: receiver).events,
            Examination.reading(plain, by: receiver).events
        )
        let isSame = isUnsigned ? now.map(\.belief) == before.map(\.belief) : now == before
        // An unreadable body is set aside: nothing is believed of it.
        let isMoved = zip(now, before).contains { now, before in
            now.ids.session != before.ids.session && !now.unsignedIDs.contains(.session)
        }
        probe.expect(
            !isMoved, "a session that is not signed to be told as such", "it was not")
        probe.expect(
            isSame || now.isEmpty, "a body with \(what) to be refused or to say the same",
            "it was believed")
    }

    private static func alterations(of body: [UInt8]) -> [(String, [UInt8])] {
        let text = String(decoding: body, as: UTF8.self)
        return [
            ("its last byte missing", body.dropLast(1) + []),
            ("its first byte missing", body.dropFirst(1) + []),
            ("a line end behind it", body + [0x0A]), ("a blank behind it", body + [0x20]),
            ("CR LF behind it", body + [0x0D, 0x0A]), ("a blank before it", [0x20] + body),
            ("a byte order mark", [0xEF, 0xBB, 0xBF] + body), ("a NUL behind it", body + [0]),
            ("itself behind it", body + body), ("nothing in it", []),
            ("small letters", Array(text.lowercased().utf8)),
            ("capital letters", Array(text.uppercased().utf8)),
            (
                "blanks behind its commas",
                Array(text.split(separator: ",").joined(separator: ", ").utf8)
            ),
        ]
    }

    static func swappedBodies(_ exam: Examination, _ probe: inout Probe) {
        guard exam.facts.coversBytes || !exam.facts.headers.isEmpty else {
            probe.skip("the signature stands in the body")
            return
        }
        guard let one = exam.successBody(event: 1).flatMap({ exam.signed($0, id: "dlv_1") }),
            let other = exam.successBody(event: 2, number: 2).flatMap({
                exam.signed($0, id: "dlv_2")
            })
        else { return }
        for (headers, body) in [(one, other), (other, one)] {
            let verdict = exam.verify(changed(headers, body: body.body))
            probe.expect(
                verdict.code != nil, "the body of another genuine delivery to be refused",
                "\(verdict)")
        }
    }
}

extension ProviderEvent {
    /// What the ledger would believe of it: all but notes.
    ///
    /// The session is left out: some providers sign the payment and not the checkout that it
    /// belongs to. Under the same name the ledger takes the first body only.
    fileprivate var belief: [String] {
        [
            summary, ids.payment ?? "", ids.refund ?? "", ids.dispute ?? "",
            ids.subscription ?? "", key.rawValue,
        ]
    }
}

/// The values of a JSON text that are neither objects nor arrays.
enum JSONLeaves {
    /// The whole with one leaf changed, once for each leaf; paths without array places.
    static func alterations(of value: JSONValue) -> [(path: String, value: JSONValue)] {
        switch value {
        case .object(let members):
            members.enumerated().flatMap { index, member in
                alterations(of: member.value).map { path, other in
                    var changed = members
                    changed[index] = JSONMember(name: member.name, value: other)
                    let path = path.isEmpty ? member.name : "\(member.name).\(path)"
                    return (path: path, value: .object(changed))
                }
            }
        case .array(let elements):
            elements.enumerated().flatMap { index, element in
                alterations(of: element).map { path, other in
                    var changed = elements
                    changed[index] = other
                    return (path: path, value: .array(changed))
                }
            }
        case .string(let text): [(path: "", value: .string(text + "1"))]
        case .number(let number):
            [(path: "", value: .integer((number.integer ?? 0) &+ 1))]
        case .bool(let flag): [(path: "", value: .bool(!flag))]
        case .null, .brokenString: [(path: "", value: .string("1"))]
        }
    }
}
