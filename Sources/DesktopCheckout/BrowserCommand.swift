import CheckoutFlow

/// Which program shows a page, and with which words before the URL.
///
/// Never run through a shell: the URL reaches the program as one word, whatever is in it.
public struct BrowserCommand: Sendable, Hashable {
    /// A path, or a name that is looked for in `PATH`.
    public var program: String
    /// What stands before the URL.
    public var words: [String]
    /// True for a program that shows this one page and ends with it, such as a kiosk's browser: its
    /// end is the customer closing the page, and it is ended when the page is to go away.
    ///
    /// An ordinary browser hands the URL to a window that is there already and ends at once, or
    /// stays for other pages, so nothing can be read from its end.
    public var isOwnWindow: Bool

    /// Names a program.
    public init(_ program: String, _ words: [String] = [], isOwnWindow: Bool = false) {
        self.program = program
        self.words = words
        self.isOwnWindow = isOwnWindow
    }

    /// What this system opens links with: `open` on macOS, `xdg-open` elsewhere.
    public static var system: BrowserCommand {
        #if os(macOS)
            BrowserCommand("/usr/bin/open")
        #else
            BrowserCommand("xdg-open")
        #endif
    }

    /// The program's path; throws `BROWSER_UNAVAILABLE`.
    func path(_ environment: DesktopEnvironment) throws(CheckoutError) -> String {
        if let path = environment.find(program) { return path }
        throw CheckoutError(
            .browserUnavailable, "There is no program \(program) to open a browser with.",
            hint: "Install xdg-utils and a browser, or name a browser that is there.")
    }
}
