import Foundation
import TestSupport
import Testing

/// One entry of kind `lifecycle` in `dodo-vectors.json`.
struct LifecycleVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Before: Decodable, Sendable {
        let record: String?
        let inProgress: Bool
        let createdAt: Int64?
    }

    struct Input: Decodable, Sendable {
        let platform: String
        let before: Before
        let steps: [String]
    }

    struct Outcome: Decodable, Sendable {
        let result: String?
        let error: String?
        let nativeCode: String?
        let message: String?
    }

    struct Expected: Sendable {
        var events: [String]?
        var outcome: Outcome?
        /// False when the vector says nothing about a result.
        var tellsOutcome = false
        var record: String?
        var tellsRecord = false
        var inProgress: Bool?
        var answers: [Bool]?
        var outcomes: [String]?
        var createdAt: Int64?
    }

    let id: String
    let input: Input
    let expected: Expected
    let better: String?
    let gap: String?

    var testDescription: String { id }

    /// All of them, in the file's order.
    static let all: [LifecycleVector] = {
        guard let data = try? Vectors.own("dodo-vectors.json"),
            let any = try? JSONDecoder().decode([Entry].self, from: data)
        else { return [] }
        return any.compactMap(\.vector)
    }()

    private struct Entry: Decodable {
        let vector: LifecycleVector?

        init(from decoder: any Decoder) throws {
            let kind = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .kind)
            vector = kind == "lifecycle" ? try LifecycleVector(from: decoder) : nil
        }

        enum Key: CodingKey { case kind }
    }
}

extension LifecycleVector.Expected: Decodable {
    private enum Key: String, CodingKey {
        case events, outcome, record, inProgress, outcomes, createdAt, createdAtMillis
        case answers = "handleOpenURL"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        events = try fields.decodeIfPresent([String].self, forKey: .events)
        outcome = try fields.decodeIfPresent(LifecycleVector.Outcome.self, forKey: .outcome)
        tellsOutcome = fields.contains(.outcome)
        record = try fields.decodeIfPresent(String.self, forKey: .record)
        tellsRecord = fields.contains(.record)
        inProgress = try fields.decodeIfPresent(Bool.self, forKey: .inProgress)
        answers = try fields.decodeIfPresent([Bool].self, forKey: .answers)
        outcomes = try fields.decodeIfPresent([String].self, forKey: .outcomes)
        // Two vectors have a text there, about a platform's own form of the time.
        createdAt =
            try fields.decodeIfPresent(Int64.self, forKey: .createdAtMillis).map { $0 / 1_000 }
            ?? (try? fields.decodeIfPresent(Int64.self, forKey: .createdAt)) ?? nil
    }
}
