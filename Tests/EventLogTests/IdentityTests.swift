import EventLog
import EventLogTestKit
import Testing

@Suite("Identities, links and repeated events")
struct IdentityTests {
    /// What a request's identities lead to after three streams were made: `s0` by joining, `s1` by
    /// joining, `r2` by routing.
    struct Route: Sendable, CustomTestStringConvertible {
        let id: String
        let identities: [StreamIdentity]
        let stream: UInt64
        var links: [[UInt64]] = []
        var testDescription: String { id }
    }

    static let routes = [
        Route(id: "a known key leads to its stream", identities: [Tally.joins("s1")], stream: 1),
        Route(id: "an unknown key opens a stream", identities: [Tally.joins("new")], stream: 3),
        Route(id: "no key opens a stream", identities: [], stream: 3),
        Route(
            id: "the first known key decides",
            identities: [Tally.joins("new"), Tally.joins("s1")], stream: 1),
        Route(
            id: "two known joining keys link their streams",
            identities: [Tally.joins("s1"), Tally.joins("s0")], stream: 1,
            links: [[1, 0], [0, 1]]),
        Route(
            id: "a routing key leads only where nothing earlier does",
            identities: [Tally.joins("s0"), Tally.routes("r2")], stream: 0),
        Route(
            id: "a routing key leads where nothing earlier is known",
            identities: [Tally.joins("new"), Tally.routes("r2")], stream: 2),
        Route(
            id: "a routing key never links", identities: [Tally.routes("r2"), Tally.joins("s0")],
            stream: 2),
        Route(
            id: "three known joining keys link all to the first",
            identities: [Tally.joins("s0"), Tally.joins("s1"), Tally.joins("s0")], stream: 0,
            links: [[0, 1], [1, 0]]),
        Route(
            id: "a finding key never routes", identities: [Tally.finds("shared")], stream: 3),
    ]

    @Test("Keys lead to their streams long after they were used", arguments: Engine.allCases)
    func longAfter(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            // More than the writer remembers, in batches longer than a batch's own list.
            let count = 10_000
            var streams: [UInt64] = []
            for first in stride(from: 0, to: count, by: 500) {
                let requests = (first..<first + 500).map { Tally.request("s\($0)") }
                streams += try await log.append(requests).map(\.stream)
            }
            #expect(streams == Array(0..<UInt64(count)))
            for number in [0, 1, 499, 4_095, 4_096, 8_192, count - 1, 0] {
                let result = try await log.append([
                    AppendRequest(
                        identities: [Tally.joins("s\(number)"), Tally.finds("shared")],
                        drafts: [Tally.draft()])
                ])
                #expect(result[0].stream == UInt64(number))
            }
            let found = try log.read { (snapshot) throws in
                try snapshot.streams(finding: Tally.key("shared"))
            }
            #expect(found == [0, 1, 499, 4_095, 4_096, 8_192, UInt64(count - 1)])
        }
    }

    @Test("Keys of a batch that was refused lead nowhere", arguments: Engine.allCases)
    func refusedKeys(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            _ = try await log.append([Tally.request("known")])
            await #expect(throws: LogError.self) {
                try await log.append([
                    AppendRequest(
                        identities: [Tally.joins("lost"), Tally.finds("shared")],
                        drafts: [Tally.draft()]),
                    AppendRequest(
                        identities: [Tally.joins("known")], drafts: [Tally.draft()],
                        expected: .none),
                ])
            }
            let next = try await log.append([Tally.request("next"), Tally.request("lost")])
            #expect(next.map(\.stream) == [1, 2])
            let found = try log.read { (snapshot) throws in
                try snapshot.streams(finding: Tally.key("shared"))
            }
            #expect(found.isEmpty)
        }
    }

    @Test("Keys lead to streams", arguments: Engine.allCases, routes)
    func routing(_ engine: Engine, _ route: Route) async throws {
        try await withLog(engine) { log in
            _ = try await log.append([
                AppendRequest(
                    identities: [Tally.joins("s0"), Tally.finds("shared")],
                    drafts: [Tally.draft()]),
                Tally.request("s1"),
                AppendRequest(identities: [Tally.routes("r2")], drafts: [Tally.draft()]),
            ])
            let result = try await log.append([
                AppendRequest(identities: route.identities, drafts: [Tally.draft()])
            ])
            #expect(result[0].stream == route.stream)
            #expect(result[0].links.map { [$0.stream, $0.other] } == route.links)
            try log.read { (snapshot) throws in
                for identity in route.identities where identity.role != .finds {
                    if ["new"].contains(String(decoding: identity.key, as: UTF8.self)) {
                        #expect(try snapshot.resolve(identity.key) == route.stream)
                    }
                }
                for link in result[0].links {
                    let record = try snapshot.record(at: link.position)
                    #expect(record.flags.contains(.link))
                    #expect(record.cause == result[0].entries[0].position)
                    #expect(try snapshot.end(of: link.stream)?.last == link.position)
                }
            }
            #expect(try log.verify().isSound)
        }
    }

    @Test("Streams that share a finding key are found in order", arguments: Engine.allCases)
    func sharing(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            for number in 0..<300 {
                _ = try await log.append([
                    AppendRequest(
                        identities: [
                            Tally.joins("s\(number)"), Tally.finds("order"),
                            Tally.finds("order\(number)"),
                        ], drafts: [Tally.draft()])
                ])
            }
            _ = try await log.append([
                AppendRequest(
                    identities: [Tally.joins("s7"), Tally.finds("order")], drafts: [Tally.draft()])
            ])
            try log.read { (snapshot) throws in
                #expect(try snapshot.streams(finding: Tally.key("order")) == Array(0..<300))
                #expect(try snapshot.streams(finding: Tally.key("order7")) == [7])
                #expect(try snapshot.streams(finding: Tally.key("orde")) == [])
                #expect(try snapshot.resolve(Tally.key("order")) == nil)
            }
        }
    }

    @Test(
        "Groups are transitive, and links after a position do not count", arguments: Engine.allCases
    )
    func groups(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            var log = try place.log()
            for name in ["a", "b", "c", "d"] { _ = try await log.append([Tally.request(name)]) }
            let first = try await log.append([Tally.request("a", "b")])[0].links
            let second = try await log.append([Tally.request("c", "b")])[0].links
            #expect(first.count == 2 && second.count == 2)
            let third = try await log.append([Tally.request("a", "c")])[0].links
            #expect(third.isEmpty)
            for isReopened in [false, true] {
                if isReopened {
                    log.close()
                    log = try place.log()
                }
                try log.read { (snapshot) throws in
                    for stream in [0, 1, 2] as [UInt64] {
                        #expect(try snapshot.group(of: stream).sorted() == [0, 1, 2])
                    }
                    #expect(try snapshot.group(of: 3) == [3])
                    let limit = second[0].position
                    #expect(try snapshot.group(of: 0, before: limit) == [0, 1])
                    #expect(try snapshot.group(of: 2, before: limit) == [2])
                    #expect(try snapshot.group(of: 1, before: first[0].position) == [1])
                }
            }
            log.close()
        }
    }

    @Test("A repeated event is found, in its group and for ever", arguments: Engine.allCases)
    func repeated(_ engine: Engine) async throws {
        try await withPlace(engine) { place in
            var log = try place.log()
            let once = Tally.request(
                "a", drafts: [Tally.draft(dedupe: 1), Tally.draft(dedupe: 2)])
            _ = try await log.append([once])
            for number in 0..<50 {
                _ = try await log.append([Tally.request("a", "x\(number)")])
            }
            for isReopened in [false, true] {
                if isReopened {
                    log.close()
                    log = try place.log()
                }
                let again = try await log.append([once])
                #expect(again[0].stream == 0)
                #expect(again[0].entries.map(\.position) == [0, 1])
                #expect(again[0].entries.map(\.revision) == [0, 1])
                #expect(again[0].entries.allSatisfy { $0.outcome == .alreadyThere })
            }
            // Another stream may have the same hash, until it is linked.
            let other = try await log.append([Tally.request("b", drafts: [Tally.draft(dedupe: 1)])])
            #expect(!other[0].entries[0].wasThere)
            _ = try await log.append([Tally.request("a", "b")])
            let linked = try await log.append([Tally.request("b", drafts: [Tally.draft(dedupe: 2)])]
            )
            #expect(linked[0].entries[0].position == 1)
            #expect(linked[0].entries[0].wasThere)
            #expect(try log.verify().isSound)
            log.close()
        }
    }

    @Test("A repetition of what another opener appended is found", arguments: [true, false])
    func repeatedByAnother(_ isNew: Bool) async throws {
        let store = InMemoryStore()
        let first = try TallyLog<InMemoryStore>(store: store)
        let second = try TallyLog<InMemoryStore>(store: store)
        func append(_ log: TallyLog<InMemoryStore>, _ hash: UInt128) async throws -> Bool {
            let request = Tally.request("a", drafts: [Tally.draft(dedupe: hash)])
            return try await log.append([request])[0].entries[0].wasThere
        }
        if !isNew {
            #expect(try await !append(first, 1))
            #expect(try await append(second, 1))
        } else {
            _ = try await second.append([Tally.request("b", drafts: [Tally.draft(dedupe: 8)])])
        }
        #expect(try await !append(first, 2))
        #expect(try await append(second, 2))
        #expect(try await !append(second, 3))
        #expect(try await append(first, 3))
        #expect(try first.verify().isSound)
        first.close()
        second.close()
    }

    @Test("What a repeated event caused is skipped with it", arguments: Engine.allCases)
    func causedByRepeated(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            let drafts = [
                Tally.draft(dedupe: 1), Tally.draft(cause: .member(0)),
                Tally.draft(cause: .member(1)), Tally.draft(dedupe: 5),
            ]
            _ = try await log.append([Tally.request("a", drafts: Array(drafts.prefix(3)))])
            let again = try await log.append([
                Tally.request("a", drafts: drafts, expected: .exactly(3))
            ])
            #expect(
                again[0].entries.map(\.outcome) == [
                    .alreadyThere, .causeAlreadyThere, .causeAlreadyThere, .appended,
                ])
            #expect(again[0].entries.map(\.position) == [0, 0, 0, 3])
            try log.read { (snapshot) throws in
                #expect(snapshot.end == 4)
                #expect(try snapshot.record(at: 2).cause == 1)
            }
        }
    }

    @Test("Two tellings in one request or one batch are one event", arguments: Engine.allCases)
    func repeatedInBatch(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            let twice = [Tally.draft(dedupe: 1), Tally.draft(dedupe: 1)]
            let results = try await log.append([
                Tally.request("a", drafts: twice), Tally.request("a", "b", drafts: twice),
            ])
            #expect(results[0].entries.map(\.outcome) == [.appended, .alreadyThere])
            #expect(results[1].entries.map(\.outcome) == [.alreadyThere, .alreadyThere])
            #expect(results[1].entries.map(\.position) == [0, 0])
            try log.read { (snapshot) throws in
                #expect(snapshot.end == 1)
                #expect(try snapshot.resolve(Tally.key("b")) == 0)
            }
        }
    }

    @Test("A repetition needs no right revision, something new does", arguments: Engine.allCases)
    func repetitionBeforeRevision(_ engine: Engine) async throws {
        try await withLog(engine) { log in
            let request = Tally.request("a", drafts: [Tally.draft(dedupe: 1)], expected: .none)
            _ = try await log.append([request])
            let again = try await log.append([request])
            #expect(again[0].entries[0].wasThere)
            let mixed = Tally.request(
                "a", drafts: [Tally.draft(dedupe: 1), Tally.draft(dedupe: 2)], expected: .none)
            let error = await #expect(throws: LogError.self) { try await log.append([mixed]) }
            #expect(error?.code == .revisionConflict)
        }
    }
}
