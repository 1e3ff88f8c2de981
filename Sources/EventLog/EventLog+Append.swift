extension EventLog {
    /// Appends all requests in one transaction, or none of them, and returns when they are durable.
    ///
    /// A request whose dedupe hashes are already there is answered with the earlier records. Held
    /// back while the queue is full; cancelled meanwhile, it throws `CANCELLED` and nothing is
    /// written. Once in the queue it is written whatever becomes of the task.
    /// Throws `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORAGE_FULL`, `STORAGE_FAILED`,
    /// `OUTCOME_UNKNOWN` (repeat it after opening again), `LOG_STOPPED`, `LOG_CLOSED`, `CANCELLED`,
    /// `DAMAGED`.
    public func append(_ requests: [AppendRequest]) async throws(LogError) -> [AppendResult] {
        guard !requests.isEmpty else { return [] }
        let ticket = try AppendTicket(requests)
        switch thread.enqueue(ticket) {
        case .isClosing: throw .isClosed
        case .isAdmitted:
            return try await withUnsafeContinuation { ticket.wait($0) }.get()
        case .isHeldBack:
            let thread = thread
            let outcome = await withTaskCancellationHandler {
                await withUnsafeContinuation { ticket.wait($0) }
            } onCancel: {
                if thread.withdraw(ticket) { ticket.finish(.failure(.wasCancelled)) }
            }
            return try outcome.get()
        }
    }

    /// The same for callers that are not tasks: blocks the calling thread.
    ///
    /// Must not be called from a task, which would hold a thread of the cooperative pool.
    public func appendBlocking(_ requests: [AppendRequest]) throws(LogError) -> [AppendResult] {
        guard !requests.isEmpty else { return [] }
        let ticket = try AppendTicket(requests)
        guard thread.enqueue(ticket) != .isClosing else { throw .isClosed }
        return try ticket.wait().get()
    }
}

extension LogError {
    static let wasCancelled = LogError(
        .cancelled, "The append was cancelled before it was taken.",
        hint: "Nothing was written; it can be repeated.")
}
