package import CheckoutLedger
import CheckoutModel

extension RecordedEvent {
    /// What an event about privacy states, in a few words.
    package var privacyDetail: String {
        guard let record = payload.privacy else { return event.reason ?? "" }
        let fields = record.classes.list.map(\.name).joined(separator: " and ")
        switch event.type {
        case .eraseRequested where record.classes.isEmpty: return "new keys asked for"
        case .eraseRequested: return "erase \(fields) fields"
        case .eraseRefused:
            return "refused to erase \(fields) fields"
                + (record.heldPosition.map { ": held since position \($0)" } ?? "")
        case .subjectErased:
            return "erased \(fields) fields of \(record.eventCount) events"
                + (record.level.map { ", \($0.name)" } ?? "")
        case .keysRotated: return "keys replaced" + (record.level.map { ", \($0.name)" } ?? "")
        case .subjectLinked: return "is of customer \(event.ids.customer ?? "")"
        default: return event.reason ?? ""
        }
    }
}
