import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension Entry {
    static let runStatus: Handler = { context in
        var list = try Listing(context, erasureShape, erasureColumns)
        let ledger = try context.ledger()
        let standings = try ledger.erasures().map { try ErasureStanding($0, in: ledger) }
        for standing in standings {
            try list.add(json: standing.write, cells: { standing.cells })
        }
        let holds = try ledger.legalHolds()
        let surveys = context.command.has("fields") ? try ledger.privateSurvey() : []
        if context.isJSON {
            for hold in holds { try list.add(json: hold.write, cells: { [] }) }
            for survey in surveys { try list.add(json: survey.write, cells: { [] }) }
        }
        try list.finish()
        if !context.isJSON {
            for hold in holds {
                try context.output.line(
                    SafeText.visible(
                        "hold  \(hold.subject)  since position \(hold.placed.position): "
                            + (hold.placed.event.reason ?? "")))
            }
            for survey in surveys { try context.output.line(survey.line) }
            try context.output.flush()
            try context.remark(of: standings.count, holds.count, in: ledger)
        }
        if surveys.contains(where: { $0.tampered > 0 }) { return .integrity }
        let isUnresolved =
            standings.contains(where: \.isUnresolved)
            || surveys.contains { $0.keyMissing > 0 }
        return isUnresolved ? .unresolved : .done
    }

    static let runReceipt: Handler = { context in
        let ledger = try context.ledger()
        let entry = try ledger.erasure(named: context.command.argument("request"))
        guard !entry.isUnderWay else {
            throw Complaint(
                code: "NO_RECEIPT", message: "The request \(entry.name) has no receipt yet.",
                hint: "It goes on at the next opening for writing; see 'privacy status'.")
        }
        guard !entry.isRefused else {
            throw Complaint(
                code: "REFUSED",
                message: "The request \(entry.name) was refused: its subject is held.",
                hint: "The refusal is the event at position \(entry.request.position); see "
                    + "'\(Program.name) events --at \(entry.request.position)'.")
        }
        let standing = try ErasureStanding(entry, in: ledger)
        let records = try ledger.receiptRecords(entry)
        if let path = context.command.value("out") {
            for (index, record) in records.enumerated() {
                let part = index == 0 ? path : "\(path).\(index + 1)"
                try Files.writeNew(part, record)
                try context.writeProof(
                    of: entry.receipts[index].position, beside: part, in: ledger)
            }
        }
        if context.isJSON {
            try context.writeObject(erasureShape.names + ErasureEntry.receiptMembers) { writer in
                standing.write(to: &writer)
                entry.writeReceipt(to: &writer)
            }
            return standing.isUnresolved ? .unresolved : .done
        }
        try context.writeFields(standing.lines)
        for receipt in entry.receipts {
            for key in receipt.payload.privacy?.keys ?? [] {
                try context.output.line("  " + key.line)
            }
        }
        return standing.isUnresolved ? .unresolved : .done
    }

    static let runHold: Handler = { context in
        let reason = context.command.value("reason") ?? ""
        guard !reason.isEmpty else {
            throw context.command.usageError(
                "A hold and its release need a reason that names nobody; give --reason.",
                about: "reason")
        }
        let ledger = try context.ledger(writing: true)
        let actor = context.command.value("actor")
        let isRelease = context.command.has("release")
        let recorded =
            isRelease
            ? try ledger.release(
                context.erasureTarget, reason: reason, actor: actor, at: context.now)
            : try ledger.hold(
                context.erasureTarget, reason: reason, actor: actor, at: context.now)
        try context.writePosition(
            recorded, "\(isRelease ? "Released" : "Held") at position \(recorded.position).")
        return .done
    }

    static let runLink: Handler = { context in
        let recorded = try context.ledger(writing: true).link(
            context.command.argument("session"),
            toCustomer: context.command.argument("customer"),
            reason: context.command.value("reason") ?? "", actor: context.command.value("actor"),
            at: context.now)
        try context.writePosition(recorded, "Linked at position \(recorded.position).")
        return .done
    }

    static let runFind: Handler = { context in
        var list = try Listing(context, SessionRow.shape, SessionRow.columns(context))
        let ledger = try context.ledger(writing: true)
        for session in try ledger.sessions(withAddress: context.command.argument("address")) {
            let row = SessionRow(session, ordersPaidTwice: [])
            try list.add(json: row.write, cells: { row.cells(context) })
        }
        try list.finish()
        try context.remark(
            list.count == 0
                ? "No session with that address under a key that exists."
                : Wording.count(list.count, "session") + ".")
        return .done
    }
}

extension Context {
    fileprivate func remark(
        of requests: Int, _ holds: Int, in ledger: Ledger<LMDBStore>
    ) throws {
        let standing = ledger.rootKeyStanding
        let times = Wording.count(Int(clamping: standing.generation), "time")
        try remark(
            Wording.count(requests, "request") + ", " + Wording.count(holds, "hold")
                + ". The root key comes from its \(standing.source); the keystore was written anew "
                + "\(times).\n\(standing.promise)")
    }

    /// Writes the proof that a receipt's record is in the log as `FILE.tlog-proof`, once a seal
    /// covers it.
    fileprivate func writeProof(
        of position: UInt64, beside path: String, in ledger: Ledger<LMDBStore>
    ) throws {
        do {
            let proof = try inLedgerWords { () throws(LogError) in
                try ledger.log.proof(of: position, sealedAt: nil)
            }
            try Files.writeNew(path + ".tlog-proof", proof.bytes)
        } catch let error as LedgerError {
            try remark(
                "No proof stands beside it yet: \(error.message) After '\(Program.name) seal': "
                    + "\(Program.name) prove --position \(position)")
        }
    }

    fileprivate func writePosition(_ recorded: RecordedEvent, _ sentence: String) throws {
        if isJSON {
            try writeObject(["position", "stream"]) {
                $0.field("position", recorded.position)
                $0.field("stream", recorded.stream)
            }
        } else {
            try output.line(sentence)
        }
    }
}

extension LegalHold {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.field("hold", subject)
        writer.field("placedAt", placed.recordedAt.iso8601)
        writer.field("reason", placed.event.reason)
        writer.field("actor", placed.event.actor)
        writer.field("position", placed.position)
    }
}
