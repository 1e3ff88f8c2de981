public import CheckoutModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps an app's checkouts in one small file.
///
/// Replaced as a whole and synced with every entry, so that a kill at any moment leaves the state
/// before or after it. Several processes may share it. Holds ids, times, statuses and the app's own
/// return URLs: no e-mail address, no licence key, no parameter of a return.
public actor FileJournal: SessionJournal {
    private let file: AtomicFile

    /// Takes a path in a folder that is there; the file is made with the first entry.
    public init(path: String) { file = AtomicFile(path: path) }

    /// Keeps the entry, durably.
    public func append(_ entry: JournalEntry) throws(JournalError) { try appendNow(entry) }

    /// Every checkout that is not done with.
    public func sessions() throws(JournalError) -> [JournaledSession] { try sessionsNow() }

    /// The same as ``append(_:)`` from code that cannot wait.
    ///
    /// Callable from any thread: the file's lock keeps writers apart. Takes as long as a sync of
    /// the disk.
    public nonisolated func appendNow(_ entry: JournalEntry) throws(JournalError) {
        do throws(AtomicFile.Failure) {
            try file.locked { () throws(AtomicFile.Failure) in
                var kept = try load()
                kept.append(entry)
                try file.replace(with: kept.json)
            }
        } catch {
            throw .write(error.reason)
        }
    }

    /// The same as ``sessions()`` from code that cannot wait, on any thread.
    public nonisolated func sessionsNow() throws(JournalError) -> [JournaledSession] {
        do throws(AtomicFile.Failure) {
            if let document = try read() { return document.sessions }
            // Set aside under the lock: a writer may have put a good file there by now.
            return try file.locked { () throws(AtomicFile.Failure) in try load().sessions }
        } catch {
            throw .read(error.reason)
        }
    }

    /// Takes over the record of an app that kept one session only, and then calls `clear`.
    ///
    /// Doing it again adds nothing. The checkout's return URLs are not known, so a late return
    /// finds it only by the session's name.
    public func adopt(
        _ session: SessionKey, startedAt: Instant, mode: ProviderMode = .unknown,
        clear: @Sendable () -> Void
    ) throws(JournalError) {
        try append(
            JournalEntry(
                session, at: startedAt, .started(StartedCheckout(mode: mode, returnURLs: []))))
        clear()
    }

    /// The content, for the one who holds the lock; a file that cannot be read is set aside.
    private nonisolated func load() throws(AtomicFile.Failure) -> JournalDocument {
        if let document = try read() { return document }
        // It must not stop every checkout; it is kept for a person.
        try file.moveAside()
        return JournalDocument()
    }

    /// The content; nil when the file is damaged.
    private nonisolated func read() throws(AtomicFile.Failure) -> JournalDocument? {
        let content: [UInt8]
        do throws(AtomicFile.Failure) {
            content = try file.read()
        } catch {
            if error.isMissing { return JournalDocument() }
            throw error
        }
        do throws(JournalDocument.IsNewer) {
            return try JournalDocument(json: content)
        } catch {
            throw AtomicFile.Failure(
                reason: "the file is of a newer version of this program", isMissing: false)
        }
    }
}
