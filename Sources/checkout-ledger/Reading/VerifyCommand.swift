import CheckoutLedger
import CommandKit
import Cryptography
import EventLog
import LedgerViews

extension Entry {
    static let verify = Entry(
        .prove,
        Command(
            "verify", "Re-read and re-hash the whole log, and compare it with kept seals",
            discussion: """
                Reads every record again, hashes it, and compares everything that was derived \
                from the records and every seal that is stored. What it finds sound agrees with \
                itself; whether it is the log of yesterday, only a seal that was kept elsewhere \
                can tell: give those with --anchor. What happened at the provider is not looked at.

                edited: a record's bytes. tree damaged: the hashes over records. history \
                rewritten: records below a sealed size. rolled back: the log is shorter than one \
                that was sealed. fork: another log of the same size was sealed.

                Changes nothing. With --record, or with --by or --reason, a run that found \
                everything sound is itself recorded, for auditors; one that found anything never \
                is, since a further record could hide that records are missing.

                Ends with 3 when anything is wrong, with 1 when the log is empty or an anchor \
                cannot be used.
                """,
            options: [
                .flag("allow-empty", "An empty log is no failure"),
                .value(
                    "anchor", .path, placeholder: "FILE", repeats: true,
                    "A seal that was kept elsewhere; the log must agree with it"),
                .value(
                    "key", .text, placeholder: "VKEY", repeats: true,
                    "A verifier key of seals, or a file with one a line; else the ledger's own"),
                .flag("require-anchor", "Without an anchor that agrees it is a failure (exit 3)"),
                .flag("record", "Record that the log was verified and found sound"),
                .flag("copy", "This is an older copy: later seals of the ledger are no failure"),
            ] + AuditReader.options,
            examples: [
                Example("verify", "Look at everything"),
                Example("verify --anchor monday.seal", "Compare with a seal from elsewhere"),
                Example("verify --json", "One object, for a timer job"),
            ])
    ) { context in
        let selection = try context.selection(of: verifyShape)
        let ledger = try context.ledger()
        let anchors = try Anchors(context, ledger)
        let line = ProgressLine("Verifying", context, of: try ledger.endPosition())
        let report = try context.inLedgerWords { () throws(LogError) in
            try ledger.log.verify(against: anchors.usable, sealedBy: anchors.verifiers) {
                line.update($0)
            }
        }
        let verdict = VerifyVerdict(report, anchors, ledger, context)
        if context.isJSON {
            var writer = JSONWriter(only: selection)
            writer.object(verdict.write)
            try context.output.line(&writer)
        }
        if report.end == 0, report.isSound {
            if context.command.has("allow-empty") {
                line.finish("Nothing to verify: the log is empty.")
                return .done
            }
            throw Complaint(
                code: "EMPTY_LOG", message: "Nothing to verify: the log is empty.",
                hint: "With --allow-empty that is no failure.")
        }
        line.finish("Verified \(Wording.count(Int(clamping: report.end), "event")).")
        if !context.isJSON { try verdict.write(context) }
        if verdict.code == .done, ["record", "by", "reason"].contains(where: context.command.has) {
            try await context.recordVerification(report)
        }
        return verdict.code
    }
}
