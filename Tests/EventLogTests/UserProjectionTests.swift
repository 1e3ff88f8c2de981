import EventLog
import EventLogTestKit
import Testing

/// Counts records by type: key = type, value = count as decimal text.
private struct TypeCounts: LogProjection {
    var name = "counts"
    var version: UInt32 = 1
    var failsAt: UInt64?

    struct Refused: Error {}

    func apply(_ record: borrowing RecordView, to rows: inout ProjectionRows) throws {
        if record.position == failsAt { throw Refused() }
        let key = Array("\(record.type)".utf8)
        let count = try rows.get(key).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        try rows.put(key, Array("\(count + 1)".utf8))
    }
}

@Suite("Users' projections")
struct UserProjectionTests {
    private func counts<Store>(
        _ handle: ProjectionHandle<TallySchema, Store, TypeCounts>
    ) throws -> [String: String] {
        var counts: [String: String] = [:]
        try handle.forEach { key, value in
            counts[String(decoding: key, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
            return .more
        }
        return counts
    }

    @Test("A projection reads on from its checkpoint, each record once", arguments: Engine.allCases)
    func catchUp(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            var log = try place.log()
            var handle = try log.projection(TypeCounts())
            #expect(try handle.checkpoint() == nil)
            #expect(try handle.catchUp() == 0)
            #expect(try handle.checkpoint() == 0)
            for round in 1...3 {
                _ = try await log.append([
                    Tally.request(
                        "a", drafts: Array(repeating: Tally.draft(), count: 3_000)),
                    Tally.request("b", drafts: [Tally.draft(TallySchema.closed)]),
                ])
                #expect(try handle.catchUp() == UInt64(3_001 * round))
                #expect(try counts(handle) == ["2": "\(3_000 * round)", "3": "\(round)"])
                log.close()
                log = try place.log()
                handle = try log.projection(TypeCounts())
                #expect(try handle.checkpoint() == UInt64(3_001 * round))
            }
            #expect(try handle.get([0x33]) == Array("3".utf8))
            let steps = Steps()
            let second = try log.projection(TypeCounts(name: "other"))
            try second.catchUp { steps.add($0) }
            #expect(steps.all.map(\.done) == [8_192, 9_003])
            #expect(try counts(second) == counts(handle))
            log.close()
        }
    }

    @Test("A slice that throws keeps nothing, and can be tried again", arguments: Engine.allCases)
    func throwing(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            _ = try await log.append([
                Tally.request("a", drafts: Array(repeating: Tally.draft(), count: 10))
            ])
            let failing = try log.projection(TypeCounts(failsAt: 7))
            #expect(throws: TypeCounts.Refused.self) { try failing.catchUp() }
            #expect(try failing.checkpoint() == nil)
            #expect(try counts(failing).isEmpty)
            let working = try log.projection(TypeCounts())
            try working.catchUp()
            #expect(try counts(working) == ["2": "10"])
        }
    }

    @Test("A changed version begins anew", arguments: Engine.allCases)
    func version(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            _ = try await log.append([Tally.request("a"), Tally.request("b")])
            try log.projection(TypeCounts(name: "counts2")).catchUp()
            try log.projection(TypeCounts()).catchUp()
            let newer = try log.projection(TypeCounts(version: 2))
            #expect(try newer.checkpoint() == nil)
            try newer.catchUp()
            #expect(try counts(newer) == ["2": "2"])
            #expect(try counts(log.projection(TypeCounts(name: "counts2"))) == ["2": "2"])
        }
    }

    @Test("A name has 1 to 64 bytes", arguments: ["", String(repeating: "n", count: 65)])
    func names(_ name: String) async throws {
        try await withLog(.memory) { log in
            let error = #expect(throws: LogError.self) {
                _ = try log.projection(TypeCounts(name: name))
            }
            #expect(error?.code == .invalidRequest)
        }
    }
}
