import CMicroHTTPD
import Synchronization

/// What the daemons call, and what they are asked to do.
///
/// Kept alive by ``HTTPServer`` until the last daemon has stopped.
final class ServerEngine: Sendable {
    let handler: any WebHandler
    let limits: ServerLimits
    let table: ConnectionTable
    private let room: BodyRoom

    init(_ handler: any WebHandler, _ limits: ServerLimits) {
        self.handler = handler
        self.limits = limits
        table = ConnectionTable(limits)
        room = BodyRoom(bytes: limits.bodyBytesInAll)
    }

    /// Starts a daemon on a socket, which belongs to it from here on; nil when it cannot be.
    func start(on socket: ListeningSocket) -> Daemon? {
        let context = Unmanaged.passUnretained(self).toOpaque()
        func option(
            _ name: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
        ) -> MHD_OptionItem {
            MHD_OptionItem(option: name, value: value, ptr_value: pointer)
        }
        var options = [
            option(.LISTEN_SOCKET, Int(socket.descriptor)),
            option(.URI_LOG_CALLBACK, address(of: Self.begin), context),
            option(.NOTIFY_COMPLETED, address(of: Self.end), context),
            option(.NOTIFY_CONNECTION, address(of: Self.follow), context),
            option(.CONNECTION_MEMORY_LIMIT, limits.headerBytes),
            // Twice ours for each thread, so that a new connection is seen, and another cut off.
            option(.CONNECTION_LIMIT, 2 * limits.connections * limits.threads),
            option(.CONNECTION_TIMEOUT, Int(max(1, limits.idleTime.components.seconds))),
            option(.THREAD_POOL_SIZE, limits.threads),
            option(.STRICT_FOR_CLIENT, 1), option(.END, 0),
        ]
        let flags =
            MHD_USE_AUTO_INTERNAL_THREAD.rawValue | MHD_USE_ITC.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue
        return shim_MHD_start(flags, 0, Self.handle, context, &options).map { Daemon(pointer: $0) }
    }

    /// A function as the number that an option carries.
    private func address<Function>(of function: Function) -> Int {
        Int(bitPattern: unsafeBitCast(function, to: UnsafeRawPointer.self))
    }

    /// A running daemon, which any thread but its own may stop.
    struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer

        /// Accepts no more; the socket is whose it is given to.
        func quiesce() -> Int32 { MHD_quiesce_daemon(pointer) }

        /// Ends its threads and closes its connections; none may be suspended.
        func stop() { MHD_stop_daemon(pointer) }
    }
}

// MARK: - What a daemon calls, on its threads

extension ServerEngine {
    private static func at(_ context: UnsafeMutableRawPointer) -> ServerEngine {
        Unmanaged<ServerEngine>.fromOpaque(context).takeUnretainedValue()
    }

    /// A request line came: the only place where the target stands as it was sent.
    private static let begin:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { context, target, connection in
            guard let context, let connection else { return nil }
            at(context).table.note(.head, of: Connection(pointer: connection), at: .now)
            let bytes = target.map { UnsafeBufferPointer(start: $0, count: length(of: $0)) }
            let exchange = Exchange(target: bytes?.map { UInt8(bitPattern: $0) } ?? [])
            return Unmanaged.passRetained(exchange).toOpaque()
        }

    private static func length(of text: UnsafePointer<CChar>) -> Int {
        var count = 0
        while text[count] != 0 { count += 1 }
        return count
    }

    private static let handle: MHD_AccessHandlerCallback = {
        context, connection, _, method, version, upload, size, slot in
        guard let context, let connection, let method, let version, let size,
            let request = slot?.pointee
        else { return .NO }
        let exchange = Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
        let here = Connection(pointer: connection)
        if size.pointee > 0 {
            let part = UnsafeRawBufferPointer(start: upload, count: size.pointee)
            size.pointee = 0
            return exchange.add(part, room: at(context).room) ? .YES : .NO
        }
        switch exchange.next {
        case .decide:
            return at(context).decide(
                exchange, here, method: String(cString: method), version: String(cString: version))
        case .dispatch(let request): return at(context).dispatch(request, exchange, here)
        case .answer(let answer): return at(context).send(answer, on: here)
        case .cut: return .NO
        }
    }

    private static let end: MHD_RequestCompletedCallback = { context, connection, slot, _ in
        guard let context, let connection, let slot, let request = slot.pointee else { return }
        slot.pointee = nil
        let exchange = Unmanaged<Exchange>.fromOpaque(request).takeRetainedValue()
        exchange.end(room: at(context).room)
        at(context).table.ended(exchange, on: Connection(pointer: connection), at: .now)
    }

    private static let follow: MHD_NotifyConnectionCallback = { context, connection, _, code in
        guard let context, let connection else { return }
        let here = Connection(pointer: connection)
        if code == .CONNECTION_NOTIFY_STARTED {
            at(context).table.opened(here, at: .now)
        } else {
            at(context).table.closed(here)
        }
    }

    // MARK: Steps of a request

    private func decide(
        _ exchange: Exchange, _ connection: Connection, method: String, version: String
    ) -> MHD_Result {
        let head: RequestHead
        do throws(RequestHead.Refusal) {
            head = try RequestHead(
                connection.pointer, method: method, version: version, target: exchange.target)
        } catch {
            return refuse(error.response, on: connection)
        }
        switch handler.admission(of: head.request) {
        case .refuse(let answer): return refuse(answer, on: connection)
        case .accept(let limit):
            if let length = head.declaredLength, length > limit {
                return refuse(.contentTooLarge, on: connection)
            }
            guard table.began(exchange, on: connection) else {
                return refuse(
                    .unavailable(retryAfter: ServerLimits.retrySeconds), on: connection)
            }
            exchange.begin(head.request, bodyLimit: limit, declared: head.declaredLength)
            table.note(.body, of: connection, at: .now)
            return .YES
        }
    }

    /// Answers without reading further; what still comes on the connection is not looked at.
    private func refuse(_ answer: WebResponse, on connection: Connection) -> MHD_Result {
        var answer = answer
        answer.headers.append(WebField("Connection", "close"))
        return send(answer, on: connection)
    }

    private func dispatch(
        _ request: WebRequest, _ exchange: Exchange, _ connection: Connection
    ) -> MHD_Result {
        table.note(.answering, of: connection, at: .now)
        guard exchange.suspend(connection) else { return .NO }
        exchange.answering(
            Task { [handler] in
                exchange.finish(await handler.respond(to: request), on: connection)
            })
        return .YES
    }

    private func send(_ answer: WebResponse, on connection: Connection) -> MHD_Result {
        let response: OpaquePointer?
        switch answer.body {
        case .bytes(let bytes):
            table.note(.sending, of: connection, at: .now)
            response = bytes.withUnsafeBytes { body in
                // An empty array has no address, and the library insists on one.
                withUnsafeBytes(of: 0) { nothing in
                    MHD_create_response_from_buffer(
                        body.count,
                        UnsafeMutableRawPointer(
                            mutating: body.baseAddress ?? nothing.baseAddress),
                        .RESPMEM_MUST_COPY)
                }
            }
        case .stream(let source):
            let stream = StreamBody(source, on: connection)
            if !table.began(stream, on: connection) { stream.end() }
            response = Self.response(stream)
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        for field in answer.headers { MHD_add_response_header(response, field.name, field.value) }
        if !answer.has("x-content-type-options") {
            MHD_add_response_header(response, "X-Content-Type-Options", "nosniff")
        }
        if !answer.has("cache-control") {
            MHD_add_response_header(response, "Cache-Control", "no-store")
        }
        if table.isDraining, !answer.has("connection") {
            MHD_add_response_header(response, "Connection", "close")
        }
        return MHD_queue_response(connection.pointer, UInt32(answer.status), response)
    }

    private static func response(_ stream: StreamBody) -> OpaquePointer? {
        MHD_create_response_from_callback(
            UInt64.max, ServerLimits.streamBytes,
            { context, _, buffer, size in
                guard let context, let buffer else { return -2 }
                let stream = Unmanaged<StreamBody>.fromOpaque(context).takeUnretainedValue()
                let room = UnsafeMutableRawBufferPointer(start: buffer, count: size)
                // -1 is the library's word for the end.
                return stream.read(into: room) ?? -1
            }, Unmanaged.passRetained(stream).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<StreamBody>.fromOpaque(context).takeRetainedValue().end()
            })
    }
}

extension WebResponse {
    fileprivate func has(_ name: String) -> Bool {
        headers.contains { $0.name.lowercased() == name }
    }
}
