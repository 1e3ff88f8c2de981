/// Answers requests.
///
/// Called from any thread, for many requests at once.
package protocol WebHandler: Sendable {
    /// Decides on the head alone, before a byte of the body is read.
    ///
    /// `request.body` is empty here.
    func admission(of request: WebRequest) -> WebAdmission

    /// The answer; while it is being made, the connection waits and no thread does.
    func respond(to request: WebRequest) async -> WebResponse
}

/// Whether a request's body is read.
package enum WebAdmission: Sendable {
    /// Reads up to so many bytes; a longer body is answered 413.
    case accept(bodyLimit: Int)
    /// Answers at once and closes the connection.
    case refuse(WebResponse)
}
