/// What is answered to a request.
package struct WebResponse: Sendable {
    /// 200 to 599.
    package var status: Int
    /// The header fields, without length, date and connection, which the server writes.
    package var headers: [WebField]
    /// What follows them.
    package var body: Body
    /// What a log of requests may say of it, such as `route` and `verdict`; never sent.
    package var notes: [WebField] = []

    /// The bytes of an answer, at once or as they come.
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Sent piece by piece until the stream ends, the peer goes or the server stops.
        case stream(AsyncStream<[UInt8]>)
    }

    package init(status: Int, headers: [WebField] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A text of the given type.
    package init(status: Int = 200, type: String, _ text: String, headers: [WebField] = []) {
        self.init(
            status: status, headers: [WebField("Content-Type", type)] + headers,
            body: .bytes(Array(text.utf8)))
    }
}
