import CheckoutModel
import Cryptography
import EventLog

// Q20 and Q21: erasures that were asked for, holds, and keys that were destroyed.

extension AuditReport {
    static let erasures = AuditReport(
        id: "Q20", title: "Erasure",
        question: "Which erasures are open, overdue or done, to which level, and what is held?",
        nothingFound: "No erasure was asked for, and nothing is held.",
        columns: [
            "position", "recordedAt", "type", "state", "request", "target", "classes", "ground",
            "level", "keys", "events", "ageSeconds", "session", "actor",
        ],
        run: erasureRequests)

    static let retention = AuditReport(
        id: "Q21", title: "Retention",
        question: "Which keys were destroyed because their time had come, and how far?",
        nothingFound: "No key was destroyed because its time had come.",
        columns: [
            "position", "recordedAt", "type", "request", "olderThan", "classes", "level", "keys",
            "events", "generation", "actor",
        ]
    ) { (run) throws(LedgerError) in
        try run.forEachEvent([.subjectErased]) { (recorded) throws(LedgerError) in
            guard let record = recorded.payload.privacy, record.target == "retention" else {
                return
            }
            try run.emit([
                .position(recorded.position), .time(recorded.recordedAt),
                .text(recorded.event.type.name), .text(Hex.encode(record.requestID)),
                .time(record.olderThan),
                .text(record.classes.list.map(\.name).joined(separator: " ")),
                .text(record.level?.name),
                .position(record.keyCount), .position(record.eventCount),
                .position(record.generation), .text(recorded.event.actor),
            ])
        }
    }

    /// What a hold is on.
    private static func heldName(_ event: CheckoutEvent) -> String {
        let id = event.ids.session ?? event.ids.payment ?? event.ids.customer ?? ""
        return "\(event.provider) \(event.account) \(id)"
    }

    /// A request without a receipt is open, and overdue after the month that the law gives.
    private static func erasureRequests(_ run: AuditRun) throws(LedgerError) {
        var done: Set<[UInt8]> = []
        var released: [String: UInt64] = [:]
        var all = AuditQuery()
        all.types = [.subjectErased, .holdReleased]
        // A receipt or a release counts also where it came after the time that is asked about.
        try run.source.forEachEvent(matching: all) { (recorded) throws(LedgerError) in
            guard let record = recorded.payload.privacy else { return .more }
            if recorded.event.type == .subjectErased { done.insert(record.requestID) }
            if recorded.event.type == .holdReleased {
                released[heldName(recorded.event)] = recorded.position
            }
            return .more
        }
        let types: [EventType] = [
            .eraseRequested, .eraseRefused, .subjectErased, .holdPlaced, .holdReleased,
        ]
        try run.forEachEvent(types) { (recorded) throws(LedgerError) in
            // New keys are asked for in the same way, and are no erasure.
            guard let record = recorded.payload.privacy,
                record.target != PrivacyRecord.rotation
            else { return }
            let age = run.scope.now.microseconds - recorded.recordedAt.microseconds
            let state: String
            switch recorded.event.type {
            case .eraseRequested where done.contains(record.requestID): state = "done"
            case .eraseRequested: state = age > Limits.auditErasureTime ? "overdue" : "open"
            case .eraseRefused: state = "refused"
            case .holdPlaced:
                let isOver =
                    released[heldName(recorded.event)].map { $0 > recorded.position } ?? false
                state = isOver ? "released" : "held"
            case .holdReleased: state = "released"
            default: state = "receipt"
            }
            try run.emit([
                .position(recorded.position), .time(recorded.recordedAt),
                .text(recorded.event.type.name), .text(state), .text(Hex.encode(record.requestID)),
                .text(record.target), .text(record.classes.list.map(\.name).joined(separator: " ")),
                .text(record.ground),
                .text(record.level?.name), .position(record.keyCount),
                .position(record.eventCount), .seconds(age), .text(recorded.event.ids.session),
                .text(recorded.event.actor),
            ])
        }
    }
}
