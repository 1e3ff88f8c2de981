/// The bounds of a server; tests shorten the times.
///
/// What is beyond one is answered or cut off, and never waited for.
package struct ServerLimits: Sendable {
    /// Connections at a time; one more cuts off the one that has owed a request for longest, so
    /// that idle and slow peers cannot keep others out.
    package var connections = 512
    /// Connections of one address at a time; 0 for no bound of its own.
    ///
    /// One more cuts off another of that address. Behind a proxy all have one address.
    package var connectionsPerAddress = 256
    /// Memory of one connection: request line and header fields must fit; a longer one is answered
    /// 414 or 431.
    package var headerBytes = 32 * 1_024
    /// Bytes of all bodies that are being read, at a time; beyond it a request is answered 503.
    package var bodyBytesInAll = 256 << 20
    /// How long request line and header fields may take.
    package var headTime = Duration.seconds(15)
    /// How long a body may take after its header fields.
    package var bodyTime = Duration.seconds(30)
    /// How long a peer may take to read an answer that is no stream.
    package var answerTime = Duration.seconds(60)
    /// How long a connection may be silent between two requests, and a stream's reader may not
    /// read; longer than the minute that proxies keep theirs.
    package var idleTime = Duration.seconds(75)
    /// How long requests under way may go on when the server stops.
    package var stopTime = Duration.seconds(20)
    /// How often deadlines are looked at.
    package var watchInterval = Duration.milliseconds(250)
    /// Threads that read and write; handlers run on others.
    package var threads = 2

    package init() {}

    /// Bytes of a stream that are handed to the system at a time.
    static let streamBytes = 16 * 1_024
    /// How often a body of unknown length may exceed its limit before the connection is cut off
    /// instead of answered.
    static let excessFactor = 2
    /// Connections that wait to be accepted.
    static let backlog: Int32 = 1_024
    /// Pairs of a form or a query; more make it unreadable.
    static let fields = 1_024
    /// What a refused sender is to wait, in seconds.
    static let retrySeconds = 5
}
