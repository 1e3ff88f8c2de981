/// The bounds of a desktop checkout; names say the unit.
enum DesktopLimits {
    /// Memory of one connection to a loopback listener, in bytes: its request line and header
    /// fields must fit, a longer one is answered 414 or 431.
    static let connectionBytes = 32 * 1_024
    /// Connections to a loopback listener at a time, for each of its two addresses; one more cuts
    /// off the oldest, so that no idle client can keep the browser out.
    static let connections = 16
    /// How long a connection may say nothing, in seconds.
    static let idleSeconds = 10
    /// Random bytes in the path of a return URL.
    static let tokenBytes = 16
    /// How often a free port is looked for that both loopback addresses have.
    static let portTries = 16
    /// A browser that is still there after so many seconds has shown the page.
    static let launchSeconds: Int64 = 3
    /// How long a program of the desktop, such as `xdg-mime`, may take, in milliseconds.
    static let toolMilliseconds: Int64 = 10_000
    /// How much such a program may print, in bytes.
    static let toolOutputBytes = 64 * 1_024
    /// Longest URL that is forwarded from another process, in bytes.
    static let forwardedBytes = 16 * 1_024
    /// How long one process waits for the other while forwarding, in milliseconds.
    static let forwardMilliseconds: Int64 = 5_000
    /// Forwarded URLs kept until somebody listens; more are refused.
    static let waitingURLs = 8
    /// Longest path of a socket, in bytes; the system's own limit is 108, 104 on macOS.
    static let socketPathBytes = 103
    /// Longest scheme, in bytes.
    static let schemeBytes = 64
    /// Longest desktop file that is read, in bytes.
    static let desktopFileBytes = 256 * 1_024
}
