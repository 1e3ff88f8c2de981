import CheckoutModel
import EventLog
package import ProviderKit

extension Ledger {
    /// Records that an unsigned note asked to look at something; it states nothing, and whoever
    /// records it asks the provider.
    ///
    /// A note about an id that nobody knew opens a stream of its own: how many strangers may do
    /// that is the caller's to bound.
    package func record(
        hint target: StatusQueryTarget, scope: AccountScope
    ) async throws(LedgerError) -> RecordedAt {
        var ids = ProviderIDs()
        ids.add(target)
        let event = CheckoutEvent(
            .deliveryReceived, source: .webhook, evidence: .hint, provider: scope.provider,
            account: scope.account, mode: scope.mode, ids: ids, reason: "unsigned note")
        return try await record(event, mode: scope.mode)
    }

    /// The streams whose last word is an unsigned note, among the newest `count` records.
    package func streamsOfUnansweredHints(
        within count: UInt64
    ) throws(LedgerError) -> [UInt64] {
        try read { (snapshot) throws(LedgerError) in
            var last: [UInt64: Bool] = [:]
            for position in (snapshot.end - min(snapshot.end, count))..<snapshot.end {
                let event = try snapshot.event(at: position)
                let isHint =
                    event.event.type == .deliveryReceived && event.event.evidence == .hint
                if isHint || last[event.stream] != nil { last[event.stream] = isHint }
            }
            return last.filter(\.value).keys.sorted()
        }
    }
}
