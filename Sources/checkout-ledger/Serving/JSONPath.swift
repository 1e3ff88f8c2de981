import CommandKit
import ProviderKit

/// `data.items.0.price=5`: a place in a JSON body and what to put there.
struct JSONChange {
    private let names: [String]
    private let value: JSONValue

    /// Names the place member by member; a name may have dots in it.
    init(_ names: [String], _ value: JSONValue) { (self.names, self.value) = (names, value) }

    /// Reads `path=value`; a value that is JSON is taken as such, any other as text.
    init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
        names = text[..<equals].split(separator: ".", omittingEmptySubsequences: false)
            .map { String($0) }
        guard !names.contains("") else { return nil }
        let written = String(text[text.index(after: equals)...])
        value = (try? JSONValue(json: Array(written.utf8))) ?? .string(written)
    }

    /// The body with the value in its place; objects on the way are made, places in arrays must be
    /// there.
    ///
    /// Nil when the path leads through what is neither.
    func applied(to body: JSONValue) -> JSONValue? { Self.put(value, at: names[...], in: body) }

    private static func put(
        _ value: JSONValue, at names: ArraySlice<String>, in whole: JSONValue?
    ) -> JSONValue? {
        guard let name = names.first else { return value }
        switch whole {
        case .array(var elements)?:
            guard let index = Int(name), elements.indices.contains(index),
                let changed = put(value, at: names.dropFirst(), in: elements[index])
            else { return nil }
            elements[index] = changed
            return .array(elements)
        case .object(var members)?:
            let index = members.firstIndex { $0.name == name }
            guard
                let changed = put(
                    value, at: names.dropFirst(), in: index.map { members[$0].value })
            else { return nil }
            let member = JSONMember(name: name, value: changed)
            if let index { members[index] = member } else { members.append(member) }
            return .object(members)
        case nil, .null?:
            return put(value, at: names.dropFirst(), in: nil).map {
                .object([JSONMember(name: name, value: $0)])
            }
        default: return nil
        }
    }
}
