import EventLogTestKit
import Testing

@testable import EventLog

@Suite("The tree of a log that is opened anew")
struct ReopeningTests {
    @Test("At every size up to 600 the frontier is that of the records, after each opening")
    func everySize() throws {
        let store = InMemoryStore()
        var tree = PartialTree()
        for size in 0...600 as ClosedRange<UInt64> {
            let log = try TallyLog<InMemoryStore>(store: store)
            try log.read { snapshot in
                let frontier = try snapshot.frontier()
                #expect(frontier.size == size && frontier.root() == tree.root(), "size \(size)")
            }
            _ = try log.appendBlocking([Tally.request("a")])
            tree.add(try log.read { try $0.record(at: size) }.leafHash)
            log.close()
        }
    }
}
