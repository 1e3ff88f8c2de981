public import CheckoutFlow

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Waits for return URLs of the app's own scheme that the desktop gave to another process.
///
/// The desktop starts the registered handler anew for every URL; the handler passes it on by
/// `SchemeListener.forward`. One process of a user waits for a scheme at a time. Whatever comes is
/// a hint: any page and any program can open such a URL.
public final class SchemeListener: ReturnChannel {
    private let gate: ReturnGate
    private let place: MeetingPlace
    private let seat: MeetingPlace.Seat
    /// What ends the thread: closing the writing end wakes it up.
    private let stop: Int32

    /// Listens from here on, and checks that the scheme leads to a program.
    ///
    /// Throws `INVALID_RETURN_URL`, `SCHEME_NOT_REGISTERED`, `PORT_IN_USE` when another process
    /// waits for the scheme, `PLATFORM_ERROR`.
    public init(
        scheme: String, environment: DesktopEnvironment = .current
    ) throws(CheckoutError) {
        try SchemeRegistration(scheme: scheme, environment: environment).check()
        place = try MeetingPlace(try SchemeName(scheme), environment)
        let seat = try place.listen()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            place.leave(seat)
            closeDescriptor(seat.socket)
            throw CheckoutError(
                .platform, "The system has no open files left.", hint: "Close some programs.")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stop = ends[1]
        gate = ReturnGate(room: DesktopLimits.waitingURLs)
        self.seat = seat
        let (gate, ended) = (gate, ends[0])
        startThread { Self.serve(seat.socket, gate, until: ended) }
    }

    deinit { close() }

    /// Throws `PLATFORM_ERROR` once it is closed.
    public func check() throws(CheckoutError) {
        guard gate.isClosed else { return }
        throw CheckoutError(
            .platform, "The scheme's listener is closed.",
            hint: "Make a new listener for each checkout.")
    }

    /// Hands over every URL of the scheme.
    public func listen(_ take: @escaping @Sendable (String) -> Void) { gate.listen(take) }

    /// Removes the socket and ends the thread.
    public func close() {
        guard gate.close() else { return }
        place.leave(seat)
        closeDescriptor(stop)
    }

    /// Passes a URL on to the process that waits for its scheme; false when none does.
    ///
    /// True means that the URL was taken, not that it is a return of the checkout that runs there.
    /// Throws `INVALID_RETURN_URL` for a text that is no URL, has a control character or is longer
    /// than 16,384 bytes, `PLATFORM_ERROR`.
    public static func forward(
        _ url: String, environment: DesktopEnvironment = .current
    ) throws(CheckoutError) -> Bool {
        let place = try MeetingPlace(try SchemeName(of: url), environment)
        let isLine = !url.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        guard isLine, url.utf8.count <= DesktopLimits.forwardedBytes else {
            throw CheckoutError(
                .invalidReturnURL, "The URL is too long, or has a control character.",
                hint: "Hand it over as the system gave it.")
        }
        guard let socket = place.connect() else { return false }
        defer { closeDescriptor(socket) }
        let deadline = Deadline(milliseconds: DesktopLimits.forwardMilliseconds)
        guard Descriptor.write(Array("\(url)\n".utf8), to: socket, until: deadline) else {
            return false
        }
        let answer = Descriptor.read(socket, limit: 16, isLine: true, until: deadline)
        return answer == Array(MeetingPlace.answer.dropLast())
    }

    private static func serve(
        _ socket: Int32, _ gate: ReturnGate, until ended: Int32
    ) {
        defer {
            closeDescriptor(socket)
            closeDescriptor(ended)
        }
        while true {
            var waiting = [
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, 2, -1) >= 0 || errno == EINTR else { return }
            if waiting[1].revents != 0 { return }
            guard waiting[0].revents != 0 else { continue }
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { continue }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            receive(connection, gate)
            closeDescriptor(connection)
        }
    }

    private static func receive(_ connection: Int32, _ gate: ReturnGate) {
        let deadline = Deadline(milliseconds: DesktopLimits.forwardMilliseconds)
        let line = Descriptor.read(
            connection, limit: DesktopLimits.forwardedBytes, isLine: true, until: deadline)
        guard let line, let url = String(validating: line, as: UTF8.self), gate.deliver(url)
        else { return }
        _ = Descriptor.write(MeetingPlace.answer, to: connection, until: deadline)
    }
}

private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
