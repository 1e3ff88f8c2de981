import CheckoutModel

/// How a flow's facts are written as events, and read back out of them.
///
/// | fact | event | source | reason |
/// |---|---|---|---|
/// | started | `session.created`, registered URLs sealed | app | – |
/// | opened | `session.opened` | app | – |
/// | failed to open | `session.failed_to_open` | app | the error's code |
/// | returned | `session.returned`, URL sealed | browser | `late`, `uncertain` |
/// | closed by a return | none: the return says it | – | – |
/// | closed otherwise | `session.closed` | app | the ending's word |
/// | timed out | `note.added`: the page may be open still | app | `timed_out` |
/// | the app is gone | `note.added` | app | `interrupted` |
/// | acknowledged | `note.added` | app | `acknowledged` |
/// | resolved | `session.cleared`, with what the host's server said as status | host | – |
enum FlowEventCode {
    private static let acknowledged = "acknowledged"
    private static let interrupted = "interrupted"
    private static let late = "late"
    private static let uncertain = "uncertain"

    /// Every type that a fact is read from.
    static let types: [EventType] = [
        .sessionCreated, .sessionOpened, .sessionFailedToOpen, .sessionReturned, .sessionClosed,
        .sessionCleared, .noteAdded,
    ]

    /// The event of an entry; nil when an earlier one says it already.
    static func event(
        _ entry: JournalEntry, mode: ProviderMode, account: String
    ) -> CheckoutEvent? {
        var event = CheckoutEvent(
            .noteAdded, source: .app, occurredAt: entry.time, provider: entry.session.provider,
            account: account, mode: mode, ids: ProviderIDs(session: entry.session.id))
        switch entry.fact {
        case .started(let started):
            event.type = .sessionCreated
            event.mode = started.mode
            event.privateFields = PrivateFields(
                registeredURLs: started.returnURLs, expiresAt: started.expiresAt)
        case .opened: event.type = .sessionOpened
        case .failedToOpen(let code):
            event.type = .sessionFailedToOpen
            event.reason = code
        case .returned(let claim):
            event.type = .sessionReturned
            event.source = .browser
            event.status = claim.status
            event.ids.payment = claim.payment.flatMap { $0.isEmpty ? nil : $0 }
            event.ids.subscription = claim.subscription.flatMap { $0.isEmpty ? nil : $0 }
            let words =
                (claim.isLate ? [late] : []) + (claim.isCertain ? [] : [uncertain])
            event.reason = words.isEmpty ? nil : words.joined(separator: " ")
        case .closed(.returned): return nil
        case .closed(let ending):
            if ending != .timedOut { event.type = .sessionClosed }
            event.reason = ending.rawValue
        case .acknowledged: event.reason = acknowledged
        case .resolved(let status):
            event.type = .sessionCleared
            event.source = .host
            event.status = status
        }
        return event
    }

    /// The event of a checkout whose app is gone; it changes nothing for a journal, which lists it.
    static func interruption(
        of session: JournaledSession, at time: Instant, account: String
    ) -> CheckoutEvent {
        CheckoutEvent(
            .noteAdded, source: .app, occurredAt: time, provider: session.key.provider,
            account: account, mode: session.started.mode,
            ids: ProviderIDs(session: session.key.id), reason: interrupted)
    }

    /// True for such an event.
    static func isInterruption(_ event: CheckoutEvent) -> Bool {
        event.type == .noteAdded && event.source == .app && event.reason == interrupted
    }

    /// What an event tells a journal; none for events of other voices.
    static func facts(_ event: CheckoutEvent) -> [JournalFact] {
        switch (event.type, event.source) {
        case (.sessionOpened, .app): return [.opened]
        case (.sessionFailedToOpen, .app): return [.failedToOpen(code: event.reason ?? "")]
        case (.sessionReturned, .browser):
            let words = (event.reason ?? "").split(separator: " ")
            let isLate = words.contains { $0 == late }
            let claim = ReturnedCheckout(
                status: event.status ?? .pending, payment: event.ids.payment,
                subscription: event.ids.subscription, isLate: isLate,
                isCertain: !words.contains { $0 == uncertain })
            return [.returned(claim)] + (isLate ? [] : [.closed(.returned)])
        case (.sessionClosed, .app):
            let ending = event.reason.flatMap { CheckoutEnding(rawValue: $0) }
            return [.closed(ending ?? .dismissed)]
        case (.sessionCleared, _): return [.resolved(event.status ?? .pending)]
        case (.noteAdded, .app):
            if event.reason == acknowledged { return [.acknowledged] }
            let ending = event.reason.flatMap { CheckoutEnding(rawValue: $0) }
            return ending == .timedOut ? [.closed(.timedOut)] : []
        default: return []
        }
    }
}
