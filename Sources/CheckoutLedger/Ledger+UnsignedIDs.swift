import CheckoutModel
import EventLog
import ProviderKit

/// A provider's event as it may be applied.
struct SettledEvent {
    /// Without the session that it named, where that one cannot be.
    let event: ProviderEvent
    /// True when a session was taken from it.
    let isContradicted: Bool
}

extension Ledger {
    /// Takes sessions from events that name them outside their signature and cannot be of them.
    ///
    /// A session that was asked for under an order is of no other one, and a payment that is known
    /// under a session is of no other one. Such an event stands under its payment, which is signed,
    /// and is a discrepancy there. Nothing is compared where nothing is known: a session that was
    /// never declared with its order takes what names it.
    func settled(
        _ events: [ProviderEvent], _ scope: AccountScope
    ) throws(LedgerError) -> [SettledEvent] {
        guard events.contains(where: { $0.unsignedIDs.contains(.session) }) else {
            return events.map { SettledEvent(event: $0, isContradicted: false) }
        }
        return try read { (snapshot) throws(LedgerError) in
            var settled: [SettledEvent] = []
            for event in events {
                let isContradicted = try snapshot.contradicts(event, scope)
                settled.append(
                    SettledEvent(
                        event: isContradicted ? event.withoutSession : event,
                        isContradicted: isContradicted))
            }
            return settled
        }
    }
}

extension Snapshot where Schema == CheckoutSchema {
    fileprivate func contradicts(
        _ event: ProviderEvent, _ scope: AccountScope
    ) throws(LedgerError) -> Bool {
        guard event.unsignedIDs.contains(.session), let session = event.ids.session else {
            return false
        }
        if let order = event.ids.order, let named = try holder(.session, session, scope),
            !named.ids.orders.isEmpty, !named.ids.orders.contains(order)
        {
            return true
        }
        guard let payment = event.ids.payment, let holder = try holder(.payment, payment, scope)
        else { return false }
        return !holder.ids.sessions.isEmpty && !holder.ids.sessions.contains(session)
    }

    private func holder(
        _ kind: IdentityKey.Kind, _ id: String, _ scope: AccountScope
    ) throws(LedgerError) -> Session? {
        guard let stream = try resolve(kind, id, scope) else { return nil }
        return try session(at: stream, before: end, scope: nil)
    }
}
