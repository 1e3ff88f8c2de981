/// One HTTP request, as far as a handler needs to know it.
///
/// Everything in it comes from a stranger.
package struct WebRequest: Sendable {
    /// The method in capitals; a HEAD arrives as GET, and of its answer only the head is sent.
    package var method: String
    /// Path and query exactly as they were sent.
    package var target: String
    /// The path's segments, percent-decoded; `["sessions", "cks_7Qm"]`, and none for `/`.
    package var path: [String]
    /// The query's parameters in their order, decoded; doubles are kept.
    package var query: [WebField]
    /// The header fields in their order, names in lower case.
    package var headers: [WebField]
    /// The body's bytes, as they arrived.
    package var body: [UInt8]
    /// The address at the other end of the connection, without its port.
    package var peer: String
    /// What a form on the page has to carry back in ``WebForm/tokenField``.
    ///
    /// Set by whoever wraps the handler and guards its forms; empty where nobody does.
    package var formToken = ""
    /// How the visitor was let in; set by whoever guards the handler.
    package var visitor = WebVisitor.anybody

    package init(
        method: String = "GET", target: String, path: [String], query: [WebField] = [],
        headers: [WebField] = [], body: [UInt8] = [], peer: String = "127.0.0.1"
    ) {
        self.method = method
        self.target = target
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    /// The first field of that name, which is given in lower case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// The first query parameter of that name.
    package func parameter(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// The cookie of that name.
    package func cookie(_ name: String) -> String? {
        for field in headers where field.name == "cookie" {
            for pair in field.value.split(separator: ";") {
                let trimmed = pair.drop { $0 == " " }
                guard let equals = trimmed.firstIndex(of: "=") else { continue }
                if trimmed[..<equals] == name {
                    return String(trimmed[trimmed.index(after: equals)...])
                }
            }
        }
        return nil
    }
}

/// How a visitor was let in.
package enum WebVisitor: String, Sendable, Hashable {
    /// Nobody is asked who they are.
    case anybody
    /// A person who has logged in.
    case session
    /// A program that sent the token.
    case token
}

/// A name and a value: a header field, a query parameter, a field of a form.
package struct WebField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
