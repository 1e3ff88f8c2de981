import CheckoutModel
import Foundation
import ProviderKit
import TestSupport
import Testing

/// One entry of `cases-public.json`.
struct PublicCase: Sendable, CustomTestStringConvertible {
    let id, area, expected: String
    let input: JSONValue

    var testDescription: String { id }

    /// The conditions of `expected` that need no running checkout, one each.
    var conditions: [String] {
        allConditions.filter { !FlowCases.conditions.contains("\(id): \($0)") }
    }

    /// All conditions of `expected`.
    var allConditions: [String] {
        expected.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Every case, in the order of the file; empty when the file is missing, which a test notices.
    static let all: [PublicCase] = {
        let data = (try? Vectors.own("cases-public.json")) ?? Data()
        let file = (try? JSONValue(json: [UInt8](data))) ?? .null
        return (file.elements ?? []).map { value in
            PublicCase(
                id: value["id"]?.text ?? "", area: value["area"]?.text ?? "",
                expected: value["expected"]?.text ?? "", input: value["input"] ?? .null)
        }
    }()

    /// The cases of an area that a runner must understand whole.
    static func runnable(_ area: String) -> [PublicCase] {
        all.filter { $0.area == area && !FlowCases.cases.contains($0.id) }
    }
}

extension StringProtocol {
    /// What stands behind `name=` up to the next blank.
    func value(_ name: String) -> String? {
        split(separator: " ").first { $0.hasPrefix("\(name)=") }.map {
            String($0.dropFirst(name.count + 1))
        }
    }

    /// The text behind a beginning; nil when it begins otherwise.
    func after(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}

extension Currency {
    /// The currency of a case; a case that names none is not understood.
    init(caseCode value: JSONValue?) throws {
        let code = try #require(value?.text)
        self = try #require(Currency(code))
    }
}
