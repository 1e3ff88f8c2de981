import CheckoutModel

/// The course of one checkout as a value: takes what happened, answers with what to do.
///
/// Does nothing itself, so that every order of events can be tried. Two laws hold for all of them:
/// `finish` is asked for once and never again, and nothing is shown before it is recorded.
struct CheckoutMachine: Sendable, Hashable {
    /// What happened.
    enum Input: Sendable, Hashable {
        /// The start is durable.
        case recorded
        /// The start could not be recorded: nothing may be shown.
        case notRecorded(CheckoutError)
        /// The page is on the screen.
        case shown
        /// The page did not come up. `mayAppear`: it may do so yet, so it has to be taken down.
        case notShown(CheckoutError, mayAppear: Bool)
        /// The page is on the screen, or about to be, and its first load failed.
        case failedToLoad
        /// A matching return came.
        case returned(ReturnedCheckout)
        /// The customer closed the page; it is gone.
        case dismissed
        /// The app does not want to wait any longer.
        case cancelled
        /// The time that the app allowed is over.
        case timedOut
        /// The page that was to be taken down is gone.
        case gone
    }

    /// What to do, in this order.
    enum Action: Sendable, Hashable {
        case record(JournalFact)
        case present
        case dismiss
        case emit(FlowEvent.Kind)
        case finish(Finish)
    }

    /// What the host is told.
    enum Finish: Sendable, Hashable {
        case result(CheckoutEnding, ReturnedCheckout?)
        case failure(CheckoutError)
    }

    private enum Phase: Sendable, Hashable {
        /// The start is being recorded; an end may have come already.
        case recording(CheckoutEnding?)
        /// The page was asked for and is not confirmed.
        case presenting
        case open
        /// The page is being taken down.
        case closing(Close)
        case finished
    }

    private enum Close: Sendable, Hashable {
        case ending(CheckoutEnding)
        case failure(CheckoutError)
    }

    private var phase = Phase.recording(nil)
    private var returned: ReturnedCheckout?
    private var hasOpened = false
    private var failedToLoad = false

    /// True when a return was taken.
    var hasReturned: Bool { returned != nil }

    /// True when a return would be taken: the page was asked for, and none came yet.
    var takesReturn: Bool {
        switch phase {
        case .presenting, .open, .closing: returned == nil
        case .recording, .finished: false
        }
    }

    /// True while the start is being recorded: nothing was shown yet.
    var isRecording: Bool {
        if case .recording = phase { true } else { false }
    }

    mutating func handle(_ input: Input) -> [Action] {
        switch phase {
        case .recording(let end): whileRecording(input, end)
        case .presenting: whilePresenting(input)
        case .open: whileOpen(input)
        case .closing(let close): whileClosing(input, close)
        case .finished: []
        }
    }

    private mutating func whileRecording(
        _ input: Input, _ end: CheckoutEnding?
    ) -> [Action] {
        switch input {
        case .recorded:
            guard let end else {
                phase = .presenting
                return [.present]
            }
            phase = .finished
            return [
                .record(.failedToOpen(code: end.rawValue)), .finish(.result(end, nil)),
            ]
        case .notRecorded(let error):
            phase = .finished
            return [.finish(.failure(error))]
        case .cancelled: phase = .recording(end ?? .cancelledByApp)
        case .timedOut: phase = .recording(end ?? .timedOut)
        case .shown, .notShown, .failedToLoad, .returned, .dismissed, .gone: break
        }
        return []
    }

    private mutating func whilePresenting(_ input: Input) -> [Action] {
        switch input {
        case .shown:
            phase = .open
            return opened()
        case .notShown(let error, let mayAppear):
            if mayAppear {
                phase = .closing(.failure(error))
                return [.dismiss]
            }
            phase = .finished
            return [.record(.failedToOpen(code: error.code.rawValue)), .finish(.failure(error))]
        case .returned, .dismissed:
            // Nobody can close or leave a page that is not there.
            phase = .open
            return opened() + whileOpen(input)
        case .failedToLoad:
            // Told behind the page's coming up, which is about to be told.
            failedToLoad = true
            return []
        case .cancelled, .timedOut: return whileOpen(input)
        case .recorded, .notRecorded, .gone: return []
        }
    }

    private mutating func whileOpen(_ input: Input) -> [Action] {
        switch input {
        case .returned(let claim):
            phase = .closing(.ending(.returned))
            return take(claim) + [.dismiss]
        case .failedToLoad:
            guard !failedToLoad else { return [] }
            failedToLoad = true
            return [.emit(.loadFailed)]
        case .dismissed: return finish(.ending(.dismissed))
        case .cancelled:
            phase = .closing(.ending(.cancelledByApp))
            return [.dismiss]
        case .timedOut:
            phase = .closing(.ending(.timedOut))
            return [.dismiss]
        case .recorded, .notRecorded, .shown, .notShown, .gone: return []
        }
    }

    /// A return that comes while the page goes away still tells more than that it goes away.
    private mutating func whileClosing(_ input: Input, _ close: Close) -> [Action] {
        switch input {
        case .gone, .dismissed: return finish(close)
        case .returned(let claim):
            guard returned == nil else { return [] }
            phase = .closing(.ending(.returned))
            return opened() + take(claim)
        case .recorded, .notRecorded, .shown, .notShown, .failedToLoad, .cancelled, .timedOut:
            return []
        }
    }

    private mutating func opened() -> [Action] {
        guard !hasOpened else { return [] }
        hasOpened = true
        return [.record(.opened), .emit(.opened)] + (failedToLoad ? [.emit(.loadFailed)] : [])
    }

    private mutating func take(_ claim: ReturnedCheckout) -> [Action] {
        returned = claim
        return [.record(.returned(claim)), .emit(.returnReceived)]
    }

    private mutating func finish(_ close: Close) -> [Action] {
        phase = .finished
        let closed: [Action] = hasOpened ? [.emit(.closed)] : []
        switch close {
        case .ending(let ending):
            return [.record(.closed(ending))] + closed + [.finish(.result(ending, returned))]
        case .failure(let error):
            // The page may have been on the screen, so the session stays open in the journal.
            return closed + [.finish(.failure(error))]
        }
    }
}
