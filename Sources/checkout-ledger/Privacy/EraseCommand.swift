import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog

extension Entry {
    static let runErase: Handler = { context in
        let order = try context.erasureOrder()
        if context.command.has("dry-run") {
            try context.write(
                try context.ledger().plan(order), of: order, entry: nil, isDone: false)
            return .done
        }
        try context.requireConfirmation()
        let report = try context.ledger(writing: true).erase(order, at: context.now)
        try context.write(report.plan, of: order, entry: report.entry, isDone: true)
        return .done
    }

    static let runSweep: Handler = { context in
        let command = context.command
        let configured = try context.configuration()?.privacy
        let spans: [(PrivateClass, Int64?)] = [
            (.contact, command.microseconds("contact") ?? configured?.keepsContact),
            (.commercial, command.microseconds("commercial") ?? configured?.keepsCommercial),
        ]
        let isDry = command.has("dry-run")
        if !isDry { try context.requireConfirmation() }
        let ledger = try context.ledger(writing: !isDry)
        var returned = 0
        if !isDry {
            try ledger.resumeErasures()
            returned = try ledger.sweepReturnedKeys(at: context.now)
        }
        for (dataClass, span) in spans {
            guard let span else { continue }
            var order = ErasureOrder(
                .retention(olderThan: context.before(span)), classes: PrivateClasses(dataClass))
            order.ground = "retention"
            order.reason = command.value("reason")
            order.actor = command.value("actor")
            if !context.isJSON { try context.output.line("Fields of class \(dataClass.name):") }
            if isDry {
                try context.write(
                    try ledger.plan(order), of: order, entry: nil, isDone: false)
            } else {
                let report = try ledger.erase(order, at: context.now)
                try context.write(report.plan, of: order, entry: report.entry, isDone: true)
            }
        }
        if returned > 0 {
            try context.remark(
                Wording.count(returned, "key")
                    + " of erased subjects had come back or stayed behind, and went; "
                    + "all wrapping keys were replaced.")
        }
        if spans.allSatisfy({ $0.1 == nil }) {
            try context.remark("No class has a time after which it goes; see 'help config'.")
        }
        return .done
    }

    static let runRotate: Handler = { context in
        try context.requireConfirmation()
        let recorded = try context.ledger(writing: true).rotateKeys(
            reason: context.command.value("reason"), actor: context.command.value("actor"),
            at: context.now)
        let record = recorded.payload.privacy ?? PrivacyRecord()
        if context.isJSON {
            try context.writeObject(["position", "level", "oldRoot", "newRoot", "rootSource"]) {
                $0.field("position", recorded.position)
                $0.field("level", record.level?.name)
                $0.field("oldRoot", record.oldRoot)
                $0.field("newRoot", record.newRoot)
                $0.field("rootSource", record.rootSource)
            }
            return .done
        }
        try context.writeFields([
            ("level", record.level?.name ?? ""), ("root key", record.rootChange),
            ("position", "\(recorded.position)"),
        ])
        return .done
    }
}

extension Context {
    fileprivate func erasureOrder() throws -> ErasureOrder {
        var order = ErasureOrder(erasureTarget, classes: erasureClasses)
        order.ground = command.value("ground") ?? "request"
        order.reason = command.value("reason")
        order.actor = command.value("actor")
        order.depth = command.has("keys-only") ? .keysOnly : .complete
        order.copies = try command.values("copy").map { word in
            guard let sign = word.lastIndex(of: "=") else { return PendingCopy(name: word) }
            guard case .time(let time)? = Moment(String(word[word.index(after: sign)...])) else {
                throw command.usageError(
                    "The date of the copy '\(word)' cannot be read; write NAME=2027-01-31.",
                    about: "copy")
            }
            return PendingCopy(
                name: String(word[..<sign]), expiresAt: Instant(microseconds: time))
        }
        return order
    }

    fileprivate func write(
        _ plan: ErasurePlan, of order: ErasureOrder, entry: ErasureEntry?, isDone: Bool
    ) throws {
        let receipt = entry?.receipt
        let first = receipt.map(\.firstPosition) ?? plan.positions?.lowerBound
        let last = receipt.map(\.lastPosition) ?? plan.positions?.upperBound
        let keys = receipt.map { Int(clamping: $0.keyCount) } ?? plan.keys
        let events = receipt?.eventCount ?? plan.events
        if isJSON {
            try writeObject([
                "request", "sessions", "keys", "events", "first", "last", "level", "position",
                "done",
            ]) {
                $0.field("request", entry?.name)
                $0.field("sessions", plan.sessions)
                $0.field("keys", keys)
                $0.field("events", events)
                $0.field("first", first)
                $0.field("last", last)
                $0.field("level", receipt?.level?.name)
                $0.field("position", entry?.receipts.last?.position)
                $0.field("done", isDone || plan.isDone)
            }
            return
        }
        if plan.held > 0 {
            try output.line(
                Wording.count(plan.held, "session")
                    + " past their time stay: they are under a legal hold.")
        }
        if plan.isDone {
            if case .retention = order.target {
                try output.line("Nothing is past its time that was not destroyed before.")
            } else {
                try output.line("It was erased before; nothing is left to destroy.")
            }
            return
        }
        let span =
            first.flatMap { first in last.map { ", positions \(first)–\($0)" } } ?? ""
        let sessions = Wording.count(plan.sessions.count, "session")
        let count = Wording.count(keys, "key")
        let counted = Wording.count(Int(clamping: events), "event")
        guard isDone, let entry else {
            try output.line(
                "Would destroy \(count) of \(sessions), which seal fields of \(counted)\(span).")
            for name in plan.sessions.prefix(20) { try output.line("  " + SafeText.visible(name)) }
            if plan.sessions.count > 20 {
                try output.line("  and \(plan.sessions.count - 20) more")
            }
            return
        }
        try output.line("Destroyed \(count) of \(sessions): fields of \(counted)\(span).")
        try writeFields(entry.lines)
    }
}
