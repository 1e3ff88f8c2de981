import CheckoutModel
import ProviderKit

/// Reads a JSON object by name and keeps every mistake, names nobody asked for included.
struct VectorReader {
    private let value: JSONValue
    private let path: String
    private var asked: Set<String> = []
    private(set) var problems: [String] = []

    init(_ value: JSONValue, path: String = "") {
        self.value = value
        self.path = path
    }

    mutating func take(_ name: String) -> JSONValue? {
        asked.insert(name)
        let found = value[name]
        return found == .null ? nil : found
    }

    func has(_ name: String) -> Bool { value[name] != nil }

    mutating func report(_ name: String, _ what: String) {
        problems.append("\(path)\(name) \(what)")
    }

    mutating func text(_ name: String) -> String? {
        guard let found = take(name) else { return nil }
        guard let text = found.text else {
            report(name, "is no text")
            return nil
        }
        return text
    }

    mutating func requiredText(_ name: String) -> String {
        if let text = text(name) { return text }
        report(name, "is missing")
        return ""
    }

    mutating func flag(_ name: String, or standard: Bool) -> Bool {
        guard let found = take(name) else { return standard }
        guard case .bool(let flag) = found else {
            report(name, "is neither true nor false")
            return standard
        }
        return flag
    }

    mutating func integer(_ name: String) -> Int64? {
        guard let found = take(name) else { return nil }
        if found.integer == nil { report(name, "is no whole number") }
        return found.integer
    }

    mutating func texts(_ name: String) -> [String]? {
        guard let found = take(name) else { return nil }
        guard let elements = found.elements else {
            report(name, "is no list")
            return nil
        }
        let texts = elements.compactMap(\.text)
        if texts.count != elements.count { report(name, "holds something other than text") }
        return texts
    }

    /// The members of an object; none when it is absent.
    mutating func members(_ name: String) -> [JSONMember] {
        guard let found = take(name) else { return [] }
        guard case .object(let members) = found else {
            report(name, "is no object")
            return []
        }
        return members.filter { !$0.name.hasPrefix("_") }
    }

    /// Words with their statuses.
    mutating func words(_ name: String) -> [(word: String, status: CheckoutStatus)] {
        members(name).compactMap { member in
            guard let status = CheckoutStatus(name: member.value.text ?? "") else {
                report("\(name).\(member.name)", "names no status")
                return nil
            }
            return (word: member.name, status: status)
        }
    }

    mutating func mode(_ name: String) -> ProviderMode? {
        guard let text = text(name) else { return nil }
        guard let mode = ProviderMode.allCases.first(where: { $0.name == text }) else {
            report(name, "is none of live, test and unknown")
            return nil
        }
        return mode
    }

    /// Reads an object inside with a reader of its own.
    @discardableResult
    mutating func object<Result>(
        _ name: String, _ body: (inout VectorReader) -> Result
    ) -> Result? {
        guard let found = take(name) else { return nil }
        return inside(found, "\(path)\(name).", body)
    }

    /// Reads each object of a list with a reader of its own.
    mutating func objects<Result>(
        _ name: String, _ body: (inout VectorReader) -> Result?
    ) -> [Result] {
        guard let found = take(name) else { return [] }
        guard let elements = found.elements else {
            report(name, "is no list")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            inside(element, "\(path)\(name)[\(index)].", body)
        }
    }

    private mutating func inside<Result>(
        _ value: JSONValue, _ path: String, _ body: (inout VectorReader) -> Result
    ) -> Result {
        var reader = VectorReader(value, path: path)
        let result = body(&reader)
        reader.finish()
        problems += reader.problems
        return result
    }

    /// Reports the names that nobody asked for.
    mutating func finish() {
        guard case .object(let members) = value else {
            problems.append("\(path.dropLast()) is no object")
            return
        }
        for member in members where !asked.contains(member.name) && !member.name.hasPrefix("_") {
            report(member.name, "is no member that a vector file has")
        }
    }
}
