import CheckoutFlow
import CheckoutModel
import Foundation

/// Where Dodo's SDK kept its one record: two strings by key.
public protocol LegacyRecordStore: Sendable {
    /// The string under a key; nil when there is none.
    func string(forKey key: String) -> String?
    /// Removes what is under a key.
    func remove(forKey key: String)
}

/// The app's `UserDefaults`, which that SDK used.
public struct UserDefaultsRecordStore: LegacyRecordStore {
    private let suite: String?

    /// The standard defaults, or a suite of the app's.
    public init(suite: String? = nil) { self.suite = suite }

    /// The string under a key; nil when there is none.
    public func string(forKey key: String) -> String? { defaults?.string(forKey: key) }

    /// Removes what is under a key.
    public func remove(forKey key: String) { defaults?.removeObject(forKey: key) }

    private var defaults: UserDefaults? {
        suite.map { UserDefaults(suiteName: $0) } ?? .standard
    }
}

/// The record that Dodo's SDK left behind.
enum LegacyRecord {
    static let sessionKey = "com.dodopayments.checkout.abandoned.sessionId"
    static let timeKey = "com.dodopayments.checkout.abandoned.createdAt"

    /// Takes the record over into the journal, and removes it when that is durable.
    ///
    /// A kill in between leaves both, and the next launch does it again without effect.
    static func move(from store: any LegacyRecordStore, to journal: FileJournal) {
        guard let id = store.string(forKey: sessionKey), !id.isEmpty else { return }
        let entry = JournalEntry(
            SessionKey("dodo", id), at: time(store.string(forKey: timeKey)),
            .started(StartedCheckout(mode: .unknown, returnURLs: [])))
        // Whether its page came up is not known, so it counts as shown.
        let shown = JournalEntry(entry.session, at: entry.time, .opened)
        guard (try? journal.appendNow(entry)) != nil, (try? journal.appendNow(shown)) != nil else {
            return
        }
        store.remove(forKey: sessionKey)
        store.remove(forKey: timeKey)
    }

    /// Seconds since 1970 as a decimal text; 1970 when it is missing or none, as in that SDK.
    private static func time(_ text: String?) -> Instant {
        guard let text, let seconds = Double(text) else { return Instant(seconds: 0) }
        return Instant(Date(timeIntervalSince1970: seconds)) ?? Instant(seconds: 0)
    }
}

extension Instant {
    /// Nil for a date that is not of these times.
    init?(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        guard abs(seconds) < 1e11 else { return nil }
        self.init(microseconds: Int64((seconds * 1_000_000).rounded()))
    }

    var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}
