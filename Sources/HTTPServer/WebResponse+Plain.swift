extension WebResponse {
    /// A short answer without a page: the status and its name.
    package static func plain(
        _ status: Int, _ text: String, headers: [WebField] = []
    ) -> WebResponse {
        WebResponse(
            status: status, type: "text/plain; charset=utf-8", text + "\n", headers: headers)
    }

    /// 404.
    package static var notFound: WebResponse { .plain(404, "Not found") }

    /// 405, with the methods that would do.
    package static func methodNotAllowed(_ methods: [String]) -> WebResponse {
        .plain(
            405, "Method not allowed",
            headers: [WebField("Allow", methods.joined(separator: ", "))])
    }

    /// 303: the browser goes on with a GET.
    package static func seeOther(_ location: String, headers: [WebField] = []) -> WebResponse {
        WebResponse(status: 303, headers: [WebField("Location", location)] + headers)
    }

    /// 503, to be repeated after some seconds.
    package static func unavailable(retryAfter seconds: Int) -> WebResponse {
        .plain(
            503, "Not available now", headers: [WebField("Retry-After", "\(seconds)")])
    }

    /// 400, without saying why to whom it is not owed.
    static var badRequest: WebResponse { .plain(400, "Bad request") }

    /// 413.
    static var contentTooLarge: WebResponse { .plain(413, "Content too large") }
}
