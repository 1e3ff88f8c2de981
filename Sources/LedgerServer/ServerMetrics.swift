import CheckoutLedger
import CheckoutModel
import Synchronization

/// Counts for `/metrics`, in Prometheus' text format.
///
/// Labels are bounded: provider, verdict, route, status, code; never an id, an account or anything
/// that a request says.
package final class ServerMetrics: Sendable {
    private struct State {
        var deliveries: [[String]: Int] = [:]
        var requests: [[String]: Int] = [:]
        var failures: [[String]: Int] = [:]
        var reconciled: [[String]: Int] = [:]
        var appends = [Int](repeating: 0, count: ServerMetrics.bounds.count + 1)
        var appendMicroseconds: Int64 = 0
    }

    /// Upper bounds of the histogram's buckets, in microseconds.
    private static let bounds: [Int64] = [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000,
    ]

    private let state = Mutex(State())

    package init() {}

    func countDelivery(_ provider: ProviderID, _ verdict: String) {
        state.withLock { $0.deliveries[[provider.rawValue, verdict], default: 0] += 1 }
    }

    func countRequest(route: String, status: Int) {
        state.withLock { $0.requests[[route, "\(status)"], default: 0] += 1 }
    }

    func countFailure(_ code: String) {
        state.withLock { $0.failures[[code], default: 0] += 1 }
    }

    func countReconciled(_ result: String) {
        state.withLock { $0.reconciled[[result], default: 0] += 1 }
    }

    func countAppend(microseconds: Int64) {
        let index = Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.appends[index] += 1
            state.appendMicroseconds += max(0, microseconds)
        }
    }

    /// How many webhooks were refused and only counted, by provider.
    package var unrecorded: [String: Int] {
        state.withLock { state in
            state.deliveries.reduce(into: [:]) { counts, row in
                if row.key[1] == "refused_unrecorded" {
                    counts[row.key[0], default: 0] += row.value
                }
            }
        }
    }

    /// A number that is looked up when it is asked for.
    struct Gauge {
        let name: String
        let help: String
        var type = "gauge"
        let value: Int64
    }

    /// The page: what was counted, these, and what the ledger took out of what it was told.
    func page(_ gauges: [Gauge], redactions: [RedactionCount] = []) -> String {
        let state = state.withLock { $0 }
        var text = ""
        for gauge in gauges {
            text += header(gauge.name, gauge.help, gauge.type)
            text += "\(gauge.name) \(gauge.value)\n"
        }
        text += family(
            "checkout_ledger_deliveries_total", "Webhooks by what became of them",
            ["provider", "verdict"], state.deliveries)
        text += family(
            "checkout_ledger_http_requests_total", "Requests by route and status",
            ["route", "status"], state.requests)
        text += family(
            "checkout_ledger_write_failures_total", "Webhooks that could not be recorded",
            ["code"], state.failures)
        text += family(
            "checkout_ledger_reconciled_total", "Questions to providers by their end", ["result"],
            state.reconciled)
        text += family(
            "checkout_ledger_redactions_total", "What was masked, dropped or refused",
            ["rule", "source", "action"],
            redactions.reduce(into: [:]) {
                $0[[$1.rule, $1.source.name, $1.action], default: 0] += $1.count
            })
        return text + histogram(state)
    }

    private func header(_ name: String, _ help: String, _ type: String) -> String {
        "# HELP \(name) \(help).\n# TYPE \(name) \(type)\n"
    }

    private func family(
        _ name: String, _ help: String, _ labels: [String], _ rows: [[String]: Int]
    ) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { values, count in
            let pairs = zip(labels, values).map { "\($0)=\"\($1)\"" }
            return "\(name){\(pairs.joined(separator: ","))} \(count)\n"
        }
        return header(name, help, "counter") + lines.joined()
    }

    private func histogram(_ state: State) -> String {
        let name = "checkout_ledger_append_seconds"
        var text = header(name, "Time from a webhook's arrival until it is durable", "histogram")
        var count = 0
        for (index, bound) in Self.bounds.enumerated() {
            count += state.appends[index]
            text += "\(name)_bucket{le=\"\(Self.seconds(bound))\"} \(count)\n"
        }
        count += state.appends[Self.bounds.count]
        text += "\(name)_bucket{le=\"+Inf\"} \(count)\n"
        text += "\(name)_sum \(Self.seconds(state.appendMicroseconds))\n\(name)_count \(count)\n"
        return text
    }

    /// Microseconds as a decimal number of seconds.
    private static func seconds(_ microseconds: Int64) -> String {
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)."
            + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
    }
}
