import CheckoutFlow
import DesktopCheckout
import Foundation
import TestSupport
import Testing

@Suite("Returns by a scheme of the app's own")
struct SchemeTests {
    /// A desktop of its own below a folder, whose `xdg-mime` is the real one or a script.
    static func desktop(_ folder: URL, mime: String? = nil) throws -> DesktopEnvironment {
        var path = "/usr/bin:/bin"
        if let mime {
            let tool = folder.appendingPathComponent("bin/xdg-mime")
            try FileManager.default.createDirectory(
                at: tool.deletingLastPathComponent(), withIntermediateDirectories: true)
            try makeProgram(mime, at: tool.path)
            path = tool.deletingLastPathComponent().path + ":" + path
        }
        let run = folder.appendingPathComponent("run").path
        return DesktopEnvironment(["HOME": folder.path, "XDG_RUNTIME_DIR": run, "PATH": path])
    }

    /// Where the user's own desktop files are.
    static func entry(_ folder: URL, _ name: String) -> URL {
        folder.appendingPathComponent(".local/share/applications/\(name).desktop")
    }

    static let registered = "echo shop.desktop"

    @Test("URLs come from another process, one after the other, and the socket is gone at the end")
    func forwarded() async throws {
        try await withTemporaryDirectory { folder in
            let desktop = try Self.desktop(folder, mime: Self.registered)
            #expect(try !SchemeListener.forward("shop://return?a=1", environment: desktop))
            let listener = try SchemeListener(scheme: "Shop", environment: desktop)
            // Before anybody listens, and after.
            #expect(try SchemeListener.forward("shop://return?a=1", environment: desktop))
            let urls = LoopbackListenerTests.urls(listener)
            #expect(try SchemeListener.forward("SHOP://return?a=2", environment: desktop))
            var seen: [String] = []
            for await url in urls {
                seen.append(url)
                if seen.count == 2 { break }
            }
            #expect(seen == ["shop://return?a=1", "SHOP://return?a=2"])
            let meeting = folder.appendingPathComponent("run/checkout-return")
            let socket = meeting.appendingPathComponent("shop.socket").path
            #expect(try Self.mode(meeting.path) == 0o700)
            #expect(try Self.mode(socket) == 0o600)
            listener.close()
            #expect(!FileManager.default.fileExists(atPath: socket))
            #expect(try !SchemeListener.forward("shop://return?a=3", environment: desktop))
            #expect(throws: CheckoutError.self) { try listener.check() }
        }
    }

    static func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? Int) ?? -1
    }

    @Test("A second process that waits for the scheme is refused; a dead one's socket is not")
    func taken() throws {
        try withTemporaryDirectory { folder in
            let desktop = try Self.desktop(folder, mime: Self.registered)
            let first = try SchemeListener(scheme: "shop", environment: desktop)
            let error = #expect(throws: CheckoutError.self) {
                _ = try SchemeListener(scheme: "shop", environment: desktop)
            }
            #expect(error?.code == .portInUse)
            first.close()
            let socket = folder.appendingPathComponent("run/checkout-return/shop.socket").path
            #expect(FileManager.default.createFile(atPath: socket, contents: nil))
            let second = try SchemeListener(scheme: "shop", environment: desktop)
            #expect(try SchemeListener.forward("shop://return", environment: desktop))
            second.close()
        }
    }

    @Test("Of many that start at once one waits, and the others take nothing away from it")
    func atOnce() async throws {
        try await withTemporaryDirectory { folder in
            let desktop = try Self.desktop(folder, mime: Self.registered)
            for _ in 0..<10 {
                let made = await withTaskGroup { group in
                    for _ in 0..<8 {
                        group.addTask { try? SchemeListener(scheme: "shop", environment: desktop) }
                    }
                    var made: [SchemeListener] = []
                    for await listener in group { if let listener { made.append(listener) } }
                    return made
                }
                #expect(made.count == 1)
                #expect(try SchemeListener.forward("shop://return", environment: desktop))
                for listener in made { listener.close() }
                #expect(try !SchemeListener.forward("shop://return", environment: desktop))
            }
        }
    }

    @Test("More URLs than anybody takes are refused, not kept")
    func bounded() throws {
        try withTemporaryDirectory { folder in
            let desktop = try Self.desktop(folder, mime: Self.registered)
            let listener = try SchemeListener(scheme: "shop", environment: desktop)
            defer { listener.close() }
            let taken = try (0..<12).filter {
                try SchemeListener.forward("shop://return?\($0)", environment: desktop)
            }
            #expect(taken == Array(0..<8))
        }
    }

    @Test(
        "What is no URL of an app's scheme is not forwarded",
        arguments: [
            "https://shop.example/return", "http://127.0.0.1:1/x", "javascript:alert(1)", "shop",
            "", "shop://return\nshop://other", "1shop://return", "sh_op://return",
            "shop://" + String(repeating: "a", count: 16_384),
        ])
    func notForwarded(_ url: String) throws {
        try withTemporaryDirectory { folder in
            let desktop = try Self.desktop(folder)
            let error = #expect(throws: CheckoutError.self) {
                _ = try SchemeListener.forward(url, environment: desktop)
            }
            #expect(error?.code == .invalidReturnURL)
            #expect(error?.description.contains("aaaa") == false)
        }
    }

    @Test("A folder that others could use is not where processes meet")
    func openFolder() throws {
        try withTemporaryDirectory { folder in
            let desktop = try Self.desktop(folder, mime: Self.registered)
            let meeting = folder.appendingPathComponent("run/checkout-return")
            try FileManager.default.createDirectory(
                at: meeting, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o777])
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o777], ofItemAtPath: meeting.path)
            let error = #expect(throws: CheckoutError.self) {
                _ = try SchemeListener(scheme: "shop", environment: desktop)
            }
            #expect(error?.code == .platform)
        }
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What `xdg-mime` does; nil when there is none.
        let mime: String?
        /// The desktop file that it names.
        var entry: String?
        /// A part of the message; nil when the scheme is registered.
        let problem: String?
    }

    static let good =
        "[Desktop Entry]\nType=Application\nExec=shop %u\n"
        + "MimeType=text/x;x-scheme-handler/shop;\n"

    @Test(
        "A scheme that leads nowhere is found out before the customer pays",
        arguments: [
            Answer(testDescription: "registered", mime: registered, entry: good, problem: nil),
            Answer(testDescription: "file elsewhere", mime: registered, problem: nil),
            Answer(testDescription: "no answer", mime: "exit 0", problem: "is not registered"),
            Answer(testDescription: "fails", mime: "exit 4", problem: "is not registered"),
            Answer(testDescription: "blank", mime: "echo", problem: "is not registered"),
            Answer(testDescription: "no xdg-mime", mime: nil, problem: "cannot be checked"),
            Answer(
                testDescription: "URL not passed on", mime: registered,
                entry: good.replacingOccurrences(of: " %u", with: ""), problem: "%u is missing"),
            Answer(
                testDescription: "another type", mime: registered,
                entry: good.replacingOccurrences(of: "handler/shop", with: "handler/shops"),
                problem: "does not name x-scheme-handler/shop"),
            Answer(
                testDescription: "no application", mime: registered,
                entry: good.replacingOccurrences(of: "Application", with: "Link"),
                problem: "no application"),
            Answer(
                testDescription: "another group", mime: registered,
                entry: good.replacingOccurrences(of: "[Desktop Entry]", with: "[Other]"),
                problem: "no application"),
            Answer(testDescription: "empty file", mime: registered, entry: "", problem: "no appl"),
        ])
    func check(_ answer: Answer) throws {
        try withTemporaryDirectory { folder in
            var desktop = try Self.desktop(folder, mime: answer.mime)
            if answer.mime == nil { desktop.variables["PATH"] = folder.path }
            if let entry = answer.entry {
                let file = Self.entry(folder, "shop")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try entry.write(to: file, atomically: true, encoding: .utf8)
            }
            let registration = try SchemeRegistration(scheme: "shop", environment: desktop)
            guard let problem = answer.problem else { return try registration.check() }
            let error = #expect(throws: CheckoutError.self) { try registration.check() }
            #expect(error?.code == .schemeNotRegistered)
            #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
            #expect(throws: CheckoutError.self) {
                _ = try SchemeListener(scheme: "shop", environment: desktop)
            }
        }
    }

    @Test("A program's words are written so that the desktop reads them back")
    func installed() throws {
        try withTemporaryDirectory { folder in
            let desktop = try Self.desktop(
                folder, mime: "echo \"$*\" >> \(folder.path)/asked; echo pay.desktop")
            let registration = try SchemeRegistration(scheme: "shop", environment: desktop)
            try registration.install(
                command: ["/opt/my shop/bin", "--at", "50%", "a\"$`\\b", ""].dropLast(),
                applicationName: "Tom's \\ Shop", fileName: "pay")
            let text = try String(contentsOf: Self.entry(folder, "pay"), encoding: .utf8)
            #expect(text.contains(#"Exec="/opt/my shop/bin" --at 50%% "a\\"\\$\\`\\\\b" %u"#))
            #expect(text.contains(#"Name=Tom's \\ Shop"#))
            #expect(text.contains("MimeType=x-scheme-handler/shop;"))
            let asked = try String(
                contentsOf: folder.appendingPathComponent("asked"), encoding: .utf8)
            #expect(asked.hasPrefix("default pay.desktop x-scheme-handler/shop\n"))
            for words in [[], ["a\nb"], [""]] {
                #expect(throws: CheckoutError.self) {
                    try registration.install(
                        command: words, applicationName: "x", fileName: "pay")
                }
            }
            #expect(throws: CheckoutError.self) {
                try registration.install(
                    command: ["x"], applicationName: "x", fileName: "../pay")
            }
        }
    }

    @Test(
        "The real desktop takes the registration",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/xdg-mime"),
            "needs Debian's xdg-utils"))
    func realDesktop() throws {
        try withTemporaryDirectory { folder in
            let desktop = try Self.desktop(folder)
            let registration = try SchemeRegistration(scheme: "shoptest", environment: desktop)
            #expect(throws: CheckoutError.self) { try registration.check() }
            try registration.install(
                command: ["/bin/echo"], applicationName: "Shop", fileName: "shoptest")
            try registration.check()
        }
    }
}
