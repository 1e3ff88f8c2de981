public import CheckoutModel
import Cryptography
public import EventLog

/// What a recovery did.
public struct Recovery: Sendable, Hashable {
    /// The epoch that began, from 1 for the first.
    public let epoch: UInt32
    /// Position of its first record.
    public let position: UInt64
    /// How many records the ledger had, all of which stay.
    public let localSize: UInt64
    /// The last seal that was kept outside, in its own words; nil when there is none.
    public let lastKnown: Seal?
    /// The first seal of the new epoch; nil where the ledger has no key.
    public let seal: Seal?
}

extension Ledger where Store == LMDBStore {
    /// Goes on with a ledger that was put back from a copy: in a new epoch, under a new origin.
    ///
    /// The first record of the epoch names the reason, the person, the ledger's own head and the
    /// last seal that is known outside, so that the break stays visible for ever. Proofs of the old
    /// epoch stay valid. Throws `MISSING_VALUE` without a reason, and as opening does.
    public static func recover(
        at directory: String, reason: String, actor: String?, at time: Instant,
        options: LedgerOptions
    ) async throws(LedgerError) -> Recovery {
        guard !reason.isEmpty else {
            throw LedgerError(.missing, "A new epoch has a reason.", hint: "Say what happened.")
        }
        let ledger = try open(at: directory, options: options)
        let begun: (epoch: UInt32, position: UInt64, size: UInt64, last: Seal?)
        do throws(LedgerError) {
            defer { ledger.close() }
            begun = try ledger.beginEpoch(reason, actor, time)
        } catch {
            throw error
        }
        // The identity has changed: the first seal is made by the ledger as it is now.
        let renewed = try open(at: directory, options: options)
        defer { renewed.close() }
        let seal = renewed.sealVerifiers.isEmpty ? nil : try renewed.seal()
        return Recovery(
            epoch: begun.epoch + 1, position: begun.position, localSize: begun.size,
            lastKnown: begun.last, seal: seal)
    }

    private func beginEpoch(
        _ reason: String, _ actor: String?, _ time: Instant
    ) throws(LedgerError) -> (epoch: UInt32, position: UInt64, size: UInt64, last: Seal?) {
        let current = log.identity.epoch
        let known = sealing.outside?.greatestEpoch(from: current) ?? current
        let kept = (try? sealing.outside?.read(epoch: known)) ?? []
        let last = kept.map(\.seal).max { $0.head.size < $1.head.size }
        let (size, root) = try read { (snapshot) throws(LedgerError) in
            do throws(LogError) {
                return (snapshot.end, try snapshot.frontier().root())
            } catch {
                throw LedgerError(error)
            }
        }
        var words = "\(reason)\n\nThis ledger: \(size) \(Base64.encode(root.bytes))\n"
        if let last { words += "Last known seal:\n" + String(decoding: last.bytes, as: UTF8.self) }
        let event = CheckoutEvent(
            .epochBegan, source: .ledger, evidence: .operator, occurredAt: time,
            provider: "ledger", reason: words, actor: actor)
        let request = try request(for: EventEntry(event))
        do throws(LogError) {
            let result = try log.beginEpoch(known + 1, genesis: request)
            guard let entry = result.entries.first else {
                preconditionFailure("an entry for each draft")
            }
            return (known + 1, entry.position, size, last)
        } catch {
            throw LedgerError(error)
        }
    }
}
