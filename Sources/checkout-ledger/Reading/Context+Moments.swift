import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog

extension Context {
    /// A place as typed, in the ledger's terms; an age is subtracted from this moment.
    ///
    /// A position counts itself: `@311` is the ledger after event 311.
    func ledgerMoment(_ moment: Moment) -> LedgerMoment {
        switch moment {
        case .position(let position): .position(position == .max ? position : position + 1)
        case .time(let microseconds): .time(Instant(microseconds: microseconds))
        case .ago(let span): .time(before(span))
        }
    }

    /// `--as-of`, else everything recorded so far.
    var asOf: LedgerMoment { command.moment("as-of").map(ledgerMoment) ?? .now }

    /// The instant that `--as-of` names: for a position, when it was recorded; else now.
    func instantAsOf(_ ledger: Ledger<LMDBStore>) throws(LedgerError) -> Instant {
        switch command.moment("as-of") {
        case .none: now
        case .time(let microseconds): Instant(microseconds: microseconds)
        case .ago(let span): before(span)
        case .position(let position): try ledger.event(at: position).recordedAt
        }
    }

    func before(_ span: Int64) -> Instant {
        let (time, overflow) = now.microseconds.subtractingReportingOverflow(span)
        return Instant(microseconds: overflow ? .min : time)
    }
}

extension Context {
    /// The session that a word names: its id or a beginning of it, any other id that leads to
    /// one, or an order that only one session has.
    func session(
        _ word: String, in ledger: Ledger<LMDBStore>, asOf moment: LedgerMoment = .now
    ) throws(LedgerError) -> Session {
        do throws(LedgerError) {
            return try ledger.session(named: word, asOf: moment)
        } catch {
            guard error.code == .notFound else { throw error }
            let named = try sessions(ofOrder: word, in: ledger)
            guard let first = named.first else { throw error }
            guard named.count == 1 else {
                let names = named.map(\.qualifiedName).joined(separator: ", ")
                throw LedgerError(
                    .ambiguous, "The order '\(word)' has \(named.count) sessions: \(names).",
                    hint: "Name one of them.")
            }
            return try ledger.session(named: first.qualifiedName, asOf: moment)
        }
    }

    private func sessions(
        ofOrder order: String, in ledger: Ledger<LMDBStore>
    ) throws(LedgerError) -> [Session] {
        var query = AuditQuery()
        query.order = order
        var names: [String] = []
        try ledger.forEachEvent(matching: query) { (recorded) throws(LedgerError) in
            let event = recorded.event
            let ids = event.ids
            let id =
                ids.session ?? ids.payment ?? ids.refund ?? ids.dispute ?? ids.subscription
            let scope = AccountScope(event.provider, account: event.account)
            if let id, !names.contains("\(scope)/\(id)") { names.append("\(scope)/\(id)") }
            return .more
        }
        var found: [Session] = []
        for name in names {
            let session = try ledger.session(named: name)
            if !found.contains(where: { $0.streams == session.streams }) { found.append(session) }
        }
        return found
    }
}
