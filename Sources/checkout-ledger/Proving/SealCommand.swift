import CheckoutLedger
import CommandKit
import Cryptography
import EventLog

extension Entry {
    static let seal = Entry(
        .prove,
        Command(
            "seal", "Sign the ledger as it is now, and print the seal",
            discussion: """
                A seal states how many records the ledger has and the root hash over them, signed \
                with the ledger's own key. Whoever keeps one can tell later whether anything \
                before it was changed, left out or put back: mail it, commit it, print it. Where \
                nothing is new the last seal is printed again. Every writing command seals too, \
                and the last seal is kept outside the ledger's directory.

                The format is that of C2SP checkpoints, so that other programs read it. \
                CHECKOUT_LEDGER_ANCHORS names directories, separated by colons, in which every \
                last seal is kept.
                """,
            options: [
                .value("out", .stream, "Write the seal to a file that is not there yet"),
                .value(
                    "key", .path, placeholder: "FILE",
                    "The seal key's file; else CHECKOUT_LEDGER_SEAL_KEY, else the state directory"),
                .value(
                    "anchor-dir", .path, placeholder: "DIR", repeats: true,
                    "Keep the last seal in this directory too"),
            ],
            examples: [
                Example("seal --out monday.seal", "Keep one elsewhere"),
                Example(
                    "seal --anchor-dir /mnt/other/anchors", "Keep the last one on another disk"),
            ])
    ) { context in
        let command = context.command
        let ledger = try context.ledger(writing: true) { options in
            if let path = command.value("key") { options.sealKeyPath = path }
            options.anchorDirectories += command.values("anchor-dir")
        }
        let seal = try ledger.seal()
        if let path = command.value("out"), path != "-" {
            try context.write(seal.bytes, to: path)
            if !context.isJSON, !context.isQuiet {
                context.errors.say("Sealed \(context.events(seal.head.size)) in \(path).")
            }
        } else if !context.isJSON {
            try context.output.write(seal.bytes)
        }
        guard context.isJSON else { return .done }
        try context.writeObject(["origin", "size", "root", "seal"]) {
            $0.field("origin", seal.head.origin)
            $0.field("size", seal.head.size)
            $0.field("root", seal.head.root.hex)
            $0.field("seal", String(decoding: seal.bytes, as: UTF8.self))
        }
        return .done
    }

    static let keys = Entry(
        .prove,
        Command(
            "keys", "Show or make the keys that seals are signed and checked with",
            verbs: [
                Command(
                    "show", "Print the verifier keys of this ledger's seals",
                    discussion: """
                        One a line; they may be shown to anybody. Whoever has the first one can \
                        check seals and proofs without the ledger.
                        """,
                    examples: [Example("keys show", "What an auditor needs")]),
                Command(
                    "new", "Make a key of a name of your own",
                    discussion: """
                        Writes a private key to a file, mode 0600, and prints its verifier key. A \
                        seal key's file also gets a second key that states the time of each seal. \
                        A witness's key is another one, kept by another person.
                        """,
                    options: [
                        .value(
                            "name", .text, isRequired: true,
                            "Whose key, such as ledger.example.com/shop: no spaces, no +"),
                        .value("out", .path, isRequired: true, "A file that is not there yet"),
                        .flag("witness", "Make the key of a witness"),
                    ],
                    examples: [
                        Example("keys new --name example.com/shop --out seal.key", "A seal key"),
                        Example(
                            "keys new --witness --name example.org/w --out witness.key",
                            "A witness's"),
                    ]),
            ], default: "show"),
        verbs: [["show"]: showKeys, ["new"]: newKey])
}

private let showKeys: Handler = { context in
    let verifiers = try context.ledger().sealVerifiers
    guard !verifiers.isEmpty else {
        throw Complaint(
            code: "NOT_SEALED", message: "This ledger has no seal key yet.",
            hint: "It is made when something is recorded, or by: \(Program.name) seal")
    }
    try context.write(verifiers)
    return .done
}

private let newKey: Handler = { context in
    let command = context.command
    guard let name = command.value("name"), let path = command.value("out") else {
        throw command.usageError("Name and file are needed.", about: "name")
    }
    if command.has("witness") {
        try context.write([SealKey.generateWitness(name: name, at: path).verifier])
    } else {
        try context.write(SealKey.generate(name: name, at: path).signers.map(\.verifier))
    }
    return .done
}

extension Context {
    /// Prints verifier keys, one a line.
    fileprivate func write(_ verifiers: [NoteVerifier]) throws {
        guard isJSON else {
            for verifier in verifiers { try output.line("\(verifier)") }
            return
        }
        for verifier in verifiers {
            try writeObject(["name", "kind", "key"]) {
                $0.field("name", verifier.name)
                $0.field("kind", verifier.kind == .timed ? "timed" : "plain")
                $0.field("key", "\(verifier)")
            }
        }
    }

    /// Makes a file that has its name only once it is whole.
    func write(_ bytes: [UInt8], to path: String) throws {
        let file = try NewFile(path)
        try file.write(bytes)
        try file.finish()
    }

    /// `1,024 events`.
    func events(_ count: UInt64) -> String { Wording.count(Int(clamping: count), "event") }

    /// The verifier keys that `--key` gives, or what its file holds, one a line.
    func verifiers(_ option: String = "key") throws -> [NoteVerifier] {
        var verifiers: [NoteVerifier] = []
        for value in command.values(option) {
            var lines = [value[...]]
            if NoteVerifier(value) == nil, Files.exists(value) {
                let text = try Files.read(value, limit: Limits.sealFileBytes)
                lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
            }
            for line in lines {
                guard let verifier = NoteVerifier(String(line)) else {
                    throw command.usageError(
                        "--\(option) takes a verifier key, or a file with one a line.",
                        about: option)
                }
                verifiers.append(verifier)
            }
        }
        return verifiers
    }
}
