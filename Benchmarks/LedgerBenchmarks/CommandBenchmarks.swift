// How long a command takes from its start to its end.

import CheckoutLedger
import CheckoutModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

func commandRows(_ options: BenchmarkOptions, in place: Workplace) async throws -> [ReportRow] {
    let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
        .dropLast().joined(separator: "/")
    let program = (folder.isEmpty ? "." : folder) + "/checkout-ledger"
    guard access(program, X_OK) == 0 else {
        note("checkout-ledger is not built; its start is not measured")
        return []
    }
    let directory = try place.directory("command")
    defer { place.remove("command") }
    let ledger = try benchmarkLedger(in: directory)
    var workload = Workload(seed: 10)
    let events = workload.next(2_000)
    _ = try await ledger.record(events.map { EventEntry($0.event, mode: .live) })
    ledger.close()
    let session = events[0].session
    let lookup = try sqliteLookup(events, in: directory)
    let words: [[String]] = [
        [program, "--version"],
        [
            program, "timeline", session, "--ledger", directory + "/shop.ledger", "--root-key",
            directory + "/root.key",
        ],
    ]
    var rows: [ReportRow] = []
    for words in words {
        guard run(words) == 0 else {
            note("'\(words[1])' does not end well; its start is not measured")
            continue
        }
        var methods: [() -> Double] = [{ nanoseconds { _ = run(words) } }]
        if let lookup { methods.append { nanoseconds { _ = run(lookup) } } }
        let times = try medians(rounds: options.pick(short: 7, standard: 25), of: methods)
        rows.append(
            ReportRow(
                "checkout-ledger \(words[1]) / sqlite3 looking up one session",
                ours: times[0] / 1e6, peer: lookup == nil ? nil : times[1] / 1e6, unit: "ms"))
    }
    return rows
}

/// The words of a look-up by the `sqlite3` program; nil when it is not installed.
private func sqliteLookup(_ events: [WorkEvent], in directory: String) throws -> [String]? {
    let path = directory + "/events"
    let store = try SQLiteEventStore(path: path)
    try store.append(events[...])
    let query = "SELECT * FROM events WHERE stream = '\(events[0].session)' ORDER BY version"
    let words = ["/usr/bin/sqlite3", path, query]
    guard access(words[0], X_OK) == 0, run(words) == 0 else {
        note("sqlite3 is not installed; commands stand alone")
        return nil
    }
    return words
}

/// Runs a program with its output thrown away; gives its exit code.
private func run(_ words: [String]) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawn(&process, words[0], &actions, nil, arguments, environ) == 0 else {
        return -1
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status
}
