import CheckoutFlow
import Foundation
import TestSupport
import Testing

@testable import DodoCheckout

@MainActor
@Suite("The life of a checkout under the names of Dodo's SDK")
struct LifecycleTests {
    private static let vectors = LifecycleVector.all
    nonisolated private static let applicable = LifecycleVector.all.filter {
        BetterBehaviour.notApplicable[$0.id] == nil
    }

    @Test("There are 63 vectors, and the tables name only those")
    func tables() {
        #expect(Self.vectors.count == 63)
        let ids = Set(Self.vectors.map(\.id))
        #expect(Set(BetterBehaviour.notApplicable.keys).isSubset(of: ids))
        #expect(BetterBehaviour.notApplicable.values.allSatisfy { !$0.isEmpty })
        let better = BetterBehaviour.all.map(\.id)
        #expect(Set(better).isSubset(of: ids))
        #expect(Set(better).count == better.count)
        for vector in Self.vectors where vector.better != nil {
            let entry = BetterBehaviour.all.first { $0.id == vector.id }
            #expect(entry?.gap == vector.gap, "\(vector.id): \(vector.better ?? "")")
        }
    }

    @Test("The table of what is better says a word to each of the 33 gaps")
    func gaps() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = "Sources/DodoCheckout/DodoCheckout.docc/BetterThanTheSDK.md"
        let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| G") }
        let named = rows.flatMap { row in
            row.split { !$0.isLetter && !$0.isNumber }.filter {
                $0.hasPrefix("G") && Int($0.dropFirst()) != nil
            }
        }
        #expect(Set(named.map(String.init)) == Set((1...33).map { "G\($0)" }))
        #expect(Set(named).count == named.count)
    }

    @Test("Every checkout runs as with the SDK, or better", arguments: applicable)
    func runs(_ vector: LifecycleVector) async throws {
        let better = BetterBehaviour.all.first { $0.id == vector.id }
        try await withTemporaryDirectory { @MainActor folder in
            let phone = try Phone(folder.appendingPathComponent("sessions.json"))
            let runner = ScriptRunner(phone: phone, vector: vector)
            try await runner.run()
            if better?.isTold == true { await phone.until { !phone.late.isEmpty } }
            try await compare(vector, better, phone)
            if let check = better?.check {
                let holds = try await check(phone)
                #expect(holds, "\(vector.id): \(vector.better ?? better?.gap ?? "")")
            }
            await end(phone)
        }
    }

    private func compare(
        _ vector: LifecycleVector, _ better: BetterBehaviour?, _ phone: Phone
    ) async throws {
        let expected = vector.expected
        if let events = better?.events ?? expected.events { #expect(phone.events == events) }
        if let answers = better?.answers ?? expected.answers { #expect(phone.answers == answers) }
        if let outcomes = expected.outcomes {
            // Each `begin` is a start, each `end` the end of the one that runs.
            let told = phone.runs.map { run -> String in
                guard case .failure(let error) = run.ended else { return "ok" }
                return error.code.rawValue
            }
            #expect(told.count == 3)
            #expect(told == [outcomes[0], outcomes[1], outcomes[3]])
        }
        compareOutcome(expected, better, phone)
        let record = phone.desk.shelf.current()
        if let wanted = better?.record {
            #expect(record?.sessionId == wanted)
        } else if expected.tellsRecord {
            #expect(record?.sessionId == expected.record)
        }
        if let time = expected.createdAt {
            #expect(record?.createdAt.timeIntervalSince1970 == TimeInterval(time))
        }
        if let running = better?.inProgress ?? expected.inProgress {
            #expect(phone.desk.isRunning == running)
        }
    }

    private func compareOutcome(
        _ expected: LifecycleVector.Expected, _ better: BetterBehaviour?, _ phone: Phone
    ) {
        guard expected.tellsOutcome || better != nil else { return }
        let ended = phone.runs.last?.ended
        if better?.isUnended == true || isNothing(expected.outcome, better) {
            if phone.runs.count == 1, phone.desk.isRunning { #expect(ended == nil) }
            return
        }
        switch ended {
        case .success(let result):
            #expect(result.status.rawValue == better?.result ?? expected.outcome?.result)
        case .failure(let error):
            let wanted = better?.error ?? expected.outcome?.error
            #expect([error.code.rawValue, "\(error.code)"].contains(wanted))
            if let native = expected.outcome?.nativeCode { #expect(error.reason == native) }
            if let message = expected.outcome?.message { #expect(error.message == message) }
        case nil: Issue.record("start has not returned")
        }
    }

    private func isNothing(
        _ outcome: LifecycleVector.Outcome?, _ better: BetterBehaviour?
    ) -> Bool {
        outcome == nil && better?.result == nil && better?.error == nil
    }

    /// Ends what a vector leaves on the screen.
    private func end(_ phone: Phone) async {
        phone.screen.scripted.report(.dismissed)
        phone.screen.scripted.finishDismissing()
        await phone.settle()
    }
}
