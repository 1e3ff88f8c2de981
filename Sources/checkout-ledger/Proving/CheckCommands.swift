import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import EventLog

extension Option {
    /// The key that a check without the ledger rests on.
    static let verifierKey = Option.value(
        "key", .text, placeholder: "VKEY", isRequired: true, repeats: true,
        "The log's verifier key, or a file with one a line")
}

extension Entry {
    static let verifyProof = Entry(
        .prove,
        Command(
            "verify-proof", "Check that a record is in a sealed log; needs no ledger",
            discussion: """
                Reads three things and nothing else: the proof, the record, the verifier key of \
                the log. Ends with 3 when they do not belong together.
                """,
            arguments: [Argument("proof", .stream, .one, "What 'prove' wrote")],
            options: [
                .value(
                    "record", .path, placeholder: "FILE", isRequired: true,
                    "The record, byte for byte"),
                .verifierKey,
            ],
            examples: [
                Example("verify-proof 311.proof --record 311.record --key log.vkey", "Anywhere")
            ])
    ) { context in
        let keys = try context.verifiers()
        let bytes = try context.read(
            context.command.argument("proof"), limit: Limits.sealFileBytes)
        let record = try context.read(
            context.command.value("record") ?? "", limit: Limits.sealFileBytes)
        let (proof, signatures) = try context.inLedgerWords { () throws(LogError) in
            let proof = try ProofFile(bytes)
            return (proof, try proof.check(record, with: keys))
        }
        try context.writeChecked(
            "The record stands at position \(proof.index) of \(proof.seal.head.origin), sealed at "
                + "size \(proof.seal.head.size).", proof.seal, signatures)
        return .done
    }

    static let verifyGrowth = Entry(
        .prove,
        Command(
            "verify-growth", "Check that a log only grew between two seals; needs no ledger",
            discussion: """
                Compares the older seal, as it was kept, with what 'prove-growth' wrote. Ends with \
                3 when a record below the older size was changed, or when the two are a fork.
                """,
            arguments: [
                Argument("old", .stream, .one, "The older seal"),
                Argument("new", .stream, .one, "What 'prove-growth' wrote, with the newer seal"),
            ],
            options: [.verifierKey],
            examples: [
                Example("verify-growth monday.seal growth.txt --key log.vkey", "Since Monday")
            ])
    ) { context in
        let keys = try context.verifiers()
        let old = try context.seal(context.command.argument("old"))
        let bytes = try context.read(
            context.command.argument("new"), limit: Limits.sealFileBytes)
        let (growth, signatures) = try context.inLedgerWords { () throws(LogError) in
            let growth = try GrowthProof(bytes)
            _ = try old.note.check(with: keys)
            let signatures = try growth.seal.note.check(with: keys)
            try growth.check(from: old.head)
            return (growth, signatures)
        }
        let new = growth.seal.head
        try context.writeChecked(
            "\(new.origin) only grew: its first \(old.head.size) of \(new.size) records are those "
                + "that were sealed.", growth.seal, signatures)
        return .done
    }

    static let witness = Entry(
        .prove,
        Command(
            "witness", "Sign another one's log, if it only grew; needs no ledger",
            discussion: """
                Reads what 'prove-growth' wrote from standard input, compares it with the last \
                head that was signed, remembers the new one in the state file and prints a line \
                of signature that belongs below the seal. A log that shows a second history is \
                refused (exit 3), which is the evidence. A log that is not known yet must be \
                signed by a key given with --log.
                """,
            options: [
                .value(
                    "state", .path, placeholder: "FILE", isRequired: true,
                    "What the witness remembers; made when it is not there"),
                .value(
                    "key", .path, placeholder: "FILE", isRequired: true,
                    "The witness's own key, made with 'keys new --witness'"),
                .value(
                    "log", .text, placeholder: "VKEY", repeats: true,
                    "The verifier key of a log to begin to watch, or a file with one a line"),
            ],
            examples: [
                Example("witness --state w.state --key w.key --log log.vkey < growth.txt", "Once"),
                Example("witness --state w.state --key w.key < growth.txt", "From then on"),
            ])
    ) { context in
        let command = context.command
        guard let state = command.value("state"), let key = command.value("key") else {
            throw command.usageError("State and key are needed.", about: "state")
        }
        let signature = try sign(
            try context.read("-", limit: Limits.sealFileBytes), by: readWitnessKey(key),
            from: try context.verifiers("log"), state: state,
            at: UInt64(max(0, context.now.seconds)))
        try context.output.write(Array(signature.text.utf8))
        return .done
    }

    /// The new head is remembered before its signature is given away.
    private static func sign(
        _ body: [UInt8], by signer: NoteSigner, from logs: [NoteVerifier], state: String,
        at time: UInt64
    ) throws -> NoteSignature {
        try Files.whileLocked(state + ".lock") {
            do {
                let growth = try GrowthProof(body)
                var witness =
                    Files.exists(state)
                    ? try Witness(Files.read(state, limit: InputLimits.fileBytes)) : Witness()
                let signature = try witness.take(growth, from: logs, signedBy: signer, at: time)
                try Files.replace(state, with: witness.bytes)
                return signature
            } catch let error as LogError {
                throw LedgerError(error)
            }
        }
    }
}

extension Context {
    /// Says what holds, and whose signatures say so.
    func writeChecked(
        _ sentence: String, _ seal: Seal, _ signatures: [SignedNote.Checked]
    ) throws {
        guard !isJSON else {
            return try writeObject(["valid", "origin", "size", "root", "signedBy"]) {
                $0.field("valid", true)
                $0.field("origin", seal.head.origin)
                $0.field("size", seal.head.size)
                $0.field("root", seal.head.root.hex)
                $0.field("signedBy", signatures.map(\.verifier.name))
            }
        }
        try output.line(
            "\(output.terminal.style.paint("Ok", .good)): \(SafeText.visible(sentence))")
        for signature in signatures {
            let name = SafeText.visible(signature.verifier.name)
            let time = signature.time.map {
                " at \(Instant(seconds: Int64(clamping: $0)).iso8601)"
            }
            try output.line("  signed by \(name)\(time ?? "")")
        }
    }
}
