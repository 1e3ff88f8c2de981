import Cryptography
import EventLogTestKit
import Synchronization
import TestSupport
import Testing

@testable import EventLog

/// Where a test's seals go; refuses them while it is told to.
private final class Shelf: Sendable {
    private let state = Mutex((seals: [Seal](), isFull: false))

    var seals: [Seal] { state.withLock { $0.seals } }
    var sizes: [UInt64] { seals.map(\.head.size) }

    func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

    func sealing(_ origin: String = "test/log") -> Sealing {
        var sealing = Sealing(origin: origin, signers: TestSigners.all, clock: StepClock()) {
            (seal) throws(LogError) in
            let isFull = self.state.withLock { state in
                if !state.isFull { state.seals.append(seal) }
                return state.isFull
            }
            if isFull { throw LogError(.storageFull, "The shelf is full.", hint: "Empty it.") }
        }
        // Time alone makes no seal here, however slow the machine.
        sealing.interval = .seconds(86_400)
        return sealing
    }
}

/// Two keys that everybody knows.
enum TestSigners {
    static let all = [
        signer("test/log", .ed25519, 1), signer("test/log/time", .timed, 2),
    ]

    static func signer(_ name: String, _ kind: NoteSignatureKind, _ byte: UInt8) -> NoteSigner {
        let seed = [UInt8](repeating: byte, count: 32)
        guard let text = NoteSigner.text(name: name, kind: kind, seed: seed),
            let signer = NoteSigner(text)
        else { preconditionFailure("the name is a name") }
        return signer
    }

    static var verifiers: [NoteVerifier] { all.map(\.verifier) }
}

@Suite("Seals")
struct SealTests {
    private func append(_ count: Int, to log: TallyLog<TestStore>) async throws {
        var rest = count
        while rest > 0 {
            let drafts = Array(repeating: Tally.draft(), count: min(rest, 500))
            _ = try await log.append([Tally.request("a", drafts: drafts)])
            rest -= drafts.count
        }
    }

    @Test(
        "A log is sealed after 1,024 events, on command and at closing", arguments: Engine.allCases)
    func issued(_ engine: Engine) async throws {
        let shelf = Shelf()
        try await withPlace(engine) { place in
            let log = try place.log()
            try log.beginSealing(shelf.sealing())
            try await append(1_000, to: log)
            #expect(log.sealTrouble == nil)
            #expect(try log.lastSeal() == nil)
            try await append(30, to: log)
            #expect(log.sealTrouble == nil)
            let first = try #require(try log.lastSeal())
            #expect(first.head.size == 1_030)
            #expect(try log.read { try $0.frontier().root() } == first.head.root)
            #expect(try first.note.check(with: TestSigners.verifiers).count == 2)
            #expect(first.note.signatures.count == 2)
            #expect(try log.seal() == first)
            try await append(5, to: log)
            let second = try log.seal()
            #expect(second.head.size == 1_035)
            #expect(shelf.seals.last == second)
            try await append(1, to: log)
            log.close()
            #expect(shelf.sizes.last == 1_036)
            #expect(shelf.sizes == shelf.sizes.sorted())
            let again = try place.log()
            defer { again.close() }
            #expect(try again.lastSeal() == shelf.seals.last)
            #expect(try again.seal(ofSize: 1_030) == first)
            let report = try again.verify(sealedBy: TestSigners.verifiers)
            #expect(report.isSound && report.seals == 3 && report.signedSeals == 3)
        }
    }

    @Test("A log without a key to seal with works, and says so when it is to be sealed")
    func keyless() async throws {
        try await withLog(.memory) { log in
            try await append(2_000, to: log)
            #expect(try log.lastSeal() == nil)
            #expect(code { _ = try log.seal() } == .notSealed)
            #expect(code { _ = try log.proof(of: 1) } == .notSealed)
        }
    }

    private func code(_ body: () throws -> Void) -> LogError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? LogError)?.code
        }
    }

    @Test("A seal that cannot be published fails no append and is published later")
    func unpublished() async throws {
        let shelf = Shelf()
        try await withPlace(.memory) { place in
            let log = try place.log()
            try log.beginSealing(shelf.sealing())
            try await append(3, to: log)
            shelf.fill(true)
            #expect(code { _ = try log.seal() } == .storageFull)
            #expect(log.sealTrouble?.code == .storageFull)
            try await append(3, to: log)
            log.close()
            #expect(shelf.seals.isEmpty)
            shelf.fill(false)
            let again = try place.log()
            defer { again.close() }
            // What another process left stored and unpublished is published at the next opening.
            try again.beginSealing(shelf.sealing())
            #expect(again.sealTrouble == nil)
            #expect(try shelf.seals == [again.lastSeal()])
            #expect(shelf.sizes == [6])
        }
    }

    @Test("No other history is sealed, and no smaller one")
    func refused() async throws {
        let shelf = Shelf()
        try await withPlace(.lmdb) { place in
            let log = try place.log()
            try log.beginSealing(shelf.sealing())
            try await append(20, to: log)
            let seal = try log.seal()
            log.close()
            // The first record changes; a log that only reads its frontier cannot notice.
            try change(place) { (writer) throws(LogError) in
                var stored = try writer.value(.log, 0) { $0.copied() } ?? []
                stored[100] ^= 1
                try writer.put(.log, 0, stored)
            }
            let edited = try place.log()
            try edited.beginSealing(shelf.sealing())
            try await append(1, to: edited)
            #expect(code { _ = try edited.seal() } == .historyRewritten)
            #expect(code { _ = try edited.proof(of: 3) } == .historyRewritten)
            #expect(try edited.lastSeal() == seal)
            edited.close()
            try change(place) { (writer) throws(LogError) in
                let head = TreeHead(origin: "test/log", size: 99, root: seal.head.root)
                let later = Seal(head, signedBy: TestSigners.all, at: 0)
                try writer.put(.seals, 99, later.bytes)
            }
            let short = try place.log()
            try short.beginSealing(shelf.sealing())
            #expect(code { _ = try short.seal() } == .rolledBack)
            #expect(code { _ = try short.proof(of: 3) } == .rolledBack)
            short.close()
        }
        // Published again at each opening, and nothing else.
        #expect(Set(shelf.sizes) == [20])
    }

    private func change(
        _ place: Place, _ body: (TestStore.Writer) throws(LogError) -> Void
    ) throws {
        let store = try place.open()
        defer { store.close() }
        try store.write { (writer) throws(LogError) in try body(writer) }
    }

    @Test("A new epoch begins with its record, under a new number, and lets go of lost seals")
    func epoch() async throws {
        let shelf = Shelf()
        try await withPlace(.lmdb) { place in
            let log = try place.log()
            try await append(10, to: log)
            let refusal = LogError.rolledBack(to: 10, from: 99)
            try log.refuseWrites(refusal)
            #expect(code { _ = try log.appendBlocking([Tally.request("a")]) } == .rolledBack)
            let result = try log.beginEpoch(1, genesis: Tally.request("epoch"))
            #expect(result.entries.first?.position == 10)
            #expect(code { _ = try log.beginEpoch(1, genesis: Tally.request("x")) } != nil)
            log.close()
            let next = try place.log()
            defer { next.close() }
            #expect(next.identity.epoch == 1)
            try next.beginSealing(shelf.sealing("test/log/e2"))
            #expect(try next.seal().head.size == 11)
            #expect(try next.verify().isSound)
        }
    }

    @Test("Proofs of a log are checked without it, and growth is proven from any older seal")
    func proofs() async throws {
        try await withLog(.memory) { log in
            try log.beginSealing(Shelf().sealing())
            try await append(300, to: log)
            let old = try log.seal()
            try await append(900, to: log)
            _ = try log.seal()
            let record = try log.read { try $0.record(at: 7).bytes }
            for size in [nil, 300] as [UInt64?] {
                let file = try ProofFile(log.proof(of: 7, sealedAt: size).bytes)
                #expect(try file.check(record, with: TestSigners.verifiers).count == 2)
                #expect(
                    code { _ = try file.check(record + [0], with: TestSigners.verifiers) }
                        == .invalidProof)
            }
            #expect(code { _ = try log.proof(of: 400, sealedAt: 300) } == .notSealed)
            let body = try log.growthProof(from: 300, root: old.head.root).bytes
            let growth = try GrowthProof(body)
            try growth.check(from: old.head)
            let forged = TreeHead(origin: "test/log", size: 300, root: Digest.zero)
            #expect(code { try growth.check(from: forged) } == .invalidProof)
            #expect(code { _ = try log.growthProof(from: 300, root: .zero) } == .historyRewritten)
            #expect(code { _ = try log.growthProof(from: 1_200, root: .zero) } == .fork)
            #expect(code { _ = try log.growthProof(from: 1_201) } == .rolledBack)
        }
    }

    /// An anchor made from the sealed head of 1,100 records, and what a log of 1,200 says to it.
    struct AnchorCase: Sendable, CustomTestStringConvertible {
        let id: String
        let word: VerificationReport.Word?
        var size: UInt64 = 1_100
        var isRight = true
        var testDescription: String { id }
    }

    @Test(
        "Each way to differ from a head kept elsewhere has its own word",
        arguments: [
            AnchorCase(id: "an older head", word: nil),
            AnchorCase(id: "the empty log", word: nil, size: 0),
            AnchorCase(id: "the head itself", word: nil, size: 1_200),
            AnchorCase(
                id: "an older head of another history", word: .historyRewritten, isRight: false),
            AnchorCase(
                id: "another head of the same size", word: .fork, size: 1_200, isRight: false),
            AnchorCase(id: "a greater head", word: .rolledBack, size: 1_201, isRight: false),
        ])
    func anchors(_ anchor: AnchorCase) async throws {
        try await withLog(.memory) { log in
            try await append(1_200, to: log)
            let root = try anchor.isRight ? log.read { try $0.root(ofSize: anchor.size) } : .zero
            let head = TreeHead(origin: "test/log", size: anchor.size, root: root)
            let report = try log.verify(against: [Anchor(head, keptAt: "a drawer")])
            #expect(report.findings.map(\.word) == (anchor.word.map { [$0] } ?? []))
            #expect(report.anchors.map(\.word) == [anchor.word])
            #expect(report.provenEnd == (anchor.word == nil ? anchor.size : nil))
        }
    }

    @Test("A stored seal that was changed is found, and named once")
    func brokenSeals() async throws {
        try await withPlace(.lmdb) { place in
            let log = try place.log()
            try log.beginSealing(Shelf().sealing())
            for _ in 0..<4 {
                try await append(10, to: log)
                _ = try log.seal()
            }
            log.close()
            try change(place) { (writer) throws(LogError) in
                var bytes = try writer.value(.seals, 10) { $0.copied() } ?? []
                bytes[bytes.count - 9] = bytes[bytes.count - 9] == 0x41 ? 0x42 : 0x41
                try writer.put(.seals, 10, bytes)
                try writer.put(.seals, 20, [1, 2])
            }
            let again = try place.log()
            defer { again.close() }
            let report = try again.verify(sealedBy: TestSigners.verifiers)
            #expect(report.findings.map(\.word) == [.sealBroken, .sealBroken])
            #expect(report.signedSeals == 2)
        }
    }

    @Test("A seal is due after so many events or a minute, later after a failure or a slow one")
    func schedule() {
        let start = ContinuousClock.now
        func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }
        var schedule = SealSchedule(
            sealedSize: 0, end: 0, every: Limits.sealInterval, now: start)
        #expect(schedule.wait(now: start) == nil)
        schedule.note(end: 3, now: at(1))
        schedule.note(end: 9, now: at(30))
        #expect(schedule.wait(now: at(30)) == .seconds(31))
        #expect(schedule.wait(now: at(61)) == .zero)
        schedule.note(end: 1_024, now: at(31))
        #expect(schedule.wait(now: at(31)) == .zero)
        schedule.noteFailure(now: at(31))
        #expect(schedule.wait(now: at(32)) == .seconds(9))
        schedule.note(sealed: 1_024, took: .seconds(1), now: at(80))
        #expect(schedule.wait(now: at(90)) == nil)
        var busy = schedule
        busy.note(end: 9_999, now: at(81))
        #expect(busy.wait(now: at(81)) == .seconds(15))
        #expect(busy.wait(now: at(96)) == .zero)
        schedule.note(end: 1_025, now: at(91))
        #expect(schedule.wait(now: at(91)) == .seconds(60))
    }
}
