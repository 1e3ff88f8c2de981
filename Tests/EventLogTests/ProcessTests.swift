import EventLog
import EventLogTestKit
import Foundation
import TestSupport
import Testing

/// A child process that appends to a ledger; see `EventLogCrashChild`.
private struct Child {
    private let program: ChildProgram

    /// The executable stands beside the test bundle.
    private static var executable: URL {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let folder =
            FileManager.default.fileExists(atPath: tests.path)
            ? tests.deletingLastPathComponent()
            : Bundle.main.bundleURL.deletingLastPathComponent()
        return folder.appendingPathComponent("EventLogCrashChild")
    }

    init(
        _ ledger: URL, _ acknowledged: URL, callers: Range<Int>, batches: Range<Int>,
        fuse: String = "run"
    ) throws {
        let numbers = [callers.lowerBound, callers.count, batches.lowerBound, batches.count]
        program = try ChildProgram(
            Self.executable.path,
            [ledger.path, acknowledged.path] + numbers.map(String.init) + [fuse],
            output: .shared, errors: .shared)
    }

    /// True when it ended by itself and well, false when it was killed.
    func wait() -> Bool {
        switch program.wait() {
        case .exit(let code):
            #expect(code == 0)
            return true
        case .signal(let number):
            #expect(number == SIGKILL)
            return false
        }
    }
}

/// What must hold of a ledger that children appended to.
private struct Inspection {
    /// Where each event of each batch stands.
    private(set) var found: [CrashBatch: [UInt64]] = [:]

    /// Reads the whole log: every batch is there whole or not at all, each event once.
    init<Store>(_ log: TallyLog<Store>) throws {
        var positions: [CrashBatch: [UInt64]] = [:]
        try log.read { (snapshot) throws in
            try snapshot.forEachRecord(in: 0..<snapshot.end) { record in
                guard let hash = record.dedupe else { return .more }
                let member = CrashBatch.member(of: hash)
                let batch = CrashBatch(hash)
                let isNext = positions[batch, default: []].count == member
                let follows = positions[batch]?.last.map { $0 + 1 == record.position } ?? true
                #expect(isNext && follows, "position \(record.position)")
                positions[batch, default: []].append(record.position)
                return .more
            }
        }
        for (batch, places) in positions where places.count != CrashBatch.members {
            Issue.record("batch \(batch) is there half")
        }
        found = positions
        let report = try log.verify(sealedBy: [CrashSeal.signer.verifier])
        #expect(report.signedSeals == report.seals)
        #expect(report.isSound && report.comparedRows, "\(report.findings.prefix(3))")
        let replayed = try log.replay(workers: 2)
        try log.read { (snapshot) throws in
            for (stream, state) in replayed.states.enumerated() {
                #expect(try snapshot.state(of: UInt64(stream)) == state)
            }
        }
    }

    /// Every seal that a child published is stored, and is of records that are there.
    static func checkSeals<Store>(
        _ acknowledged: URL, _ log: TallyLog<Store>
    ) throws -> Int {
        let path = acknowledged.path + ".seals"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
        let lines = Set(text.split(separator: "\n"))
        var sizes: Set<UInt64> = []
        for line in lines {
            let parts = line.split(separator: " ")
            let size = try #require(UInt64(parts[0]))
            #expect(sizes.insert(size).inserted, "two roots of one size were sealed")
            let seal = try #require(try log.seal(ofSize: size), "a seal that is not stored")
            #expect(CrashSeal.line(seal) == line + "\n")
            let root = try log.read { try $0.root(ofSize: size) }
            #expect(root == seal.head.root, "a sealed head beyond what is there")
        }
        return lines.count
    }

    /// Everything that was acknowledged stands where it was said to stand.
    func check(_ acknowledged: URL) throws -> Int {
        guard let text = try? String(contentsOf: acknowledged, encoding: .utf8) else { return 0 }
        var count = 0
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let hash = UInt128(parts[0]), let position = UInt64(parts[1]),
                let dedupe = DedupeHash(value: hash)
            else {
                Issue.record("an acknowledgement cannot be read")
                continue
            }
            let places = found[CrashBatch(dedupe)] ?? []
            let member = CrashBatch.member(of: dedupe)
            #expect(places.indices.contains(member) && places[member] == position)
            count += 1
        }
        return count
    }
}

@Suite("Processes", .serialized)
struct ProcessTests {
    @Test("Processes that append and checkpoint at once lose nothing")
    func together() async throws {
        try await withTemporaryDirectory { directory in
            let ledger = directory.appendingPathComponent("log")
            let files = (0..<3).map { directory.appendingPathComponent("acknowledged\($0)") }
            let log = try TallyLog<LMDBStore>(store: LMDBStore(directory: ledger.path))
            let children = try (0..<3).map { index in
                try Child(
                    ledger, files[index], callers: index * 10..<index * 10 + 4, batches: 0..<100)
            }
            // The live reader of this process sees all of them.
            let reader = Task {
                var events = 0
                for try await records in log.records() {
                    events += records.filter { $0.dedupe != nil }.count
                    if events == CrashBatch.members * 1_250 { return true }
                }
                return false
            }
            for number in 0..<50 {
                _ = try await log.append([CrashBatch(caller: 99, number: number).request])
                if number % 20 == 19 { try log.checkpoint() }
            }
            for child in children { #expect(child.wait()) }
            let inspection = try Inspection(log)
            #expect(inspection.found.count == 1_250)
            // What is not there would be waited for without end.
            if inspection.found.count != 1_250 { reader.cancel() }
            #expect(try await reader.value)
            for file in files {
                #expect(try inspection.check(file) == CrashBatch.members * 400)
                #expect(try Inspection.checkSeals(file, log) > 0)
            }
            log.close()
        }
    }

    /// Where in the writer the child is killed, and how often it gets there first.
    static let points: [String] = WritePoint.allCases.flatMap { point in
        (0..<12).map { "point:\(point.rawValue):\(1 + $0 * $0)" }
    }

    /// Times at which the child is killed, µs after it began to append.
    static let times: [String] = {
        var numbers = SeededNumbers(seed: 4)
        return (0..<160).map { _ in "time:\(Int.random(in: 200...25_000, using: &numbers))" }
    }()

    @Test(
        "After a kill everything acknowledged is there, nothing is half there, and all agrees",
        arguments: [("points", points), ("times", times)])
    func killed(_ name: String, _ fuses: [String]) throws {
        var kills = 0
        var acknowledgements = 0
        for (round, group) in fuses.chunked(by: 12).enumerated() {
            try withTemporaryDirectory { directory in
                let ledger = directory.appendingPathComponent("log")
                let acknowledged = directory.appendingPathComponent("acknowledged")
                for (index, fuse) in group.enumerated() {
                    // Half of the batches were tried before: some of them are there already.
                    let first = index * 10
                    let child = try Child(
                        ledger, acknowledged, callers: 0..<8, batches: first..<first + 20,
                        fuse: fuse)
                    if !child.wait() { kills += 1 }
                    let log = try TallyLog<LMDBStore>(store: LMDBStore(directory: ledger.path))
                    let inspection = try Inspection(log)
                    acknowledgements = try inspection.check(acknowledged)
                    _ = try Inspection.checkSeals(acknowledged, log)
                    if (round + index).isMultiple(of: 3) { try log.rebuild() }
                    log.close()
                }
                #expect(acknowledgements > 0)
            }
        }
        #expect(kills > fuses.count / 2, "only \(kills) of \(fuses.count) children were killed")
    }
}

extension Array {
    fileprivate func chunked(by size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
