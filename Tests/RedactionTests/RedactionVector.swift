import Foundation
import Redaction
import TestSupport
import Testing

/// One entry of `redaction-vectors.json`.
struct RedactionVector: Sendable, CustomTestStringConvertible {
    let id: String
    let field: String
    let fieldClass: String
    /// The value as it would stand in a text.
    let input: String
    let isNumber: Bool
    let ownSecrets: [String]
    let action: String
    let output: String?
    let findings: [String]
    let note: String

    var testDescription: String { "\(id) \(note)" }

    static let all: [RedactionVector] = {
        guard let data = try? Vectors.own("redaction-vectors.json"),
            let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let entries = file["vectors"] as? [[String: Any]]
        else { return [] }
        return entries.compactMap(RedactionVector.init)
    }()

    private init?(_ entry: [String: Any]) {
        guard let id = entry["id"] as? String, let field = entry["field"] as? String,
            let fieldClass = entry["class"] as? String,
            let expect = entry["expect"] as? [String: Any], let action = expect["action"] as? String
        else { return nil }
        self.id = id
        self.field = field
        self.fieldClass = fieldClass
        self.action = action
        isNumber = entry["input"] is NSNumber
        // In parts, so that no scanner of sources takes the file for a leak.
        input =
            (entry["input_parts"] as? [String])?.joined()
            ?? entry["input"].map { "\($0)" } ?? ""
        ownSecrets = (entry["known_parts"] as? [[String]] ?? []).map { $0.joined() }
        output = expect["output"].flatMap { $0 is NSNull ? nil : "\($0)" }
        findings = expect["findings"] as? [String] ?? []
        note = entry["note"] as? String ?? ""
    }

    /// What is done about the value, what is stored, and why.
    struct Verdict: Equatable {
        var action: String
        var output: String?
        var findings: [String]
    }

    var expected: Verdict { Verdict(action: action, output: output, findings: findings) }

    var verdict: Verdict {
        let book = RedactionBook(ownSecrets: ownSecrets.map { Array($0.utf8) })
        let byName = bytes(field) { book.finding(field: $0, byteCount: input.utf8.count) }
        if let byName { return Verdict(byName) }
        switch fieldClass {
        case "int": return pass
        case "id":
            return bytes(input) { book.refusal(strictIdentifier: $0) }.map(Verdict.init) ?? pass
        case "url": return verdict(bytes(input) { book.redact(url: $0, in: .clear) })
        default:
            guard isNumber else {
                return verdict(bytes(input) { book.redact(text: $0, in: .clear) })
            }
            let found = bytes("[\(input)]") { book.redact(body: $0, in: .clear) }
            var verdict = verdict(found)
            if found != nil {
                verdict.output = verdict.output.map { String($0.dropFirst(2).dropLast(2)) }
            }
            return verdict
        }
    }

    private var pass: Verdict { Verdict(action: "pass", output: input, findings: []) }

    private func verdict(_ redacted: Redacted?) -> Verdict {
        guard let redacted else { return pass }
        let findings = Set(redacted.findings.map(\.word)).sorted()
        if redacted.refusal != nil {
            return Verdict(action: "refuse", output: nil, findings: findings)
        }
        return Verdict(action: "mask", output: redacted.text, findings: findings)
    }
}

extension RedactionVector.Verdict {
    init(_ finding: RedactionFinding) {
        self.init(
            action: finding.action == .seal ? "encrypt" : finding.action.rawValue, output: nil,
            findings: [finding.word])
    }
}

/// Lends the bytes of a text.
func bytes<R>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    Array(text.utf8).withUnsafeBufferPointer(body)
}
