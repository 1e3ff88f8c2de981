// Webhooks: what verifying one costs beyond its HMAC, and what hashing an event costs.

import CCrypto
import CheckoutLedger
import CheckoutModel
import Cryptography
import DodoPayments
import EventLog
import ProviderKit

private let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
private let now = Instant(seconds: 1_772_600_767)

func verificationRows(_ options: BenchmarkOptions, in place: Workplace) throws -> [ReportRow] {
    let key = Base64.decode(secret.dropFirst(6)) ?? []
    let delivery = signedDelivery(number: 1, key: HMACKey(sha256: key), byteCount: 1_024)
    let verifier = try dodoVerifier()
    let signed = Array("\(messageID(1)).\(now.seconds).".utf8) + delivery.body
    let count = options.pick(short: 2_000, standard: 10_000)
    let times = try medians(
        rounds: options.pick(short: 5, standard: 15),
        of: [
            {
                try processorNanoseconds {
                    for _ in 0..<count { _ = try verifier.verify(delivery, at: now) }
                }
            },
            {
                try processorNanoseconds {
                    for _ in 0..<count {
                        var code = [UInt8](repeating: 0, count: 32)
                        var length: UInt32 = 0
                        let made = HMAC(
                            EVP_sha256(), key, Int32(key.count), signed, signed.count, &code,
                            &length)
                        guard made != nil else { throw BenchmarkFailure("no HMAC") }
                    }
                }
            },
        ])
    let micros = times.map { $0 / Double(count) / 1_000 }
    return [
        ReportRow(
            "verify a webhook of 1 KB / libcrypto's HMAC of the same bytes", ours: micros[0],
            peer: micros[1], unit: "µs", target: .extraAtMost(10))
    ]
}

/// Signed webhooks from arrival to durable, by 256 callers.
func deliveryRows(_ options: BenchmarkOptions, in place: Workplace) async throws -> [ReportRow] {
    let writers = 256
    let count = options.pick(short: 8, standard: 32) * writers
    let directory = try place.directory("deliveries")
    defer { place.remove("deliveries") }
    let ledger = try benchmarkLedger(in: directory)
    let disk = try FlushedFile(path: directory + "/plain")
    let key = HMACKey(sha256: Base64.decode(secret.dropFirst(6)) ?? [])
    let verifier = try dodoVerifier()
    var next = 0
    var stored: [[UInt8]] = [[0]]
    let times = try await medians(
        rounds: options.pick(short: 3, standard: 5),
        of: [
            {
                let deliveries = (0..<count).map {
                    signedDelivery(number: next + $0, key: key, byteCount: 1_024)
                }
                next += count
                let first = try ledger.log.read { $0.end }
                let time = try await record(deliveries, in: ledger, verifier, writers: writers)
                stored = try ledger.log.storedBytes(from: first)
                return time
            },
            {
                let perBatch = max(1, stored.count * writers / count)
                let batches = stored.inBatches(of: perBatch).map { Array($0.joined()) }
                return try nanoseconds { for batch in batches { try disk.append(batch) } }
            },
        ])
    ledger.close()
    let micros = times.map { $0 / Double(count) / 1_000 }
    return [
        ReportRow(
            "signed webhooks of 1 KB to durable, \(writers) callers / pwrite + fdatasync",
            ours: micros[0], peer: micros[1], unit: "µs/webhook")
    ]
}

private func record(
    _ deliveries: [WebhookDelivery], in ledger: Ledger<LMDBStore>, _ verifier: DeliveryVerifier,
    writers: Int
) async throws -> Double {
    let scope = AccountScope("dodo", mode: .live)
    let parts = deliveries.inBatches(of: deliveries.count / writers)
    return try await nanoseconds {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in parts {
                group.addTask {
                    for delivery in part {
                        let receipt = try await ledger.record(
                            delivery, verifiedBy: verifier, scope: scope, at: now)
                        precondition(receipt.verdict == .recorded, "a genuine webhook is recorded")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

private func dodoVerifier() throws -> DeliveryVerifier {
    try DeliveryVerifier(
        provider: DodoPaymentsProvider(),
        secrets: SecretSet(
            [.webhook: [secret]], rules: DodoPaymentsProvider.descriptor.secretRules))
}

/// The receiver's clock, at which the deliveries here are fresh.
var benchmarkNow: Instant { now }

/// One account whose secret signs the deliveries here.
func benchmarkConfiguration() throws -> LedgerConfiguration {
    try LedgerConfiguration.read(
        Array(#"{"providers":{"dodo":{"mode":"live","secretFile":"secret"}}}"#.utf8),
        providers: [DodoPaymentsProvider.self],
        from: ConfigurationSources(
            file: { (_) throws(LedgerError) in Array(secret.utf8) }, permissions: { _ in nil },
            variable: { _ in nil }))
}

/// A payment webhook as Dodo signs it, its body padded to a size.
func benchmarkDelivery(number: Int, byteCount: Int) -> WebhookDelivery {
    signedDelivery(number: number, key: signingKey, byteCount: byteCount)
}

private let signingKey = HMACKey(sha256: Base64.decode(secret.dropFirst(6)) ?? [])

private func messageID(_ number: Int) -> String { "msg_\(number)" }

/// A payment webhook as Dodo signs it, its body padded to a size.
private func signedDelivery(number: Int, key: HMACKey, byteCount: Int) -> WebhookDelivery {
    var ids = SplitMix64(state: UInt64(number))
    let payment = String(ids.next(), radix: 36)
    let session = String(ids.next(), radix: 36)
    let start =
        "{\"business_id\":\"bus_demo\",\"type\":\"payment.succeeded\",\"timestamp\":"
        + "\"2026-03-04T05:06:05Z\",\"data\":{\"payload_type\":\"Payment\",\"payment_id\":\"pay_"
        + "\(payment)\",\"checkout_session_id\":\"cks_\(session)\",\"status\":\"succeeded\","
        + "\"total_amount\":2500,\"currency\":\"EUR\",\"metadata\":{\"note\":\""
    let end = "\"}}}"
    let padding = String(
        repeating: "x", count: max(0, byteCount - start.utf8.count - end.utf8.count))
    let body = Array((start + padding + end).utf8)
    let id = messageID(number)
    let code = key.authenticate(Array("\(id).\(now.seconds).".utf8), body)
    return WebhookDelivery(
        headers: [
            "webhook-id": id, "webhook-timestamp": "\(now.seconds)",
            "webhook-signature": "v1,\(Base64.encode(code))",
        ], body: body)
}

/// What the tree costs: it cannot be switched off, so its hashing is measured by itself.
func hashRows(_ options: BenchmarkOptions, in place: Workplace) throws -> [ReportRow] {
    var workload = Workload(seed: 9)
    let count = options.pick(short: 5_000, standard: 50_000)
    let records = workload.next(count).map { Array($0.storedBytes.dropLast(32)) }
    let times = try medians(
        rounds: 5,
        of: [
            {
                var sha = SHA256()
                var frontier = MerkleFrontier()
                return processorNanoseconds {
                    for record in records {
                        let leaf = record.withUnsafeBytes { sha.hash($0, prefix: 0x00) }
                        frontier.add(leaf, using: &sha) { _ in }
                    }
                }
            },
            {
                var digest = [UInt8](repeating: 0, count: 32)
                return processorNanoseconds {
                    for record in records {
                        CCrypto.SHA256(record, record.count, &digest)
                    }
                }
            },
        ])
    return [
        ReportRow(
            "Merkle leaf and nodes of an event / libcrypto's SHA-256 of its record",
            ours: times[0] / Double(count), peer: times[1] / Double(count), unit: "ns/event")
    ]
}
