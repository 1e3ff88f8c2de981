import Foundation

@testable import DodoCheckout

/// Where this facade does better than the SDK that a vector describes: what is wanted instead.
struct BetterBehaviour: Sendable {
    let id: String
    /// The gap of Dodo's SDK that is closed.
    let gap: String
    var events: [String]?
    var answers: [Bool]?
    /// The session that `getAbandonedSession` gives; nil in the inner place = none.
    var record: String??
    var inProgress: Bool?
    var result: String?
    var error: String?
    /// Nobody has a result or an error yet.
    var isUnended = false
    /// A return without a `start` that waits for it is told to the app.
    var isTold = false
    /// What else has to hold.
    var check: (@MainActor @Sendable (Phone) async throws -> Bool)?

    static let opened = "checkout.opened"
    static let returned = "checkout.return_received"
    static let closed = "checkout.closed"

    static let all: [BetterBehaviour] = [
        // Nothing was shown, so nothing was opened or closed, and the sheet is taken down.
        .init(id: "life-019", gap: "G18", events: []) {
            $0.screen.dismissals == 1 && $0.lastReason == "PRESENTATION_TIMED_OUT"
        },
        .init(id: "life-020", gap: "G19", events: []),
        .init(id: "life-021", gap: "G20", events: [], answers: [true], isTold: true) { phone in
            phone.late.map(\.paymentId) == ["pay_1"] && phone.screen.dismissals == 1
        },
        .init(id: "life-022", gap: "G19", events: [opened, returned, closed]) {
            $0.lastResult?.paymentId == "pay_1"
        },
        .init(id: "life-023", gap: "G20", answers: [true, true]) { $0.late.isEmpty },
        .init(id: "life-024", gap: "G20", answers: [true], record: .some(nil), isTold: true) {
            phone in
            try await phone.unacknowledged == ["cks_A succeeded late"]
        },
        .init(id: "life-027", gap: "G21", answers: [true], isTold: true) { phone in
            try await phone.desk.unacknowledgedResults().first?.paymentId == "pay_1"
        },
        .init(id: "life-028", gap: "G8") { phone in
            let kept = try await phone.unacknowledged
            try await phone.desk.acknowledge("cks_A")
            let after = try await phone.unacknowledged
            return kept == ["cks_A succeeded"] && after.isEmpty
        },
        .init(id: "life-029", gap: "G8", record: "cks_B") {
            $0.lastResult?.isCertain == false && $0.abandoned == ["cks_A", "cks_B"]
        },
        .init(id: "life-030", gap: "G14") { $0.abandoned == ["cks_A"] },
        .init(id: "life-031", gap: "G14", record: "cks_B") {
            $0.abandoned == ["cks_A", "cks_B"]
        },
        .init(id: "life-032", gap: "G15", record: "cks_A") {
            !$0.desk.shelf.clear("cks_A") && $0.desk.shelf.current()?.sessionId == "cks_A"
        },
        .init(id: "life-033", gap: "G15", record: "cks_B") { $0.abandoned == [] },
        .init(id: "life-034", gap: "G16") { $0.desk.shelf.current()?.wasShown == false },
        .init(id: "life-035", gap: "G16") { phone in
            phone.desk.shelf.current()?.createdAt.timeIntervalSince1970 == 1_767_225_600
        },
        .init(id: "life-036", gap: "G22") { try await $0.unacknowledged == ["cks_A succeeded"] },
        // The sheet was still there when the process ended, so it was not closed.
        .init(id: "life-037", gap: "G19", events: [opened, returned]) {
            try await $0.unacknowledged == ["cks_A succeeded"]
        },
        .init(id: "life-038", gap: "G23") {
            $0.lastResult?.ending == .cancelledByApp && $0.screen.dismissals == 1
        },
        .init(id: "life-039", gap: "G10", events: [], error: "INVALID_CHECKOUT_URL"),
        .init(
            id: "life-044", gap: "G12", events: [opened, returned, closed], answers: [true],
            inProgress: false, result: "pending"
        ) { $0.lastResult?.saysCancelled == true },
        .init(
            id: "life-049", gap: "G27", events: [opened], answers: [false], inProgress: true,
            isUnended: true),
        // Nothing was shown, so nothing was opened or closed.
        .init(id: "life-051", gap: "G19", events: []) { $0.lastReason == "BROWSER_UNAVAILABLE" },
        .init(id: "life-052", gap: "G21", answers: [true], isTold: true) { phone in
            phone.late.map(\.status) == [.succeeded]
        },
        .init(id: "life-053", gap: "G17", error: "PLATFORM_ERROR") {
            $0.lastReason == "BROWSER_UNAVAILABLE"
        },
        .init(id: "life-054", gap: "G22", answers: [true], record: "cks_A", isTold: true) { phone in
            try await phone.unacknowledged == ["cks_A succeeded late"]
        },
        .init(
            id: "life-055", gap: "G23", events: [opened, closed], inProgress: false,
            result: "cancelled"
        ) { $0.lastResult?.ending == .cancelledByApp },
    ]

    /// Vectors about another platform's bridge, with the reason why there is nothing to run.
    static let notApplicable: [String: String] = [
        "life-060": "A React Native bridge that does nothing on Android; there is no bridge here.",
        "life-063": "Flutter reads Android's record in milliseconds; only the iOS record is moved.",
    ]
}

extension Phone {
    var lastResult: CheckoutResult? { try? runs.last?.ended?.get() }

    var lastReason: String? {
        guard case .failure(let error) = runs.last?.ended else { return nil }
        return error.reason
    }

    var abandoned: [String]? { try? desk.shelf.abandoned().map(\.sessionId) }

    var unacknowledged: [String] {
        get async throws {
            try await desk.unacknowledgedResults().map {
                "\($0.sessionId ?? "") \($0.status.rawValue)\($0.isLate ? " late" : "")"
            }
        }
    }
}
