import CheckoutModel
import Cryptography
import EventLog
import Foundation
import TestSupport
import Testing

@testable import CheckoutLedger

#if os(Linux)
    /// The memory of a child process, as far as it can be written to.
    private enum ChildMemory {
        /// Which of the texts stand in it; nil where this system does not let its owner look.
        static func sightings(of texts: [String: [UInt8]], in child: pid_t) -> [String]? {
            guard let maps = try? String(contentsOfFile: "/proc/\(child)/maps", encoding: .utf8)
            else { return nil }
            let memory = open("/proc/\(child)/mem", O_RDONLY)
            guard memory >= 0 else { return nil }
            defer { close(memory) }
            var found: Set<String> = []
            var chunk = [UInt8](repeating: 0, count: 1 << 20)
            // Private memory alone: the map of a database is what its file holds.
            for line in maps.split(separator: "\n") where line.contains(" rw-p ") {
                let ends = line.prefix { $0 != " " }.split(separator: "-")
                guard let start = UInt64(ends[0], radix: 16), let end = UInt64(ends[1], radix: 16)
                else { continue }
                var next = start
                while next < end {
                    let count = pread(
                        memory, &chunk, min(chunk.count, Int(end - next)), off_t(next))
                    guard count > 0 else { break }
                    for (name, text) in texts where holds(chunk, count, text) { found.insert(name) }
                    // The next piece begins a little earlier, for what stands across the border.
                    next += UInt64(count == chunk.count ? count - 128 : count)
                }
            }
            return found.sorted()
        }

        private static func holds(_ chunk: [UInt8], _ count: Int, _ text: [UInt8]) -> Bool {
            chunk.withUnsafeBytes { bytes in
                var next = 0
                while next + text.count <= count {
                    guard let start = bytes.baseAddress,
                        let found = memchr(start + next, Int32(text[0]), count - next)
                    else { return false }
                    let index = UnsafeRawPointer(found) - start
                    guard index + text.count <= count else { return false }
                    if memcmp(found, text, text.count) == 0 { return true }
                    next = index + 1
                }
                return false
            }
        }
    }

    @Suite("What is left in memory")
    struct MemoryResidueTests {
        /// The plain data key of an event's first field and the root key, raw and as digits.
        private static func secrets(
            _ place: PrivacyPlace, at position: UInt64
        ) throws -> [String: [UInt8]] {
            let ledger = try place.open { $0.isReadOnly = true }
            defer { ledger.close() }
            let keystore = ledger.keystore
            let blob = try #require(try ledger.event(at: position).payload.sealed.first)
            let id = Array(blob[1..<17])
            let bucketRow = try #require(
                try keystore.rows.value(KeystoreLayout.bucket(id[0])))
            let bucket = try #require(
                try keystore.ring.unwrap(bucketRow, name: KeystoreLayout.bucket(id[0])))
            let cipher = try #require(AES256GCM(key: bucket))
            let row = try #require(try keystore.rows.value(KeystoreLayout.key(id)))
            let key = try #require(KeyWrap.unwrap(row, with: cipher, name: KeystoreLayout.key(id)))
            let root = try Data(contentsOf: URL(fileURLWithPath: place.keyPath)).prefix(64)
            return [
                "data key": key.withUnsafeBytes { [UInt8]($0) },
                "bucket key": bucket.withUnsafeBytes { [UInt8]($0) },
                "root key": Hex.decode(String(decoding: root, as: UTF8.self)) ?? [],
                "root key's digits": [UInt8](root),
            ]
        }

        /// No file has a key in plain, nor what it sealed; free pages are in the files too.
        private static func checkFiles(_ place: PrivacyPlace, _ secrets: [String: [UInt8]]) throws {
            var texts = secrets
            texts["address"] = Array(Fixture.address.utf8)
            for (name, bytes) in try place.files(in: place.directory.path) {
                for (text, value) in texts {
                    let forms = [value, Array(Hex.encode(value).utf8)]
                    for form in forms where bytes.range(of: Data(form)) != nil {
                        Issue.record("\(text) in \(name)")
                    }
                }
            }
        }

        @Test("After an erasure the process that did it has no key of it in its memory")
        func erased() async throws {
            try await withPlace { place in
                try place.create().close()
                let peer = try PrivacyPeer(place)
                let position = try #require(UInt64(peer.ask("record cks_1 \(Fixture.address)")))
                #expect(peer.ask("read \(position)") == Fixture.address)
                let secrets = try Self.secrets(place, at: position)
                guard let before = ChildMemory.sightings(of: secrets, in: peer.id) else { return }
                // The search finds what is there: a key in use is.
                #expect(before.contains("data key"))
                #expect(!before.contains("root key's digits"))
                #expect(peer.ask("erase cks_1") == "root-replaced")
                #expect(ChildMemory.sightings(of: secrets, in: peer.id) == [])
                peer.end()
                try Self.checkFiles(place, secrets)
            }
        }
    }
#endif
