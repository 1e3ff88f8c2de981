import CheckoutLedger
package import CheckoutModel
import EventLog
import HTTPServer
import ProviderKit
import Synchronization

/// Whether the ledger moves or is stuck.
package final class ServerHealth: Sendable {
    private struct State {
        var lastWrite: Instant?
        var failure: (code: String, at: Instant)?
        var watermark: (position: UInt64, since: Instant)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Something was recorded.
    package func wrote(at now: Instant) {
        state.withLock { state in
            state.lastWrite = now
            state.failure = nil
        }
    }

    /// The ledger could not write.
    package func failed(_ code: String, at now: Instant) {
        state.withLock { $0.failure = (code, now) }
    }

    /// The code of the last write's failure; nil once one worked again.
    package var failureCode: String? { state.withLock { $0.failure?.code } }

    /// One word for each thing that is wrong; empty when all is well.
    func complaints(_ statistics: LogStatistics, at now: Instant) -> [String] {
        state.withLock { state in
            var found: [String] = []
            if let failure = state.failure { found.append("write_failed \(failure.code)") }
            if state.watermark?.position != statistics.watermark {
                state.watermark = (statistics.watermark, now)
            }
            let lag = statistics.events - min(statistics.events, statistics.watermark)
            if lag > ServingLimits.lagEvents, let since = state.watermark?.since,
                now.seconds - since.seconds > ServingLimits.stuckSeconds
            {
                found.append("projections_stuck")
            }
            return found
        }
    }

    var lastWrite: Instant? { state.withLock { $0.lastWrite } }
}

/// `/healthz` and `/metrics`.
struct StatusPages<Store: LogStore>: WebHandler {
    let ledger: Ledger<Store>
    let metrics: ServerMetrics
    let health: ServerHealth
    let now: @Sendable () -> Instant
    let version: String
    private let abandoned = HeldAWhile<Int64>()
    private let verified = HeldAWhile<Verified?>()

    /// The last verification that found the log sound and was recorded.
    private struct Verified {
        let end: Int64
        let at: Instant
    }

    init(
        ledger: Ledger<Store>, metrics: ServerMetrics, health: ServerHealth,
        now: @escaping @Sendable () -> Instant, version: String
    ) {
        self.ledger = ledger
        self.metrics = metrics
        self.health = health
        self.now = now
        self.version = version
    }

    func admission(of request: WebRequest) -> WebAdmission {
        request.method == "GET"
            ? .accept(bodyLimit: 0) : .refuse(.methodNotAllowed(["GET", "HEAD"]))
    }

    func respond(to request: WebRequest) async -> WebResponse {
        var response = request.path == ["metrics"] ? metricsPage() : healthPage()
        response.notes = [WebField("route", "/\(request.path.first ?? "")")]
        return response
    }

    /// 200 while the ledger moves, 503 once it is stuck, with the words that say why.
    private func healthPage() -> WebResponse {
        let complaints: [String]
        var fields: [JSONMember] = []
        do {
            let statistics = try ledger.log.read { try $0.statistics() }
            complaints = health.complaints(statistics, at: now())
            fields = [
                JSONMember(name: "events", value: .integer(Int64(clamping: statistics.events))),
                JSONMember(
                    name: "projectionLag",
                    value: .integer(
                        Int64(clamping: statistics.events)
                            - Int64(clamping: statistics.watermark))),
            ]
            if let last = statistics.lastRecordedAt {
                fields.append(
                    JSONMember(
                        name: "lastRecordedAt",
                        value: .string(Instant(microseconds: last).iso8601)))
            }
        } catch {
            complaints = ["read_failed"]
        }
        // Events are recorded all the same, so that this is no reason to call the server stuck.
        fields.append(
            JSONMember(
                name: "sealTrouble",
                value: ledger.log.sealTrouble.map { .string($0.code.rawValue) } ?? .null))
        let status = JSONMember(
            name: "status", value: .string(complaints.isEmpty ? "ok" : "stuck"))
        let problems = JSONMember(
            name: "problems", value: .array(complaints.map { .string($0) }))
        let body = JSONValue.object([status, problems] + fields)
        return WebResponse(
            status: complaints.isEmpty ? 200 : 503,
            headers: [WebField("Content-Type", "application/json")],
            body: .bytes(body.json + [UInt8(ascii: "\n")]))
    }

    private func metricsPage() -> WebResponse {
        var gauges: [ServerMetrics.Gauge] = []
        if let statistics = try? ledger.log.read({ try $0.statistics() }) {
            let events = Int64(clamping: statistics.events)
            gauges = [
                .init(
                    name: "checkout_ledger_appends_total", help: "Events in the log",
                    type: "counter", value: events),
                .init(
                    name: "checkout_ledger_projection_lag_events",
                    help: "Events that the projections' rows have not read yet",
                    value: events - Int64(clamping: statistics.watermark)),
                .init(
                    name: "checkout_ledger_abandoned", help: "Sessions without an outcome",
                    value: abandoned.value(at: now()) { Self.abandonedCount(ledger, now()) }),
            ]
        }
        if let last = verified.value(at: now(), { Self.lastVerified(ledger) }) {
            gauges += [
                .init(
                    name: "checkout_ledger_verify_last_ok_position",
                    help: "Events that the last recorded verification found sound",
                    value: last.end),
                .init(
                    name: "checkout_ledger_verify_last_ok_time_seconds",
                    help: "When that was, in seconds since 1970", value: last.at.seconds),
            ]
        }
        gauges.append(
            .init(
                name: "checkout_ledger_seal_trouble", help: "1 when the last seal failed",
                value: ledger.log.sealTrouble == nil ? 0 : 1))
        gauges.append(
            .init(
                name: "checkout_ledger_stuck", help: "1 when the last write failed",
                value: health.failureCode == nil ? 0 : 1))
        return WebResponse(
            status: 200, type: "text/plain; version=0.0.4; charset=utf-8",
            metrics.page(gauges, redactions: ledger.redactionCounts))
    }

    private static func lastVerified(_ ledger: Ledger<Store>) -> Verified? {
        var query = AuditQuery()
        query.types = [.auditVerified]
        var last: Verified?
        try? ledger.forEachEvent(matching: query) { (event) throws(LedgerError) in
            if let note = event.payload.audit {
                last = Verified(
                    end: Int64(clamping: note.positions.upperBound), at: event.recordedAt)
            }
            return .more
        }
        return last
    }

    private static func abandonedCount(_ ledger: Ledger<Store>, _ now: Instant) -> Int64 {
        var count: Int64 = 0
        try? ledger.forEachAbandonedSession(asOf: now) { (_) throws(LedgerError) in
            count += 1
            return .more
        }
        return count
    }
}

/// A value that costs more than looking for it every second allows.
private final class HeldAWhile<Value: Sendable>: Sendable {
    private let held = Mutex<(value: Value, at: Instant)?>(nil)

    func value(at now: Instant, _ look: () -> Value) -> Value {
        if let held = held.withLock({ $0 }),
            now.seconds - held.at.seconds < ServingLimits.countSeconds
        {
            return held.value
        }
        let value = look()
        held.withLock { $0 = (value, now) }
        return value
    }
}
