/// The tags of a page, taken apart strictly: what a browser would act on.
struct HTMLScan {
    struct Tag: Hashable {
        let name: String
        let attributes: [String]
        /// Values by name, as they are written.
        let values: [String: String]
    }

    private(set) var tags: [Tag] = []
    /// Places where a tag is not written as ours are.
    private(set) var faults: [String] = []

    init(_ text: String) {
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            if rest.hasPrefix("!DOCTYPE") || rest.hasPrefix("/") { continue }
            read(&rest)
        }
    }

    private mutating func read(_ rest: inout Substring) {
        let name = take(&rest) { $0.isLetter || $0.isNumber }
        guard !name.isEmpty else { return faults.append("< before \(rest.prefix(20))") }
        var attributes: [String] = []
        var values: [String: String] = [:]
        while true {
            _ = take(&rest) { $0 == " " || $0 == "\n" || $0 == "/" }
            guard let next = rest.first, next != ">" else { break }
            let attribute = take(&rest) { $0.isLetter || $0 == "-" || $0.isNumber }
            guard !attribute.isEmpty else {
                return faults.append("\(name) with \(rest.prefix(20))")
            }
            attributes.append(attribute)
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            guard rest.first == "\"" else { return faults.append("\(name) \(attribute) unquoted") }
            rest.removeFirst()
            values[attribute] = take(&rest) { $0 != "\"" }
            rest = rest.dropFirst()
        }
        tags.append(Tag(name: name, attributes: attributes, values: values))
    }

    private func take(_ rest: inout Substring, _ isPart: (Character) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(part)
    }

    /// Every way in which the page could do or load something that it must not.
    var dangers: [String] {
        var found = faults
        for tag in tags {
            if !Self.names.contains(tag.name) { found.append("<\(tag.name)>") }
            for attribute in tag.attributes
            where attribute.hasPrefix("on") || attribute == "style" || attribute == "srcdoc" {
                found.append("\(tag.name) \(attribute)")
            }
            for name in ["href", "src", "action"] {
                guard let value = tag.values[name], !value.hasPrefix("/"), !value.hasPrefix("#")
                else { continue }
                found.append("\(tag.name) \(name)=\(value)")
            }
            if let value = tag.values["href"], value.hasPrefix("//") { found.append(value) }
            if tag.name == "script", tag.values["src"] != "/live.js" { found.append("script") }
        }
        return found
    }

    private static let names: Set<String> = [
        "a", "b", "body", "button", "caption", "circle", "code", "dd", "details", "div", "dl",
        "dt", "figcaption", "figure", "footer", "form", "h1", "h2", "head", "header", "html",
        "input", "label", "line", "link", "main", "meta", "nav", "option", "p", "path", "pre",
        "rect", "script", "select", "span", "strong", "style", "summary", "svg", "table",
        "tbody", "td", "text", "th", "thead", "time", "title", "tr",
    ]
}
