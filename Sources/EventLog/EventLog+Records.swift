extension EventLog {
    /// The records behind a position, then those to come, as arrays in order.
    ///
    /// Pull-driven: nothing is read before it is asked for, and one array holds at most some
    /// hundred records. Waits when it is at the end, and notices other processes' commits within a
    /// tenth of a second. Ends when its task is cancelled or the log is closed. Nil begins with the
    /// first record, which is another thing than `after: 0`.
    public func records(after position: UInt64? = nil) -> LiveRecords<Schema, Store> {
        LiveRecords(log: self, next: position.map { $0 == .max ? .max : $0 + 1 } ?? 0)
    }
}

/// The sequence of ``EventLog/records(after:)``; each iterator reads for itself.
public struct LiveRecords<Schema: LogSchema, Store: LogStore>: AsyncSequence, Sendable {
    let log: EventLog<Schema, Store>
    let next: UInt64

    /// Begins at the sequence's first position.
    public func makeAsyncIterator() -> Iterator { Iterator(log: log, next: next) }

    /// Where one reading of the sequence is.
    public struct Iterator: AsyncIteratorProtocol {
        let log: EventLog<Schema, Store>
        /// The position that is read next.
        public private(set) var next: UInt64

        init(log: EventLog<Schema, Store>, next: UInt64) {
            self.log = log
            self.next = next
        }

        /// The records that follow, at least one; nil at cancellation and when the log is closed.
        public mutating func next() async throws -> [Record]? {
            while !Task.isCancelled {
                let records: [Record]
                do throws(LogError) {
                    records = try log.records(from: next)
                } catch {
                    if error.code == .closed { return nil }
                    throw error
                }
                if let last = records.last {
                    next = last.position + 1
                    return records
                }
                guard !log.watch.isEnded else { return nil }
                let (log, next) = (log, next)
                await log.watch.wait {
                    log.thread.nudge()
                } unless: {
                    log.hasGrown(beyond: next)
                }
            }
            return nil
        }
    }
}

extension EventLog {
    fileprivate func records(from position: UInt64) throws(LogError) -> [Record] {
        try reading { (snapshot) throws(LogError) in
            var records: [Record] = []
            var bytes = 0
            guard position < snapshot.end else { return records }
            try snapshot.scanRecords(in: position..<snapshot.end) { (record) throws(LogError) in
                records.append(Record(record))
                bytes += record.bytes.byteCount
                let isFull =
                    records.count >= Limits.recordsPerArray
                    || bytes >= Limits.bytesPerArray
                return isFull ? .stop : .more
            }
            return records
        }
    }

    /// True also when it cannot be told: whoever waits looks again and meets the error.
    fileprivate func hasGrown(beyond end: UInt64) -> Bool {
        do throws(LogError) {
            return try reading { $0.end > end }
        } catch {
            return true
        }
    }
}
