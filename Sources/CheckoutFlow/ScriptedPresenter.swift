public import CheckoutModel

/// Shows nothing and does as it is told: for tests and previews.
///
/// Without a script the page comes up at once and waits for ``report(_:)``.
@MainActor
public final class ScriptedPresenter: CheckoutPresenter {
    /// What `prepare` throws; nil = nothing.
    public var failure: CheckoutError?
    /// Reported, in order, as soon as a page is to be shown.
    public var script: [PresenterReport]
    /// False keeps a page that is to be taken down until ``finishDismissing()``.
    public var dismissesAtOnce = true
    /// The pages that were to be shown, the last one last.
    public private(set) var pages: [CheckoutPage] = []
    private var listener: (@MainActor (PresenterReport) -> Void)?
    private var gone: (@MainActor () -> Void)?

    /// Takes a script.
    public init(_ script: [PresenterReport] = [.shown]) { self.script = script }

    /// Throws ``failure``.
    public func prepare() throws(CheckoutError) {
        if let failure { throw failure }
    }

    /// Keeps the page and plays the script.
    public func present(
        _ page: CheckoutPage, report: @escaping @MainActor (PresenterReport) -> Void
    ) {
        pages.append(page)
        listener = report
        for item in script { report(item) }
    }

    /// Takes the page down at once, or when told.
    public func dismiss(then gone: @escaping @MainActor () -> Void) {
        if dismissesAtOnce { gone() } else { self.gone = gone }
    }

    /// Lets something happen to the page.
    public func report(_ item: PresenterReport) { listener?(item) }

    /// Ends the taking down of a page.
    public func finishDismissing() {
        gone?()
        gone = nil
    }
}

/// Keeps checkouts in memory: for tests, previews and programs that keep a journal elsewhere.
public actor MemoryJournal: SessionJournal {
    private var kept: [JournaledSession] = []
    /// What `append` throws; nil = nothing.
    private var failure: JournalError?

    /// Empty, or with what an earlier one held.
    public init(_ sessions: [JournaledSession] = []) { kept = sessions }

    /// Makes every later `append` throw; nil ends it.
    public func fail(with error: JournalError?) { failure = error }

    /// Keeps the entry.
    public func append(_ entry: JournalEntry) throws(JournalError) {
        if let failure { throw failure }
        kept.apply(entry)
    }

    /// Every checkout that is not done with.
    public func sessions() -> [JournaledSession] { kept }
}

extension [JournaledSession] {
    /// Adds an entry to its session and drops the session when it is done with.
    mutating func apply(_ entry: JournalEntry) {
        if let index = firstIndex(where: { $0.key == entry.session }) {
            self[index].apply(entry.fact)
            if self[index].isDone { remove(at: index) }
        } else if let session = JournaledSession(entry) {
            append(session)
        }
    }
}
