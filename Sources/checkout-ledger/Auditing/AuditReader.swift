import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import EventLog

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Somebody who reads the log, exports from it or verifies it: such acts are recorded in it.
///
/// Where the ledger cannot be written, as on a medium that is read-only, reading goes on and says
/// that it was not recorded.
struct AuditReader {
    let ledger: Ledger<LMDBStore>
    private let context: Context
    /// Why nothing can be recorded; nil where it can.
    private let obstacle: LedgerError?

    static let options: [Option] = [
        .value(
            "by", .text, placeholder: "NAME",
            "Who reads: a role or a name (else the machine's user)"),
        .value("reason", .text, "Why, such as a ticket's number"),
    ]

    init(_ context: Context) throws {
        self.context = context
        do throws(LedgerError) {
            ledger = try context.writableLedger()
            // A ledger that is not the one that was sealed is read, and not added to.
            if case .refused(let error) = ledger.standing {
                obstacle = error
            } else {
                obstacle = nil
            }
        } catch {
            guard error.code != .noLedger else { throw error }
            ledger = try context.ledger()
            obstacle = error
        }
    }

    /// Records the act; false where that was not possible.
    func record(_ type: EventType, _ note: AuditNote) async throws -> Bool {
        try await record(
            type, note, by: context.command.value("by"), reason: context.command.value("reason"))
    }

    /// The same for a command without `options`.
    func record(
        _ type: EventType, _ note: AuditNote, by actor: String?, reason: String?
    ) async throws -> Bool {
        guard obstacle == nil else { return false }
        try await ledger.record(
            type, note, actor: actor ?? Self.user, reason: reason, at: context.now)
        return true
    }

    /// The seal that what is handed out is under: a new one; where none can be made the last one,
    /// if it covers the records before `time`, all of them without a time.
    func seal(before time: Instant?) throws -> Seal? {
        if obstacle == nil, !ledger.sealVerifiers.isEmpty {
            do throws(LedgerError) {
                return try ledger.seal()
            } catch {
                if error.isAboutSealedHistory { throw error }
                context.errors.say("Warning: The ledger cannot be sealed. \(error.message)")
            }
        }
        let wanted = try ledger.positions(since: nil, until: time).upperBound
        return try context.inLedgerWords { () throws(LogError) in
            guard let last = try ledger.log.lastSeal() else { return nil }
            return wanted <= last.head.size ? last : nil
        }
    }

    func tellNotRecorded() {
        let why = obstacle.map { " \($0.message)" } ?? ""
        context.errors.say("This reading was not recorded: the ledger cannot be written.\(why)")
    }

    /// The account of the machine that runs this program.
    static var user: String {
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else {
            return "uid \(getuid())"
        }
        return String(cString: name)
    }
}

extension Context {
    fileprivate func writableLedger() throws(LedgerError) -> Ledger<LMDBStore> {
        do {
            return try ledger(writing: true)
        } catch let error as LedgerError {
            throw error
        } catch {
            throw LedgerError(LedgerError.Code(rawValue: "UNEXPECTED"), "\(error)")
        }
    }
}

extension Context {
    /// Records a run of `verify` that found the log sound.
    ///
    /// Only where that is asked for: a check that changes what it checks could hide a rollback from
    /// the next one. One that found anything leaves the log as it is: it is evidence.
    func recordVerification(_ report: VerificationReport) async throws {
        guard report.isSound, report.end > 0 else { return }
        // One environment for a directory: the one that was read with cannot write.
        close()
        let note = AuditNote(
            subject: "verify", positions: 0..<report.end, count: report.provenEnd ?? 0,
            result: "sound", hash: Hex.encode(report.root.bytes),
            anchors: UInt64(clamping: report.anchors.count { $0.anchor.isOutside }))
        let reader = try AuditReader(self)
        let isRecorded = try await reader.record(.auditVerified, note)
        if !isRecorded, !isQuiet, !isJSON { reader.tellNotRecorded() }
    }
}

extension Context {
    /// Records that somebody opens sealed fields, before anything of them is shown.
    ///
    /// Whoever breaks off while the answer is printed has read it all the same. Says so where it
    /// cannot be recorded, and gives the ledger to go on with.
    func recordPrivateReading(
        _ what: String, _ positions: [UInt64]
    ) async throws -> Ledger<LMDBStore> {
        guard let first = positions.min(), let last = positions.max() else { return try ledger() }
        // One environment for a directory: the one that was looked with cannot write.
        close()
        let reader = try AuditReader(self)
        let note = AuditNote(
            subject: what, positions: first..<(last + 1), count: UInt64(positions.count),
            result: "opened")
        let isRecorded = try await reader.record(.auditRead, note, by: nil, reason: nil)
        if !isRecorded, !isQuiet, !isJSON { reader.tellNotRecorded() }
        return reader.ledger
    }
}
