import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import HTTPServer
import LedgerServer
import Synchronization
import TestSupport
import Testing

@Suite("Receiving when things go wrong")
struct EnduranceTests {
    @Test("Webhooks over many connections are all acknowledged and all in the ledger")
    func many() async throws {
        let shop = try ServedShop(Shop.memory())
        try await shop.serving { port, _ in
            let statuses = try await onThread {
                let clients = try (0..<64).map { _ in try #require(RawClient(port: port)) }
                var statuses: [Int?] = []
                for round in 0..<4 {
                    for (index, client) in clients.enumerated() {
                        Self.send(round * clients.count + index, over: client)
                    }
                    statuses += clients.map { $0.reply()?.status }
                }
                return statuses
            }
            #expect(statuses == Array(repeating: 200, count: 256))
        }
        #expect(try shop.count(.paymentSucceeded) == 256)
    }

    private static func send(_ number: Int, over client: RawClient) {
        let body = Shop.payment(number)
        client.request(
            "POST", "/webhooks/dodo", headers: Shop.headers(body, id: "msg_\(number)"),
            body: Array(body.utf8))
    }

    @Test(
        "A full disk is answered 503 with a time to come again, and nothing is lost with room",
        .enabled(if: SmallDisk.canMount, "this process may not mount a small file system"))
    func fullDisk() async throws {
        try await withTemporaryDirectory { directory in
            let disk = try #require(SmallDisk(at: directory, bytes: 4 << 20))
            defer { disk.unmount() }
            let ballast = directory.appendingPathComponent("ballast")
            try Data(count: 1 << 20).write(to: ballast)
            var options = try Shop.options()
            options.rootKeyPath = directory.appendingPathComponent("root.key").path
            let ledger = try Ledger.create(
                at: directory.appendingPathComponent("shop.ledger").path, options: options)
            defer { ledger.close() }
            let shop = try ServedShop(ledger)
            var number = 0
            var answer = await shop.deliver(Shop.payment(number), id: "msg_0")
            while answer.status == 200, number < 10_000 {
                number += 1
                answer = await shop.deliver(Shop.payment(number), id: "msg_\(number)")
            }
            #expect(answer.status == 503)
            #expect(answer.header("Retry-After") != nil)
            #expect(number > 10)
            #expect(await shop.answer("GET", "/healthz").status == 503)
            try FileManager.default.removeItem(at: ballast)
            #expect(await shop.deliver(Shop.payment(number), id: "msg_\(number)").status == 200)
            #expect(await shop.answer("GET", "/healthz").status == 200)
            #expect(try shop.count(.paymentSucceeded) == number + 1)
        }
    }

    @Test("Whatever was acknowledged while the server was being stopped is in the ledger")
    func stoppedUnderLoad() async throws {
        let shop = try ServedShop(Shop.memory())
        let acknowledged = Acknowledged()
        try await shop.serving { port, server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        try await onThread {
                            guard let client = RawClient(port: port) else { return }
                            for number in (lane * 10_000)..<((lane + 1) * 10_000) {
                                Self.send(number, over: client)
                                guard client.reply()?.status == 200 else { return }
                                acknowledged.add(number)
                            }
                        }
                    }
                }
                await acknowledged.reach(50)
                await server.stop()
                try await group.waitForAll()
            }
        }
        #expect(acknowledged.numbers.count >= 50)
        for number in acknowledged.numbers {
            #expect(try shop.ledger.session(named: "cks_\(number)").outcome?.status == .succeeded)
        }
    }

    @Test("Health and metrics tell what moves, in bounded labels")
    func status() async throws {
        let shop = try ServedShop(Shop.memory())
        _ = await shop.deliver(Shop.payment(1), id: "msg_1")
        _ = await shop.answer("POST", "/webhooks/dodo", body: "forged")
        let health = await shop.answer("GET", "/healthz")
        #expect(health.status == 200)
        #expect(health.text.hasPrefix(#"{"status":"ok","problems":[],"events":3,"#))
        #expect(health.text.contains(#""sealTrouble":null"#))
        shop.health.failed("STORAGE_FULL", at: shop.clock.now)
        let stuck = await shop.answer("GET", "/healthz")
        #expect(stuck.status == 503)
        #expect(stuck.text.contains("write_failed STORAGE_FULL"))
        let metrics = await shop.answer("GET", "/metrics").text.split(separator: "\n")
        let lines = [
            #"checkout_ledger_deliveries_total{provider="dodo",verdict="recorded"} 1"#,
            #"checkout_ledger_deliveries_total{provider="dodo",verdict="refused"} 1"#,
            #"checkout_ledger_http_requests_total{route="/webhooks/{provider}",status="200"} 1"#,
            "checkout_ledger_appends_total 3", "checkout_ledger_abandoned 0",
            "checkout_ledger_append_seconds_count 2", "checkout_ledger_stuck 1",
            "checkout_ledger_seal_trouble 0",
        ]
        for line in lines { #expect(metrics.contains(Substring(line)), "\(line)") }
        #expect(!metrics.contains { $0.contains("verify_last_ok") })
        // Every family is introduced once, as the format has it.
        let names = metrics.filter { $0.hasPrefix("# TYPE ") }
        #expect(Set(names).count == names.count)
        #expect(await shop.answer("POST", "/healthz").status == 405)
    }

    @Test("Metrics tell how far the last verification that was recorded reached, and when")
    func verified() async throws {
        let shop = try ServedShop(Shop.memory())
        _ = await shop.deliver(Shop.payment(1), id: "msg_1")
        for end in [1, 2] as [UInt64] {
            try await shop.ledger.record(
                .auditVerified,
                AuditNote(subject: "verify", positions: 0..<end, count: end, result: "sound"),
                actor: "ada", reason: nil, at: shop.clock.now)
        }
        let metrics = await shop.answer("GET", "/metrics").text.split(separator: "\n")
        #expect(metrics.contains("checkout_ledger_verify_last_ok_position 2"))
        #expect(metrics.contains { $0.hasPrefix("checkout_ledger_verify_last_ok_time_seconds 1") })
    }
}

/// The numbers of webhooks that were acknowledged.
private final class Acknowledged: Sendable {
    private let state = Mutex<Set<Int>>([])
    private let (grown, growth) = AsyncStream<Int>.makeStream()

    var numbers: Set<Int> { state.withLock { $0 } }

    func add(_ number: Int) {
        growth.yield(
            state.withLock {
                $0.insert(number)
                return $0.count
            })
    }

    /// Waits until there are so many, without a thread.
    func reach(_ count: Int) async {
        for await held in grown where held >= count { return }
    }
}
