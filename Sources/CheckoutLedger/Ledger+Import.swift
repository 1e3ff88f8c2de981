import CheckoutModel
import EventLog

/// What became of imported lines.
public struct ImportReport: Sendable, Hashable {
    /// Lines that were taken, empty ones not counted.
    public internal(set) var lines = 0
    /// Events that were not there before.
    public internal(set) var added = 0
    /// Events that were there already.
    public internal(set) var known = 0
    /// Lines that a ledger writes itself, such as links between sessions.
    public internal(set) var passedOver = 0
    /// Where it stopped; nil when every line was taken.
    public internal(set) var stop: Stop?

    /// The line at which an import stopped, and why; the lines before it are recorded.
    public struct Stop: Sendable, Hashable {
        /// From 1.
        public let line: Int
        /// Offset in bytes of the line's first byte.
        public let offset: Int
        /// True for a last line that ends in the middle, as after a crash of its writer.
        public let isTorn: Bool
        /// What is wrong with it.
        public let error: LedgerError
    }
}

extension Ledger {
    /// Records events from lines of JSON, in batches, until the end or the first bad line.
    ///
    /// Idempotent: a line counts once, by its id or else its content, so that a repaired file can
    /// be imported again. LF and CRLF both end a line; empty lines are passed over. Throws what
    /// the storage and the reader say; a bad line is in the report.
    public func importEvents(
        from lines: inout LineReader, first: TextLine? = nil
    ) async throws(LedgerError) -> ImportReport {
        var report = ImportReport()
        var batch: [(line: TextLine, entry: EventEntry)] = []
        var bytes = 0
        var line = first
        if line == nil { line = try lines.next() }
        while let current = line, report.stop == nil {
            if !current.isBlank { try take(current, into: &batch, &report) }
            bytes += current.bytes.count
            if batch.count >= Limits.linesPerImport || bytes >= Limits.bytesPerImport {
                try await record(batch, &report)
                batch = []
                bytes = 0
            }
            line = try lines.next()
        }
        let stop = report.stop
        report.stop = nil
        try await record(batch, &report)
        // What a batch was refused for stands before the line that cannot be read.
        report.stop = report.stop ?? stop
        return report
    }

    private func take(
        _ line: TextLine, into batch: inout [(line: TextLine, entry: EventEntry)],
        _ report: inout ImportReport
    ) throws(LedgerError) {
        do throws(LedgerError) {
            guard !LedgerExport.isPart(line.text) else {
                throw LedgerExportReader.damaged(
                    line, "belongs to an export that lacks its first line")
            }
            let entry = try EventLine.entry(line.text)
            if entry.event.type == .sessionLinked {
                report.lines += 1
                report.passedOver += 1
            } else {
                batch.append((line, entry))
            }
        } catch {
            report.stop = .init(
                line: line.number, offset: line.offset,
                isTorn: !line.isEnded && !EventLine.isObject(line.text), error: error)
        }
    }

    /// All in one transaction; when that is refused, one by one, so that the lines before the bad
    /// one stay.
    private func record(
        _ batch: [(line: TextLine, entry: EventEntry)], _ report: inout ImportReport
    ) async throws(LedgerError) {
        if batch.isEmpty || report.stop != nil { return }
        do throws(LedgerError) {
            report.count(try await recordAll(batch.map(\.entry)))
            return
        } catch {
            guard error.isAboutAnEvent else { throw error }
        }
        for (line, entry) in batch {
            do throws(LedgerError) {
                report.count(try await record([entry]))
            } catch {
                guard error.isAboutAnEvent else { throw error }
                report.stop = .init(
                    line: line.number, offset: line.offset, isTorn: false, error: error)
                return
            }
        }
    }
}

extension ImportReport {
    fileprivate mutating func count(_ recorded: [RecordedAt]) {
        lines += recorded.count
        known += recorded.count { $0.wasThere }
        added += recorded.count { !$0.wasThere }
    }
}

extension LedgerError {
    /// True for what is wrong with one event, false for what would fail every other too.
    fileprivate var isAboutAnEvent: Bool {
        [.tooLong, .missing, .malformedEvent, .eventIDReused, .sensitiveData].contains(code)
            || code.rawValue == LogError.Code.invalidRequest.rawValue
    }
}
