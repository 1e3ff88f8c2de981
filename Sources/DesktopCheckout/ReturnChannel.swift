public import CheckoutFlow
import Synchronization

/// A way by which the browser's return comes back to this process.
///
/// Made before the session is created, because the merchant's server needs the return URL for it.
/// Serves one checkout; a second one needs a new channel.
public protocol ReturnChannel: Sendable {
    /// Throws when nothing can come back by it any more.
    func check() throws(CheckoutError)
    /// Hands every URL to `take` from now on, the waiting ones first; on any thread.
    func listen(_ take: @escaping @Sendable (String) -> Void)
    /// Lets go of ports, sockets and threads; may be called again.
    func close()
}

/// The app itself is told of URLs by its system and hands them to `CheckoutFlow.handleOpenURL`.
///
/// The way of app bundles on macOS, whose schemes stand in `Info.plist`.
public struct ForwardedByHost: ReturnChannel {
    /// There is nothing to set up.
    public init() {}
    /// Never throws.
    public func check() throws(CheckoutError) {}
    /// Does nothing: the host forwards.
    public func listen(_ take: @escaping @Sendable (String) -> Void) {}
    /// Does nothing.
    public func close() {}
}

/// URLs on their way from a thread of a channel to the one who listens.
final class ReturnGate: Sendable {
    private struct State {
        var take: (@Sendable (String) -> Void)?
        var waiting: [String] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let room: Int

    init(room: Int) { self.room = room }

    /// False when nobody listens and there is no room left, or nobody ever will.
    @discardableResult
    func deliver(_ url: String) -> Bool {
        let (isTaken, take) = state.withLock { state -> (Bool, (@Sendable (String) -> Void)?) in
            guard !state.isClosed else { return (false, nil) }
            if let take = state.take { return (true, take) }
            guard state.waiting.count < room else { return (false, nil) }
            state.waiting.append(url)
            return (true, nil)
        }
        take?(url)
        return isTaken
    }

    func listen(_ take: @escaping @Sendable (String) -> Void) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            if !state.isClosed { state.take = take }
            return state.waiting
        }
        for url in waiting { take(url) }
    }

    /// True the first time.
    func close() -> Bool {
        state.withLock { state in
            defer { state = State(isClosed: true) }
            return !state.isClosed
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }
}
