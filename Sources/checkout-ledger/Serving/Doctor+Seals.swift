import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension Doctor {
    /// News is sealed within a minute by whoever has the ledger open, and by each command at its
    /// end: what stands unsealed for longer than this says that sealing fails.
    private static let unsealedMicroseconds: Int64 = 600_000_000

    /// Whether the ledger is the one that was sealed, and is still being sealed.
    func seals(_ ledger: Ledger<LMDBStore>) throws -> DoctorFinding {
        switch ledger.standing {
        case .refused(let error):
            return DoctorFinding("seals", .fail, error.message, hint: error.hint)
        case .unclear(let error):
            return DoctorFinding("seals", .warn, error.message, hint: error.hint)
        case .unknown, .agrees: break
        }
        let end = try ledger.endPosition()
        let last = try context.inLedgerWords { () throws(LogError) in
            try ledger.log.lastSeal()?.head.size ?? 0
        }
        // The smallest of those that are kept outside.
        let kept = try ledger.outsideSeals().map(\.seal.head.size).min()
        if last < end, try isOverdue(last, in: ledger) {
            return DoctorFinding(
                "seals", .warn,
                "\(Wording.count(Int(clamping: end - last), "event")) stand unsealed for long.",
                hint: "See what keeps it from being sealed: \(Program.name) seal")
        }
        if let kept, kept < last {
            return DoctorFinding(
                "seals", .warn,
                "The last seal, of \(Wording.count(Int(clamping: last), "event")), is kept in the "
                    + "ledger alone.",
                hint: "Make the state directory and the anchor directories writable, then run: "
                    + "\(Program.name) seal")
        }
        guard last > 0 else {
            return end == 0
                ? DoctorFinding("seals", .ok, "Nothing is there to be sealed yet.")
                : DoctorFinding(
                    "seals", .ok, "No seal yet; the first one is due within a minute.")
        }
        return DoctorFinding(
            "seals", .ok,
            "The last one covers \(Wording.count(Int(clamping: last), "event")) of "
                + "\(Wording.grouped(Int(clamping: end))).")
    }

    private func isOverdue(_ position: UInt64, in ledger: Ledger<LMDBStore>) throws -> Bool {
        let recorded = try ledger.event(at: position).recordedAt
        return context.now.since(recorded) > Self.unsealedMicroseconds
    }
}
