import CheckoutModel
import Foundation
import ProviderKit
import TestSupport

/// Vector files, read with the kit's own JSON reader.
enum VectorFile {
    static let publicCases = own("cases-public.json")
    static let dodo = own("dodo-vectors.json")
    static let providers = upstream("provider-vectors.json")

    /// Empty when the file is missing; the suites check that there is something in it.
    private static func own(_ name: String) -> JSONValue {
        guard let data = try? Vectors.own(name) else { return .null }
        return (try? JSONValue(json: [UInt8](data))) ?? .null
    }

    private static func upstream(_ name: String) -> JSONValue {
        guard let data = (try? Vectors.upstream(name)) ?? nil else { return .null }
        return (try? JSONValue(json: [UInt8](data))) ?? .null
    }
}

extension JSONValue {
    /// The override rule of the vector files: objects merge, null removes, all else replaces.
    func merging(_ override: JSONValue?) -> JSONValue {
        guard let override else { return self }
        guard case .object(let mine) = self, case .object(let theirs) = override else {
            return override
        }
        var merged: [JSONMember] = []
        for member in mine {
            switch override[member.name] {
            case nil: merged.append(member)
            case .null: break
            case let value?:
                merged.append(
                    JSONMember(name: member.name, value: member.value.merging(value)))
            }
        }
        for member in theirs where self[member.name] == nil && member.value != .null {
            merged.append(member)
        }
        return .object(merged)
    }

    var members: [JSONMember] {
        if case .object(let members) = self { members } else { [] }
    }
}

extension WebhookDelivery {
    /// From the `headers` and `body` of a vector; headers are an object or a list of pairs.
    init(vector: JSONValue) {
        let pairs: [(name: String, value: String)]
        if let list = vector["headers"]?.elements {
            pairs = list.map {
                (name: $0.elements?.first?.text ?? "", value: $0.elements?.last?.text ?? "")
            }
        } else {
            pairs =
                vector["headers"]?.members.map { (name: $0.name, value: $0.value.text ?? "") }
                ?? []
        }
        self.init(headers: HeaderList(pairs), body: Array((vector["body"]?.text ?? "").utf8))
    }
}
