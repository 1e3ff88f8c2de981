import CheckoutLedger
import CommandKit
import Cryptography
import EventLog
import LedgerViews

extension Entry {
    static let prove = Entry(
        .prove,
        Command(
            "prove", "Prove that one event is in the sealed ledger",
            discussion: """
                Writes a file of about a kilobyte that can be checked without the ledger, by \
                'verify-proof' or by any program that reads C2SP tlog-proof files: position, \
                hashes, seal. The record itself goes beside it with --record-out; its private \
                fields stay sealed.
                """,
            options: [
                .value("position", .position, "The event at a position"),
                .value(
                    "event", .text, placeholder: "ID", "The event of an id, as 'events' shows it"),
                .value(
                    "at", .integer(1...Int.max), placeholder: "SIZE",
                    "Under the seal of this size, instead of the last one"),
                .value("out", .stream, "Write the proof to a file that is not there yet"),
                .value("record-out", .path, placeholder: "FILE", "Write the record there"),
            ],
            examples: [
                Example(
                    "prove --position 311 --out 311.proof --record-out 311.record",
                    "Everything that 'verify-proof' needs but the key")
            ])
    ) { context in
        let command = context.command
        let ledger = try context.ledger()
        let position = try context.provenPosition(in: ledger)
        let size = command.integer("at").map { UInt64($0) }
        let (proof, record) = try context.inLedgerWords { () throws(LogError) in
            (
                try ledger.log.proof(of: position, sealedAt: size),
                try ledger.log.recordBytes(at: position)
            )
        }
        if let path = command.value("record-out") { try context.write(record, to: path) }
        try context.writeProof(proof.bytes) {
            $0.field("position", proof.index)
            $0.field("size", proof.seal.head.size)
            $0.field("hashes", proof.hashes.count)
        }
        return .done
    }

    static let proveGrowth = Entry(
        .prove,
        Command(
            "prove-growth", "Prove that the ledger only grew since a size or a seal",
            discussion: """
                Writes the hashes that lead from the older tree to that of the last seal, in the \
                form in which witnesses are asked for their signature. 'verify-growth' checks it \
                without the ledger. With the older seal itself its root is compared first.
                """,
            options: [
                .value(
                    "from", .text, placeholder: "SIZE|FILE", isRequired: true,
                    "How many events the older ledger had, or a file with its seal"),
                .value(
                    "at", .integer(1...Int.max), placeholder: "SIZE",
                    "Up to the seal of this size, instead of the last one"),
                .value("out", .stream, "Write the proof to a file that is not there yet"),
            ],
            examples: [
                Example("prove-growth --from monday.seal", "Since a seal that was kept"),
                Example(
                    "prove-growth --from 0 | checkout-ledger witness --state w --key w.key "
                        + "--log log.vkey", "Ask a witness"),
            ])
    ) { context in
        let command = context.command
        let from = command.value("from") ?? ""
        var old: (size: UInt64, root: Digest?)
        if let size = UInt64(from) {
            old = (size, nil)
        } else {
            let head = try context.seal(from).head
            old = (head.size, head.root)
        }
        let ledger = try context.ledger()
        let size = command.integer("at").map { UInt64($0) }
        let proof = try context.inLedgerWords { () throws(LogError) in
            try ledger.log.growthProof(from: old.size, root: old.root, toSealAt: size)
        }
        try context.writeProof(proof.bytes) {
            $0.field("from", proof.oldSize)
            $0.field("size", proof.seal.head.size)
            $0.field("hashes", proof.hashes.count)
        }
        return .done
    }
}

extension Context {
    /// The position that `--position` or `--event` names.
    fileprivate func provenPosition(in ledger: Ledger<LMDBStore>) throws -> UInt64 {
        switch (command.position("position"), command.value("event")) {
        case (let position?, nil): return position
        case (nil, let text?):
            guard let bytes = Hex.decode(text), let id = EventID(bytes: bytes) else {
                throw command.usageError(
                    "An event's id has 32 hexadecimal digits.", about: "event")
            }
            let found = try inLedgerWords { () throws(LogError) in try ledger.log.position(of: id) }
            if let found { return found }
            throw Complaint(
                code: "NOT_FOUND", message: "No event has that id.",
                hint: "See the ids: \(Program.name) events --json=position,id")
        default:
            throw command.usageError(
                "Name one event, by --position or by --event.", about: "position")
        }
    }

    /// Writes a proof where `--out` says, and about it under `--json`.
    fileprivate func writeProof(
        _ bytes: [UInt8], _ about: (inout JSONWriter) throws -> Void
    ) throws {
        let path = command.value("out") ?? "-"
        if path != "-" { try write(bytes, to: path) }
        if isJSON {
            try writeObject(["position", "from", "size", "hashes", "proof"]) {
                try about(&$0)
                $0.field("proof", String(decoding: bytes, as: UTF8.self))
            }
        } else if path == "-" {
            try output.write(bytes)
        } else if !isQuiet {
            errors.say("Wrote \(path).")
        }
    }

    /// The seal that a file holds, `-` for standard input.
    func seal(_ path: String) throws -> Seal {
        let bytes = try read(path, limit: Limits.sealFileBytes)
        return try inLedgerWords { () throws(LogError) in try Seal(bytes) }
    }
}
