import CMicroHTTPD
import CheckoutFlow
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A small HTTP server on one socket, with a thread of its own.
final class LoopbackServer: Sendable {
    private let answers: LoopbackAnswers
    /// The running daemon; nil before and after.
    private let daemon = Mutex<Daemon?>(nil)
    /// Open connections, the oldest first: their names here are their addresses.
    private let connections = Mutex<[(name: Int, socket: Int32)]>([])

    /// A running daemon, which any thread but its own may stop; the lock sees that one does.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private init(_ answers: LoopbackAnswers) { self.answers = answers }

    /// One server for each socket, which belong to them from here on; all of them, or none.
    static func start(
        on sockets: [Int32], _ answers: LoopbackAnswers
    ) throws(CheckoutError) -> [LoopbackServer] {
        var servers: [LoopbackServer] = []
        for (index, socket) in sockets.enumerated() {
            let server = LoopbackServer(answers)
            guard server.run(on: socket) else {
                for socket in sockets[index...] { closeSocket(socket) }
                for server in servers { server.stop() }
                throw CheckoutError(
                    .platform, "The loopback listener could not be started.",
                    hint: "The system may be out of threads or memory.")
            }
            servers.append(server)
        }
        return servers
    }

    /// Closes the socket and ends the thread; not to be called on that thread.
    func stop() {
        daemon.withLock { daemon in
            if let running = daemon { MHD_stop_daemon(running.pointer) }
            daemon = nil
        }
    }

    private func run(on socket: Int32) -> Bool {
        // Lives as long as the daemon: whoever holds the listener holds this, and stops it first.
        let context = Unmanaged.passUnretained(self).toOpaque()
        func option(
            _ name: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
        ) -> MHD_OptionItem {
            MHD_OptionItem(option: name, value: value, ptr_value: pointer)
        }
        var options = [
            option(.LISTEN_SOCKET, Int(socket)),
            option(.URI_LOG_CALLBACK, address(of: Self.begin), nil),
            option(.NOTIFY_COMPLETED, address(of: Self.end), context),
            option(.NOTIFY_CONNECTION, address(of: Self.follow), context),
            option(.CONNECTION_MEMORY_LIMIT, DesktopLimits.connectionBytes),
            // Twice ours, so that a new connection is seen, and cuts off the oldest.
            option(.CONNECTION_LIMIT, 2 * DesktopLimits.connections),
            option(.CONNECTION_TIMEOUT, DesktopLimits.idleSeconds),
            option(.STRICT_FOR_CLIENT, 1), option(.END, 0),
        ]
        let flags = MHD_USE_AUTO_INTERNAL_THREAD.rawValue | MHD_USE_ITC.rawValue
        guard let started = shim_MHD_start(flags, 0, Self.handle, context, &options) else {
            return false
        }
        let running = Daemon(pointer: started)
        daemon.withLock { $0 = running }
        return true
    }

    /// A function as the number that an option carries.
    private func address<Function>(of function: Function) -> Int {
        Int(bitPattern: unsafeBitCast(function, to: UnsafeRawPointer.self))
    }
}

/// One request: what was asked for, and what is to be handed over when its answer is out.
private final class Exchange {
    let target: [UInt8]
    var url: String?

    init(_ target: [UInt8]) { self.target = target }

    static func at(_ pointer: UnsafeMutableRawPointer) -> Exchange {
        Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    }
}

// MARK: - What the daemon calls, on its thread

extension LoopbackServer {
    private static func at(_ context: UnsafeMutableRawPointer) -> LoopbackServer {
        Unmanaged<LoopbackServer>.fromOpaque(context).takeUnretainedValue()
    }

    /// A request line came: the only place where the target stands as it was sent.
    private static let begin:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { _, target, _ in
            let bytes = target.map { UnsafeBufferPointer(start: $0, count: strlen($0)) }
            let exchange = Exchange(bytes?.map { UInt8(bitPattern: $0) } ?? [])
            return Unmanaged.passRetained(exchange).toOpaque()
        }

    private static let handle: MHD_AccessHandlerCallback = {
        context, connection, _, method, _, _, _, slot in
        guard let context, let connection, let method, let request = slot?.pointee else {
            return .NO
        }
        let exchange = Exchange.at(request)
        let host = MHD_lookup_connection_value(connection, .HEADER_KIND, "Host")
        let answer = at(context).answers.answer(
            method: String(cString: method), target: exchange.target,
            host: host.map { String(cString: $0) })
        exchange.url = answer.url
        return send(answer, to: connection)
    }

    /// The answer is out, or the browser is gone: now nothing is lost when the port is closed.
    private static let end: MHD_RequestCompletedCallback = { context, _, slot, _ in
        guard let context, let slot, let request = slot.pointee else { return }
        slot.pointee = nil
        let exchange = Unmanaged<Exchange>.fromOpaque(request).takeRetainedValue()
        if let url = exchange.url { at(context).answers.hand(over: url) }
    }

    /// A connection came or went.
    private static let follow: MHD_NotifyConnectionCallback = { context, connection, _, code in
        guard let context, let connection else { return }
        let (name, socket) = (Int(bitPattern: connection), shim_MHD_socket(connection))
        at(context).connections.withLock { connections in
            guard code == .CONNECTION_NOTIFY_STARTED else {
                connections.removeAll { $0.name == name }
                return
            }
            connections.append((name, socket))
            guard connections.count > DesktopLimits.connections else { return }
            // The daemon hears of the end by itself and closes what is left.
            shutdown(connections.removeFirst().socket, Int32(SHUT_RDWR))
        }
    }

    private static func send(
        _ answer: LoopbackAnswers.Answer, to connection: OpaquePointer
    ) -> MHD_Result {
        let response = answer.body.withUnsafeBytes { body in
            MHD_create_response_from_buffer(
                body.count, UnsafeMutableRawPointer(mutating: body.baseAddress),
                .RESPMEM_MUST_COPY)
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        MHD_add_response_header(response, "Content-Type", answer.type)
        for field in LoopbackAnswers.fields + answer.fields {
            MHD_add_response_header(response, field.name, field.value)
        }
        return MHD_queue_response(connection, answer.status, response)
    }
}

private func closeSocket(_ socket: Int32) { close(socket) }
