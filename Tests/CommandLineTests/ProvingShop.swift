import CheckoutLedger
import CheckoutModel
import Cryptography
import EventLog
import Foundation
import LMDB
import ProviderKit
import TestSupport
import Testing

/// A shop whose ledger is written, sealed and attacked from outside.
struct ProvingShop {
    let program: WritingProgram
    var ledger = "shop.ledger"

    static func with(_ body: (ProvingShop) async throws -> Void) async throws {
        try await withProgram { program in
            let shop = ProvingShop(program: program)
            #expect(try program.run(["init"]).exitCode == 0)
            try await body(shop)
        }
    }

    @discardableResult
    func run(_ words: String..., input: [UInt8] = []) throws -> WritingProgram.Run {
        try program.run(words, input: input, ledger: ledger)
    }

    /// Records sessions of these names, one command each; each command seals at its end.
    func record(_ names: String...) throws {
        for name in names {
            let run = try run("record", "session", "--provider", "dodo", "--session", name)
            #expect(run.exitCode == 0, "\(run.errors)")
        }
    }

    /// Writes the seal of now, and the verifier keys.
    func seal(_ name: String) throws {
        let run = try run("seal", "--out", program.path(name))
        #expect(run.exitCode == 0, "\(run.errors)")
        let keys = try self.run("keys", "show")
        try program.write("log.vkey", keys.output)
    }

    /// The words that `verify` finds against a kept seal, and its exit code.
    func words(_ more: String...) throws -> (words: Set<String>, code: Int32) {
        let run = try program.run(
            ["verify", "--json", "--key", program.path("log.vkey")] + more, ledger: ledger)
        let findings = run.json["findings"]?.elements ?? []
        return (Set(findings.compactMap { $0["word"]?.text }), run.exitCode)
    }

    private var directory: String { program.path(ledger) }

    /// The records as they are stored.
    func records() throws -> (identity: LedgerIdentity, records: [[UInt8]]) {
        try open { log in
            try log.read { snapshot in
                var records: [[UInt8]] = []
                for position in 0..<snapshot.end {
                    records.append(try snapshot.record(at: position).bytes)
                }
                return (log.identity, records)
            }
        }
    }

    private func open<R>(
        _ body: (EventLog<CheckoutSchema, LMDBStore>) throws -> R
    ) throws -> R {
        let log = try EventLog<CheckoutSchema, LMDBStore>(
            store: LMDBStore(directory: directory))
        defer { log.close() }
        return try body(log)
    }

    /// Makes the ledger anew from other records, with everything that follows from them rebuilt.
    ///
    /// What somebody with the files and this program can do. Its keys stay.
    func rebuild(_ change: (inout [[UInt8]]) throws -> Void) throws {
        var (identity, records) = try self.records()
        try change(&records)
        for file in ["data.mdb", "lock.mdb"] {
            try FileManager.default.removeItem(atPath: directory + "/" + file)
        }
        let store = try LMDBStore(directory: directory)
        try EventLog<CheckoutSchema, LMDBStore>.makeRestored(in: store, identity: identity)
        let log = try EventLog<CheckoutSchema, LMDBStore>(store: store)
        defer { log.close() }
        try log.restore(records)
    }

    /// Changes rows in place and rebuilds nothing.
    func tamper(_ change: (LMDBStore.Writer) throws(LogError) -> Void) throws {
        let store = try LMDBStore(directory: directory)
        defer { store.close() }
        try store.write { (writer) throws(LogError) in try change(writer) }
    }

    /// Removes what the user's own state directory remembers of the last seal.
    func forgetOwnSeal() throws {
        let state = program.path("state/checkout-ledger")
        for folder in try FileManager.default.contentsOfDirectory(atPath: state) {
            try FileManager.default.removeItem(atPath: "\(state)/\(folder)/e1.seal")
        }
    }

    /// A copy of the ledger and of its keys in another place, as an operator with two faces has it.
    func copy(to name: String) throws -> ProvingShop {
        try FileManager.default.copyItem(
            atPath: directory, toPath: program.path(name + ".ledger"))
        return ProvingShop(program: program, ledger: name + ".ledger")
    }
}

/// Other records for a rebuilt ledger.
enum Forgery {
    /// Another name in the payload of the record at a position.
    static func rename(_ position: Int, _ records: inout [[UInt8]]) throws {
        let place = try #require(records[position].firstRange(of: Array("cks_".utf8)))
        records[position][place.lowerBound + 2] = UInt8(ascii: "z")
    }

    /// Two records change places, each with the header fields of the place it takes.
    static func swap(_ first: Int, _ second: Int, _ records: inout [[UInt8]]) {
        let (a, b) = (records[first], records[second])
        records[first] = moved(b, to: a)
        records[second] = moved(a, to: b)
    }

    private static func moved(_ record: [UInt8], to place: [UInt8]) -> [UInt8] {
        var moved = record
        // Position, stream and recorded time.
        for field in [8..<24, 64..<72] { moved.replaceSubrange(field, with: place[field]) }
        return moved
    }
}
