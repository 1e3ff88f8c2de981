import CheckoutModel
import Cryptography
import EventLog

// Q16 to Q24: keys, readings, modes, redaction, totals, seals, verifications.

extension AuditReport {
    static let careReports = [
        AuditReport(
            id: "Q16", title: "Keys and adapters that changed",
            question: "When did a signing key, an adapter's version, or the ledger's keys change?",
            nothingFound: "No key and no adapter changed.",
            columns: [
                "position", "recordedAt", "provider", "account", "what", "before", "after", "actor",
            ],
            run: changes),
        administrative(
            "Q17", "Readings and exports",
            "Who read or took out personal data or the audit log, when, and why?",
            "No reading and no export was recorded.", [.auditRead, .auditExported]),
        AuditReport(
            id: "Q18", title: "Modes mixed",
            question: "Which test events stand in a live account, and the reverse?",
            nothingFound: "No account has both test and live events.",
            columns: ["position", "recordedAt", "provider", "account", "mode", "session", "type"],
            run: mixedModes),
        AuditReport(
            id: "Q19", title: "Redaction",
            question: "What was masked, dropped or refused, by rule, field and voice?",
            nothingFound: "Nothing had to be masked, dropped or refused.",
            columns: [
                "rule", "what", "field", "source", "action", "count", "firstPosition",
                "lastPosition",
            ],
            run: redactions),
        erasures, retention,
        AuditReport(
            id: "Q22", title: "Control totals",
            question:
                "What came in and went back a day and currency; does opening + movements close?",
            nothingFound: "Nothing came in and nothing went back.",
            columns: [
                "day", "currency", "status", "count", "minorUnits", "opening", "closing",
            ],
            run: totals),
        AuditReport(
            id: "Q23", title: "Seals and anchors",
            question: "Which seals were issued, kept elsewhere, compared, and how far apart?",
            nothingFound:
                "No seal was issued, and the log was never compared with one from outside.",
            columns: [
                "what", "size", "recordsSinceLast", "root", "place", "position", "recordedAt",
            ],
            run: seals),
        administrative(
            "Q24", "Verifications",
            "When was the log verified, how far, and with how many anchors?",
            "No verification that found the log sound was recorded.", [.auditVerified]),
    ]

    private static func administrative(
        _ id: String, _ title: String, _ question: String, _ nothingFound: String,
        _ types: [EventType]
    ) -> AuditReport {
        AuditReport(
            id: id, title: title, question: question, nothingFound: nothingFound,
            columns: [
                "position", "recordedAt", "actor", "type", "what", "query", "firstPosition",
                "endPosition", "rows", "result", "anchors", "hash", "reason",
            ]
        ) { (run) throws(LedgerError) in
            try run.forEachEvent(types) { (recorded) throws(LedgerError) in
                guard let note = recorded.payload.audit else { return }
                try run.emit([
                    .position(recorded.position), .time(recorded.recordedAt),
                    .text(recorded.event.actor), .text(recorded.event.type.name),
                    .text(note.subject), .text(note.query), .position(note.positions.lowerBound),
                    .position(note.positions.upperBound), .position(note.count),
                    .text(note.result), .position(note.anchors), .text(note.hash),
                    .text(recorded.event.reason),
                ])
            }
        }
    }

    /// An interval without a seal that is kept elsewhere is one in which records could be changed.
    private static func seals(_ run: AuditRun) throws(LedgerError) {
        func emit(
            _ what: String, _ seals: [Seal], _ place: (Int) -> String?
        ) throws(LedgerError) {
            var last: UInt64 = 0
            for (index, seal) in seals.enumerated() {
                let size = seal.head.size
                try run.emit([
                    .text(what), .position(size), .position(size - min(last, size)),
                    .text(seal.head.root.hex), .text(place(index)), .none, .none,
                ])
                last = size
            }
        }
        try emit("sealed", try run.source.seals()) { _ in nil }
        let kept = try run.source.outsideSeals().sorted { $0.seal.head.size < $1.seal.head.size }
        for (what, isOutside) in [("own last seal", false), ("kept elsewhere", true)] {
            let places = kept.filter { $0.isOutside == isOutside }
            try emit(what, places.map(\.seal)) { places[$0].path }
        }
        // What the machine's own user could change is no anchor.
        var anchored = kept.filter(\.isOutside).map(\.seal.head.size)
        var last: UInt64 = 0
        try run.forEachEvent([.auditVerified]) { (recorded) throws(LedgerError) in
            guard let note = recorded.payload.audit, note.anchors > 0 else { return }
            // The records behind the newest anchor were looked at, and vouched for by nobody.
            let size = note.count
            anchored.append(size)
            try run.emit([
                .text("compared"), .position(size), .position(size - min(last, size)),
                .text(note.hash), .none, .position(recorded.position), .time(recorded.recordedAt),
            ])
            last = size
        }
        try largestUnanchored(run, anchored)
    }

    /// The longest run of records between two sizes that were sealed and kept elsewhere, or behind
    /// the last of them.
    private static func largestUnanchored(
        _ run: AuditRun, _ anchored: [UInt64]
    ) throws(LedgerError) {
        let end = try run.source.positions(since: nil, until: nil).upperBound
        var (largest, last): (Range<UInt64>, UInt64) = (0..<0, 0)
        for size in anchored.filter({ $0 <= end }).sorted() + [end] {
            if size - last > largest.upperBound - largest.lowerBound { largest = last..<size }
            last = size
        }
        guard !largest.isEmpty else { return }
        try run.emit([
            .text("largest unanchored"), .position(largest.upperBound),
            .position(largest.upperBound - largest.lowerBound), .none, .none, .none, .none,
        ])
    }

    /// Names keys by their fingerprint, which shows nothing of them.
    private static func changes(_ run: AuditRun) throws(LedgerError) {
        var known: [String: (key: String, version: String)] = [:]
        try run.forEachEvent([.deliveryReceived, .keysRotated, .epochBegan]) {
            (recorded) throws(LedgerError) in
            let event = recorded.event
            func emit(_ what: String, _ before: String?, _ after: String?) throws(LedgerError) {
                try run.emit([
                    .position(recorded.position), .time(recorded.recordedAt),
                    .text(event.provider.rawValue), .text(event.account), .text(what),
                    .text(before), .text(after), .text(event.actor),
                ])
            }
            guard event.type == .deliveryReceived, let proof = event.verification else {
                let record = recorded.payload.privacy
                return try emit(
                    event.type.name, record?.oldRoot, record?.newRoot ?? event.reason)
            }
            let scope = "\(event.provider)\u{0}\(event.account)"
            let now = (key: proof.keyFingerprint, version: proof.adapterVersion)
            defer { known[scope] = now }
            guard let before = known[scope] else { return }
            if before.key != now.key { try emit("signing key", before.key, now.key) }
            if before.version != now.version {
                try emit("adapter version", before.version, now.version)
            }
        }
    }

    private static func mixedModes(_ run: AuditRun) throws(LedgerError) {
        var counts: [String: [ProviderMode: Int]] = [:]
        func scope(_ event: CheckoutEvent) -> String { "\(event.provider)\u{0}\(event.account)" }
        try run.forEachEvent { (recorded) throws(LedgerError) in
            let event = recorded.event
            if event.mode != .unknown {
                counts[scope(event), default: [:]][event.mode, default: 0] += 1
            }
        }
        let mixed = counts.filter { $0.value.count > 1 }
        if mixed.isEmpty { return }
        try run.forEachEvent { (recorded) throws(LedgerError) in
            let event = recorded.event
            guard event.mode != .unknown, let modes = mixed[scope(event)] else { return }
            // The rarer mode is the stranger; of two alike, test.
            let live = modes[.live] ?? 0
            let test = modes[.test] ?? 0
            guard event.mode == (test <= live ? .test : .live) else { return }
            try run.emit([
                .position(recorded.position), .time(recorded.recordedAt),
                .text(event.provider.rawValue), .text(event.account), .text(event.mode.name),
                .text(event.ids.session), .text(event.type.name),
            ])
        }
    }

    private static func redactions(_ run: AuditRun) throws(LedgerError) {
        struct Key: Hashable {
            let words: [String]
        }
        var found: [Key: (count: Int64, first: UInt64, last: UInt64)] = [:]
        try run.forEachEvent { (recorded) throws(LedgerError) in
            for note in recorded.payload.redactions {
                let key = Key(words: [
                    note.rule, note.what, note.field, recorded.event.source.name, note.action,
                ])
                let before = found[key] ?? (0, recorded.position, recorded.position)
                found[key] = (before.count + Int64(note.count), before.first, recorded.position)
            }
        }
        for (key, seen) in found.sorted(by: { $0.key.words.lexicographicallyPrecedes($1.key.words) }
        ) {
            try run.emit(
                key.words.map { .text($0) } + [
                    .integer(seen.count), .position(seen.first), .position(seen.last),
                ])
        }
    }

    /// Each payment and each refund once, on the day on which it was first verified here.
    ///
    /// Holds a number for each of them.
    private static func totals(_ run: AuditRun) throws(LedgerError) {
        var seen: Set<EventReference> = []
        var balance: [Currency: Int128] = [:]
        var day: [DayKey: (count: Int64, sum: Int128)] = [:]
        var today = ""
        func close() throws(LedgerError) {
            for (key, moved) in day.sorted(by: { $0.key < $1.key }) {
                let opening = balance[key.currency] ?? 0
                let closing = key.isRefund ? opening - moved.sum : opening + moved.sum
                balance[key.currency] = closing
                try run.emit([
                    .text(today), .text(key.currency.code),
                    .text(key.isRefund ? "refunded" : "succeeded"), .integer(moved.count),
                    .text(String(moved.sum)), .text(String(opening)), .text(String(closing)),
                ])
            }
            day = [:]
        }
        try run.forEachEvent([.paymentSucceeded, .refundSucceeded]) {
            (recorded) throws(LedgerError) in
            let event = recorded.event
            guard event.evidence >= .verified, let amount = event.amount else { return }
            let isRefund = event.type == .refundSucceeded
            let id = (isRefund ? event.ids.refund : event.ids.payment) ?? "@\(recorded.stream)"
            let words = [event.provider.rawValue, event.account, isRefund ? "r" : "p", id]
            guard seen.insert(EventReference(of: words.joined(separator: "\u{0}"))).inserted else {
                return
            }
            let date = String(recorded.recordedAt.iso8601.prefix(10))
            if date != today {
                try close()
                today = date
            }
            let key = DayKey(currency: amount.currency, isRefund: isRefund)
            let before = day[key] ?? (0, 0)
            day[key] = (before.count + 1, before.sum + Int128(amount.minorUnits))
        }
        try close()
    }
}

/// What one line of the control totals is about.
private struct DayKey: Hashable, Comparable {
    let currency: Currency
    let isRefund: Bool

    static func < (left: Self, right: Self) -> Bool {
        left.currency == right.currency
            ? !left.isRefund && right.isRefund : left.currency < right.currency
    }
}
