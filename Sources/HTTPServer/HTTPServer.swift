import CMicroHTTPD
import Synchronization

/// An HTTP/1.1 server over libmicrohttpd: a few threads read and write, and tasks answer.
///
/// What two readers could understand in two ways is refused, and so is what is too long or takes
/// too long; see ``ServerLimits``. Speaks no TLS: that is for a proxy before it.
package final class HTTPServer: Sendable {
    /// Where it listens.
    package let addresses: [SocketAddress]
    private let engine: ServerEngine
    private let daemons: Mutex<[ServerEngine.Daemon]>
    private let watchdog: Task<Void, Never>

    private init(
        _ engine: ServerEngine, _ daemons: [ServerEngine.Daemon], _ addresses: [SocketAddress]
    ) {
        self.engine = engine
        self.daemons = Mutex(daemons)
        self.addresses = addresses
        let (table, interval) = (engine.table, engine.limits.watchInterval)
        watchdog = Task {
            while (try? await Task.sleep(for: interval)) != nil { table.sweep(at: .now) }
        }
    }

    /// Listens on sockets, which belong to the server from here on, also when it throws.
    ///
    /// Throws `START_FAILED`. Whoever starts it calls ``stop()`` before letting go of it.
    package static func start(
        on sockets: [ListeningSocket], limits: ServerLimits = ServerLimits(),
        handler: any WebHandler
    ) throws(ServerError) -> HTTPServer {
        let engine = ServerEngine(handler, limits)
        var daemons: [ServerEngine.Daemon] = []
        for (index, socket) in sockets.enumerated() {
            guard let daemon = engine.start(on: socket) else {
                for socket in sockets[index...] { socket.close() }
                for daemon in daemons { daemon.stop() }
                throw .noThreads
            }
            daemons.append(daemon)
        }
        return HTTPServer(engine, daemons, sockets.map(\.address))
    }

    /// Connections that are open, and requests whose answer is not out yet.
    package var counts: (connections: Int, requests: Int) { engine.table.counts }

    /// Accepts no more, lets requests under way finish within ``ServerLimits/stopTime``, ends
    /// streams, and closes.
    ///
    /// A request that comes meanwhile on an open connection is answered 503. A second call does
    /// nothing.
    package func stop() async {
        let daemons = daemons.withLock { daemons in
            defer { daemons = [] }
            return daemons
        }
        guard !daemons.isEmpty else { return }
        for daemon in daemons { closeSocket(daemon.quiesce()) }
        engine.table.drain()
        let end = ContinuousClock.now + engine.limits.stopTime
        while engine.table.counts.requests > 0, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(5))
        }
        engine.table.close()
        for daemon in daemons { daemon.stop() }
        watchdog.cancel()
    }
}
