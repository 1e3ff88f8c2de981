import CheckoutModel
import Foundation
import TestSupport
import Testing

@testable import CheckoutFlow

@Suite("A journal in a file")
struct FileJournalTests {
    private static let key = SessionKey("dodo", "cks_A")
    private static let started = JournalFact.started(
        StartedCheckout(
            mode: .test, returnURLs: ["app://return", "app://cancel"],
            expiresAt: Instant(seconds: 99)))

    private func entry(_ fact: JournalFact, _ key: SessionKey = key) -> JournalEntry {
        JournalEntry(key, at: Instant(microseconds: 1_700_000_000_000_001), fact)
    }

    @Test("Another process reads every fact as it was written")
    func roundTrip() async throws {
        let facts: [JournalFact] = [
            .opened,
            .returned(
                ReturnedCheckout(
                    status: .pending, payment: "pay_1", subscription: "sub_1", isLate: true,
                    isCertain: false)),
            .closed(.dismissed), .acknowledged,
        ]
        try await withTemporaryDirectory { folder in
            let path = folder.appendingPathComponent("journal").path
            var told = try #require(JournaledSession(entry(Self.started)))
            try await FileJournal(path: path).append(entry(Self.started))
            for fact in facts {
                told.apply(fact)
                try await FileJournal(path: path).append(entry(fact))
                #expect(try await FileJournal(path: path).sessions() == [told])
            }
            try await FileJournal(path: path).append(entry(.resolved(.failed)))
            #expect(try await FileJournal(path: path).sessions().isEmpty)
        }
    }

    @Test("Nothing private of a return is in the file, and nobody else may read it")
    func privacy() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appendingPathComponent("journal").path
            let journal = FileJournal(path: path)
            try await journal.append(entry(Self.started))
            let url = "app://return?email=ada%40example.org&license_key=KEY-1"
            try await journal.append(
                entry(.returned(ReturnedCheckout(status: .succeeded, url: url))))
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!text.contains("ada") && !text.contains("KEY-1"))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test("Facts of a session that is not there are no session")
    func stray() async throws {
        try await withTemporaryDirectory { folder in
            let journal = FileJournal(path: folder.appendingPathComponent("journal").path)
            #expect(try await journal.sessions().isEmpty)
            try await journal.append(entry(.opened))
            #expect(try await journal.sessions().isEmpty)
        }
    }

    @Test("A damaged file is set aside and stops nothing; a newer one is left alone")
    func damaged() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appendingPathComponent("journal")
            for text in ["", "{", "[1]", #"{"format":1,"sessions":[{"id":1}]}"#, "\u{0}\u{1}"] {
                try Data(text.utf8).write(to: file)
                let journal = FileJournal(path: file.path)
                try await journal.append(entry(Self.started))
                #expect(try await journal.sessions().map(\.key) == [Self.key])
                try FileManager.default.removeItem(at: file)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let aside = names.filter { $0.contains(".damaged-") }
            #expect(aside.count == 5, "none takes another one's place")
            let newer = Data(#"{"format":2,"sessions":[]}"#.utf8)
            try newer.write(to: file)
            await #expect {
                try await FileJournal(path: file.path).append(entry(Self.started))
            } throws: { ($0 as? JournalError)?.code == "JOURNAL_WRITE_FAILED" }
            await #expect {
                try await FileJournal(path: file.path).sessions()
            } throws: { ($0 as? JournalError)?.code == "JOURNAL_READ_FAILED" }
            #expect(try Data(contentsOf: file) == newer)
        }
    }

    @Test("A full disk fails the entry, and what was kept stays")
    func fullDisk() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appendingPathComponent("journal").path
            try await FileJournal(path: path).append(entry(Self.started))
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            await #expect(processExitsWith: .success) { [path = path as String] in
                // As on a full disk, writing stops in the middle of the file.
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 100, rlim_max: 100)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                let key = SessionKey("dodo", "cks_B")
                let started = StartedCheckout(mode: .test, returnURLs: ["app://return"])
                do {
                    try await FileJournal(path: path).append(
                        JournalEntry(key, at: Instant(seconds: 1), .started(started)))
                    exit(1)
                } catch let error as JournalError {
                    exit(error.code == "JOURNAL_WRITE_FAILED" ? 0 : 2)
                }
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(Set(names) == ["journal", "journal.lock"], "no half file is left")
            #expect(try await FileJournal(path: path).sessions().map(\.key) == [Self.key])
        }
    }

    @Test("Thousands of sessions are kept and found")
    func many() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appendingPathComponent("journal").path
            var document = JournalDocument()
            for number in 0..<5_000 {
                document.append(entry(Self.started, SessionKey("dodo", "cks_\(number)")))
            }
            try AtomicFile(path: path).replace(with: document.json)
            let journal = FileJournal(path: path)
            try await journal.append(entry(.resolved(.failed), SessionKey("dodo", "cks_2500")))
            let sessions = try await journal.sessions()
            #expect(sessions.count == 4_999)
            #expect(sessions.last?.key.id == "cks_4999")
        }
    }

    @Test("A folder that is not there is said so")
    func noFolder() async {
        await #expect {
            try await FileJournal(path: "/nowhere/at/all/journal").append(entry(Self.started))
        } throws: { ($0 as? JournalError)?.code == "JOURNAL_WRITE_FAILED" }
    }

    @Test("Several at once lose nothing")
    func concurrent() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appendingPathComponent("journal").path
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        let journal = FileJournal(path: path)
                        for number in 0..<10 {
                            let key = SessionKey("dodo", "cks_\(writer)_\(number)")
                            try await journal.append(entry(Self.started, key))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await FileJournal(path: path).sessions().count == 40)
        }
    }

    @Test("The record of an app that kept one session is taken over once")
    func adopted() async throws {
        try await withTemporaryDirectory { folder in
            let journal = FileJournal(path: folder.appendingPathComponent("journal").path)
            for _ in 0..<2 {
                try await journal.adopt(
                    Self.key, startedAt: Instant(seconds: 1_700_000_000), clear: {})
            }
            let sessions = try await journal.sessions()
            #expect(sessions.map(\.key) == [Self.key])
            #expect(sessions.first?.startedAt == Instant(seconds: 1_700_000_000))
        }
    }

    @Test("A process that is killed at any moment keeps what it was told is durable")
    func killed() async throws {
        for round in 0..<12 {
            try await withTemporaryDirectory { folder in
                let path = folder.appendingPathComponent("journal").path
                let acknowledged = path + ".acknowledged"
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        path = path as String, acknowledged = acknowledged as String,
                        round = round as Int
                    ] in
                    let journal = FileJournal(path: path)
                    Task.detached {
                        try await Task.sleep(for: .microseconds(500 + round * 700))
                        kill(getpid(), SIGKILL)
                    }
                    let file = open(acknowledged, O_WRONLY | O_CREAT | O_APPEND, 0o600)
                    for number in 0..<1_000_000 {
                        let key = SessionKey("dodo", "cks_\(number)")
                        let started = JournalFact.started(
                            StartedCheckout(mode: .test, returnURLs: ["app://return"]))
                        try await journal.append(
                            JournalEntry(key, at: Instant(seconds: 1), started))
                        _ = write(file, ".", 1)
                    }
                }
                let count = (try? Data(contentsOf: URL(fileURLWithPath: acknowledged)))?.count ?? 0
                let kept = try await FileJournal(path: path).sessions()
                #expect(kept.count == count || kept.count == count + 1)
                #expect(kept.map(\.key.id) == kept.indices.map { "cks_\($0)" })
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(!names.contains { $0.contains("damaged") })
            }
        }
    }
}
