import CheckoutModel
import ProviderKit

/// Group U: which URLs may be opened as a checkout.
enum CheckoutURLChecks {
    /// The parts of an https URL, cut where a browser cuts them.
    private struct Page {
        let text: String
        let host: String
        /// What every host of its pages ends with: the host, unless shops have their own.
        let anchor: String
        /// From the path on.
        let rest: String
        let match: CheckoutURLMatch
        private let written: String?

        init?(_ vector: PageVector) {
            guard vector.match != .notMine, vector.url.hasPrefix("https://") else { return nil }
            let behind = vector.url.dropFirst("https://".count)
            let authority = behind.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            text = vector.url
            let host = String(authority.prefix { $0 != ":" })
            self.host = host
            anchor = vector.hostSuffix.flatMap { host.hasSuffix($0) ? $0 : nil } ?? host
            rest = String(behind.dropFirst(authority.count))
            match = vector.match
            written = vector.written
        }

        /// The session's id as it stands in the URL.
        var session: String? {
            if case .session(let id, _) = match { written ?? id } else { nil }
        }
    }

    private static func pages(_ exam: Examination) -> [Page] {
        exam.vectors.checkoutURLs.compactMap(Page.init)
    }

    /// Expects that none of the URLs made from each page is taken.
    private static func refuse(
        _ exam: Examination, _ probe: inout Probe, _ change: (Page) -> [String]
    ) {
        let pages = pages(exam)
        if pages.isEmpty { probe.skip("its checkout pages name no session") }
        for page in pages {
            for url in change(page) {
                let match = exam.provider.recognise(checkoutURL: url)
                probe.expect(match == .notMine, "\(url) to be refused", "it was read as \(match)")
            }
        }
    }

    static func listed(_ exam: Examination, _ probe: inout Probe) {
        if exam.vectors.checkoutURLs.isEmpty { probe.skip("its checkout pages name no session") }
        for page in exam.vectors.checkoutURLs {
            let match = exam.provider.recognise(checkoutURL: page.url)
            probe.expect(
                match == page.match, "\(page.url) to be read as \(page.match)", "it was \(match)")
        }
    }

    static func scheme(_ exam: Examination, _ probe: inout Probe) {
        refuse(exam, &probe) { page in
            ["http://", "ftp://", "javascript://", "//", "", "https:/", "httpss://"].map {
                $0 + page.host + page.rest
            }
        }
    }

    static func host(_ exam: Examination, _ probe: inout Probe) {
        refuse(exam, &probe) { page in
            let parent = page.anchor.split(separator: ".").dropFirst().joined(separator: ".")
            let before = page.host.dropLast(page.anchor.count)
            return [
                "\(page.host).evil.example", "\(before)evil\(page.anchor)",
                "\(before)evil-\(page.anchor)", "evil.example/\(page.host)",
                "evil.example?\(page.host)", "evil.example#\(page.host)",
                "evil.example\\\(page.host)", "\(page.host)evil.example",
                "\(before)notthe\(parent)",
            ].map { "https://\($0)\(page.rest)" }
        }
    }

    static func userInfo(_ exam: Examination, _ probe: inout Probe) {
        refuse(exam, &probe) { page in
            [
                "zoe@\(page.host)", "zoe:pass@\(page.host)", "@\(page.host)",
                "\(page.host)@evil.example", "\(page.host):443@evil.example",
            ].map { "https://\($0)\(page.rest)" }
        }
    }

    static func port(_ exam: Examination, _ probe: inout Probe) {
        refuse(exam, &probe) { page in
            ["80", "8443", "0", "65536", "4433", "443x"].map {
                "https://\(page.host):\($0)\(page.rest)"
            }
        }
    }

    static func rootDot(_ exam: Examination, _ probe: inout Probe) {
        refuse(exam, &probe) { page in
            ["https://\(page.host).\(page.rest)", "https://\(page.host)..\(page.rest)"]
        }
    }

    static func lookAlike(_ exam: Examination, _ probe: inout Probe) {
        refuse(exam, &probe) { page in
            // Cyrillic and full-width letters, a soft hyphen, an ideographic full stop, an escape.
            [
                ("o", "\u{43E}"), ("e", "\u{435}"), ("c", "\u{FF43}"), (".", "\u{3002}"),
                ("o", "%6f"),
            ]
            .filter { page.host.contains($0.0) }
            .map { old, new in
                "https://\(replaced(old, by: new, in: page.host))\(page.rest)"
            } + ["https://\u{AD}\(page.host)\(page.rest)"]
        }
    }

    static func emptyID(_ exam: Examination, _ probe: inout Probe) {
        noSession(exam, &probe) { _ in ["", "/", "//"] }
    }

    static func dotSegments(_ exam: Examination, _ probe: inout Probe) {
        noSession(exam, &probe) { page in
            let isInPath = page.rest.prefix { $0 != "?" }.contains(page.session ?? "")
            return isInPath
                ? [".", "..", "%2e", "%2E%2e", "../", "..%2f", "..\\", "%00", "a%2Fb", "../x/.."]
                : ["%00", "%0A"]
        }
    }

    /// Puts other ids into the place of the session's, none of which is one.
    private static func noSession(
        _ exam: Examination, _ probe: inout Probe, _ ids: (Page) -> [String]
    ) {
        let pages = pages(exam).filter { $0.session != nil }
        if pages.isEmpty { probe.skip("its checkout pages name no session") }
        for page in pages {
            guard let session = page.session, page.rest.contains(session) else { continue }
            for id in ids(page) {
                let url = "https://\(page.host)\(replaced(session, by: id, in: page.rest))"
                let match = exam.provider.recognise(checkoutURL: url)
                var isSession = false
                if case .session = match { isSession = true }
                probe.expect(!isSession, "\(url) to name no session", "it was read as \(match)")
            }
        }
    }

    static func fragment(_ exam: Examination, _ probe: inout Probe) {
        let pages = pages(exam)
        if pages.isEmpty { probe.skip("its checkout pages name no session") }
        for page in pages {
            let plain = String(page.text.prefix { $0 != "#" })
            for url in [plain + "#", plain + "#fid=1/2?x@evil.example"] {
                let match = exam.provider.recognise(checkoutURL: url)
                probe.expect(
                    match == page.match, "\(url) to be read as \(page.match)", "it was \(match)")
            }
            for url in [
                "https://evil.example/#\(page.text)", "https://evil.example/?u=\(page.text)",
            ] {
                let match = exam.provider.recognise(checkoutURL: url)
                probe.expect(match == .notMine, "\(url) to be refused", "it was read as \(match)")
            }
        }
    }

    /// The text with the first occurrence of a part replaced.
    static func replaced(_ part: String, by other: String, in text: String) -> String {
        guard let range = text.firstRange(of: part) else { return text }
        return text.replacingCharacters(in: range, by: other)
    }
}

extension String {
    func replacingCharacters(in range: Range<Index>, by other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
