import CheckoutLedger
import EventLog
import HTTPServer

/// Tells pages that the log grew, as server-sent events.
///
/// Says how far it is and nothing of what was recorded: pages fetch themselves again.
enum LiveStream {
    /// An answer that lasts until the reader goes, the log is closed or the server stops.
    static func response<Store: LogStore>(
        from ledger: Ledger<Store>, after end: UInt64
    ) -> WebResponse {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [UInt8].self, bufferingPolicy: .bufferingNewest(Limits.liveBuffered))
        continuation.yield(message(end))
        let following = Task {
            do {
                for try await records in ledger.log.records(after: end == 0 ? nil : end - 1) {
                    guard let last = records.last else { continue }
                    continuation.yield(message(last.position + 1))
                }
            } catch {
                // The reader connects again and hears of it by then.
            }
            continuation.finish()
        }
        let beating = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(Limits.heartbeatSeconds))
                continuation.yield(Array(": still here\n\n".utf8))
            }
        }
        continuation.onTermination = { _ in
            following.cancel()
            beating.cancel()
        }
        return WebResponse(
            status: 200,
            headers: [
                WebField("Content-Type", "text/event-stream; charset=utf-8"),
                WebField("Cache-Control", "no-store"), WebField("X-Accel-Buffering", "no"),
            ], body: .stream(stream))
    }

    private static func message(_ end: UInt64) -> [UInt8] {
        Array("id: \(end)\ndata: {\"events\":\(end)}\n\n".utf8)
    }
}
