import CMicroHTTPD

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Request line and header fields, checked for what the library lets pass.
struct RequestHead {
    let request: WebRequest
    /// The length that the head declares; nil for a body in chunks, 0 for none.
    let declaredLength: Int?

    /// What is answered to a head that two readers could understand in two ways.
    struct Refusal: Error {
        let response: WebResponse
    }

    /// Reads what the daemon has parsed.
    ///
    /// Refused are: several `Content-Length` fields or one that is no plain number, one beside
    /// `Transfer-Encoding`, any coding but `chunked`, no or several `Host` fields, a target that
    /// is no path, and broken escapes in it.
    init(
        _ connection: OpaquePointer, method: String, version: String, target: [UInt8]
    ) throws(Refusal) {
        let headers = Self.headers(of: connection)
        func values(_ name: String) -> [String] {
            headers.filter { $0.name == name }.map(\.value)
        }
        let codings = values("transfer-encoding")
        let lengths = values("content-length")
        guard lengths.count <= 1, codings.count <= 1, values("host").count == 1,
            lengths.isEmpty || codings.isEmpty,
            codings.isEmpty || (codings[0].lowercased() == "chunked" && version == "HTTP/1.1")
        else { throw Refusal(response: .badRequest) }
        if let text = lengths.first {
            guard (1...18).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text)
            else { throw Refusal(response: .badRequest) }
            declaredLength = length
        } else {
            declaredLength = codings.isEmpty ? 0 : nil
        }
        let parts = target.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard target.first == UInt8(ascii: "/"),
            let text = String(validating: target, as: UTF8.self),
            let path = PercentText.segments(parts[0]),
            let query = parts.count == 2 ? PercentText.fields(parts[1]) : []
        else { throw Refusal(response: .badRequest) }
        let peer = shim_MHD_peer(connection).flatMap { SocketAddress($0)?.host }
        request = WebRequest(
            method: method == "HEAD" ? "GET" : method, target: text, path: path, query: query,
            headers: headers, peer: peer ?? "")
    }

    private static func headers(of connection: OpaquePointer) -> [WebField] {
        var fields: [WebField] = []
        withUnsafeMutablePointer(to: &fields) { pointer in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    guard let context, let name else { return .NO }
                    context.assumingMemoryBound(to: [WebField].self).pointee.append(
                        WebField(
                            text(name, nameSize).lowercased(),
                            value.map { text($0, valueSize) } ?? ""))
                    return .YES
                }, pointer)
        }
        return fields
    }
}

private func text(_ bytes: UnsafePointer<CChar>, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
}
