#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Rows that are measured together.
struct BenchmarkGroup: Sendable {
    /// What `--only` names it by.
    let name: String
    let rows: @Sendable (BenchmarkOptions, Workplace) async throws -> [ReportRow]

    static let all = [
        BenchmarkGroup(name: "url") { options, _ in
            urlBenchmarkRows(short: options.size == .short).map { ReportRow($0) }
        },
        BenchmarkGroup(name: "single") { try await singleAppendRows($0, in: $1) },
        BenchmarkGroup(name: "grouped") { try await groupedAppendRows($0, in: $1) },
        BenchmarkGroup(name: "sealed") { try await sealedRows($0, in: $1) },
        BenchmarkGroup(name: "deliveries") { try await deliveryRows($0, in: $1) },
        BenchmarkGroup(name: "server") { try await serverRows($0, in: $1) },
        BenchmarkGroup(name: "import") { try await importRows($0, in: $1) },
        BenchmarkGroup(name: "proof") { try await proofRows($0, in: $1) },
        BenchmarkGroup(name: "replay") { try await replayRows($0, in: $1) },
        BenchmarkGroup(name: "size") { try await sizeRows($0, in: $1) },
        BenchmarkGroup(name: "hash") { try hashRows($0, in: $1) },
        BenchmarkGroup(name: "verify") { try verificationRows($0, in: $1) },
        BenchmarkGroup(name: "command") { try await commandRows($0, in: $1) },
    ]
}

/// Says something beside the table.
///
/// By the descriptor: the `stderr` of C is a variable that Swift does not trust.
func note(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
