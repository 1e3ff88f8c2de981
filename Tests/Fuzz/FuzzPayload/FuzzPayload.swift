import CheckoutLedger
import CheckoutModel
import ProviderKit

/// Reads any bytes as everything that a ledger keeps, and as the texts that people hand it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    // The first byte chooses, so that one seed does not have to make sense to every reader.
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 6 {
    case 0: checkPayload(bytes)
    case 1: checkPrivateFields(bytes)
    case 2: checkState(bytes)
    case 3: checkFact(bytes)
    case 4: checkJSON(bytes)
    default: checkTexts(bytes)
    }
    return 0
}

/// What was read and is written again reads the same, fields of newer builds included.
private func checkPayload(_ bytes: [UInt8]) {
    guard let payload = try? EventPayload(decoding: bytes) else { return }
    let written = payload.encoded()
    guard let again = try? EventPayload(decoding: written) else {
        fatalError("what was written is not read")
    }
    require(again.encoded() == written, "writing again gives the same bytes")
    require(again.unknownFields == payload.unknownFields, "unknown fields are kept")
    require(again.sealed.count == payload.sealed.count { !$0.isEmpty }, "sealed parts are kept")
    require(again.ids.session ?? "" == payload.ids.session ?? "", "the session is kept")
    require(again.replaces == payload.replaces, "replaced resolutions are kept")
}

private func checkPrivateFields(_ bytes: [UInt8]) {
    guard let fields = try? PrivateFields(decoding: bytes) else { return }
    let written = fields.encoded()
    guard let again = try? PrivateFields(decoding: written) else {
        fatalError("what was written is not read")
    }
    require(again.encoded() == written, "writing again gives the same bytes")
    require(again.body == fields.body, "the body is kept")
    require("\(fields)".utf8.count < 1_000, "a description shows nothing private")
}

/// A row of any content is read or refused; whatever was read can be asked everything.
private func checkState(_ bytes: [UInt8]) {
    // Two rows, so that a join meets tables that no fold would have made.
    let halves = bytes.firstRange(of: rowBorder).map {
        [Array(bytes[..<$0.lowerBound]), Array(bytes[$0.upperBound...])]
    }
    let states = (halves ?? [bytes]).compactMap { row in
        try? row.withUnsafeBytes { try SessionState(decoding: $0) }
    }
    for state in states {
        var written: [UInt8] = []
        state.encode(into: &written)
        let again = try? written.withUnsafeBytes { try SessionState(decoding: $0) }
        require(again == state, "a row that was written is read")
        ask(state.evidence)
        _ = state.isAwaitingOutcome
    }
    guard var joined = states.first, let other = states.last else { return }
    joined.evidence.join(other.evidence)
    joined.trace.merge(other.trace)
    ask(joined.evidence)
}

private let rowBorder: [UInt8] = [0xB0, 0xDE, 0xB0, 0xDE]

private func ask(_ evidence: SessionEvidence) {
    let outcome = evidence.outcome
    require(outcome?.evidence != .hint, "a hint makes no outcome")
    require(outcome.map { $0.status == evidence.status } ?? true, "the outcome is shown")
    require(
        evidence.needsReview == evidence.discrepancies.contains { $0.code.needsReview }, "as told")
    _ = (evidence.decision, evidence.paid, evidence.refunded, evidence.net, evidence.refundState)
    _ = (evidence.amount, evidence.evidence, evidence.standingResolutionReferences)
}

/// The fixed part of a record: 2 bytes of type, 8 of time, then the area.
private func checkFact(_ bytes: [UInt8]) {
    guard bytes.count >= 10 else { return }
    let type = EventType(rawValue: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
    let time = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2, as: Int64.self) }
    let fact = bytes.withUnsafeBytes { buffer in
        Fact(
            type: type, occurredAt: time, area: UnsafeRawBufferPointer(rebasing: buffer[10...]))
    }
    guard let fact else { return }
    var area = [UInt8](repeating: 0xAA, count: Fact.byteCount)
    area.withUnsafeMutableBytes { fact.encode(into: $0) }
    let again = area.withUnsafeBytes { Fact(type: type, occurredAt: time, area: $0) }
    require(again == fact, "a fact that was written is read")
    require(type.family != .payment || !type.name.isEmpty, "a type has a name")
    var once = SessionEvidence()
    once.absorb(fact)
    ask(once)
    var twice = once
    twice.absorb(fact)
    require(twice == once, "hearing a fact twice changes nothing")
    twice.join(once)
    require(twice == once, "nor does joining a state with itself")
    _ = (Instant(microseconds: time).iso8601, Instant(microseconds: time).iso8601Seconds)
}

private func checkJSON(_ bytes: [UInt8]) {
    if let value = try? JSONValue(json: bytes) {
        let written = value.json
        require((try? JSONValue(json: written)) == value, "JSON that was written is read")
    }
    guard let entry = try? EventLine.entry(bytes) else { return }
    let line = JSONValue.object(EventLine.fields(entry.event)).json
    guard let again = try? EventLine.entry(line) else {
        fatalError("an event's own line is not read")
    }
    require(
        JSONValue.object(EventLine.fields(again.event)).json == line,
        "an event's own line is the same event")
}

private func checkTexts(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    if let instant = try? Instant(iso8601: text) {
        require((try? Instant(iso8601: instant.iso8601)) == instant, "a time is written as read")
    }
    for code in ["EUR", "JPY", "KWD", "CLF"] {
        guard let currency = Currency(code),
            let money = try? Money(parsing: text, currency: currency)
        else { continue }
        require(
            (try? Money(parsing: money.amountText, currency: currency)) == money,
            "an amount is written as read")
    }
    if let units = try? Money.minorUnits(jsonNumber: text) {
        require(Int64(text) == units, "only whole numbers are amounts")
    }
    _ = (Currency(text), EventType(name: text), EventReference(of: text))
}

/// `precondition` would say nothing in an optimised build.
private func require(_ holds: Bool, _ rule: StaticString) {
    if !holds { fatalError("broken: \(rule)") }
}
