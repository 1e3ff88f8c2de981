import Cryptography
import Foundation
import TestSupport
import Testing

/// A ledger that was told private and forbidden things by every way in, and what was printed.
///
/// The values occur nowhere else: finding one anywhere means that it was written there.
final class CanaryShop {
    static let pan = "45399458" + "07302151"
    static let code = "8264"
    static let key = "sk_" + "live_" + "Canary0Canary1Canary2"
    static let secretBytes = Array("canary-webhook-secret-0123456789".utf8)
    static let secret = "whsec_" + Base64.encode(secretBytes)
    static let token = "canary-token-of-the-dashboard-0123456789"
    static let address = "canary.mail@birdcage.example"
    static let customer = "Canaria Birdsong"
    static let license = "CANARY-LICENCE-0001"
    static let text = "card \(pan) cvv: \(code) key \(key) and \(secret), write to \(address)"

    /// What may be printed nowhere and stand in no file.
    static let forbidden = [
        ("card number", pan), ("API key", key), ("webhook secret", secret), ("token", token),
        ("address", address), ("name", customer), ("licence key", license),
        ("security code", "cvv: \(code)"), ("track", ";\(pan)="),
    ]

    let program: WritingProgram
    /// Each run's words and what it printed that it must not.
    private(set) var leaks: [String] = []

    init(_ program: WritingProgram) throws {
        self.program = program
        try FileManager.default.createDirectory(
            atPath: program.path("in"), withIntermediateDirectories: true)
        try privately("in/secret", Self.secret + "\n")
        try privately("in/token", Self.token + "\n")
        try privately(
            "in/config.json",
            #"{"providers":{"dodo":{"mode":"test","secretFile":"secret"}},"#
                + #""server":{"tokenFile":"token"}}"#)
    }

    private func privately(_ name: String, _ text: String) throws {
        try program.write(name, text)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: program.path(name))
    }

    /// Runs a line, with values in the place of `{…}`; its exit code must be one of `codes`.
    @discardableResult
    func run(_ line: String, _ codes: Set<Int32> = [0]) throws -> WritingProgram.Run {
        let run = try program.run(Self.words(line))
        #expect(codes.contains(run.exitCode), "\(line): \(run.exitCode) \(run.errors)")
        for (place, printed) in [("standard output", run.text), ("standard error", run.errors)] {
            leaks += Self.sightings(in: printed).map { "\($0) on \(place) of '\(line)'" }
        }
        return run
    }

    private static func words(_ line: String) -> [String] {
        let values = [
            "{text}": text, "{pan}": pan, "{track}": ";\(pan)=29121010000012345678?",
            "{address}": address, "{key}": key, "{license}": license,
        ]
        return line.split(separator: " ").map { word in
            values.reduce(String(word)) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
        }
    }

    static func sightings(in text: String) -> [String] {
        forbidden.filter { text.contains($0.1) }.map(\.0)
    }

    /// A body as Dodo sends it, with everything in it.
    static func payment(_ number: Int) -> String {
        #"{"business_id":"bus","type":"payment.succeeded","timestamp":"2026-03-04T05:06:05Z","#
            + #""data":{"payload_type":"Payment","payment_id":"pay_\#(number)","#
            + #""checkout_session_id":"cks_\#(number)","status":"succeeded","total_amount":2500,"#
            + #""currency":"EUR","customer":{"customer_id":"cus_\#(number)","#
            + #""email":"\#(address)","name":"\#(customer)"},"license_key":"\#(license)","#
            + #""metadata":{"note":"\#(text)","n":\#(pan),"cvv":"\#(code)"}}}"#
    }

    /// The header lines of a webhook that verifies at that second.
    static func headers(_ body: String, id: String, at now: Int) -> [(String, String)] {
        let code = HMACKey(sha256: secretBytes).authenticate(Array("\(id).\(now).\(body)".utf8))
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(now)"),
            ("webhook-signature", "v1,\(Base64.encode(code))"),
            ("authorization", "Bearer \(key)"), ("x-note", text),
        ]
    }

    static let configured = "--config in/config.json"
    private static let webhook = "webhook --provider dodo --at 1772600767 \(configured)"

    /// Tells the ledger everything.
    func tell() throws {
        for number in 1...3 {
            let body = Self.payment(number)
            try program.write("in/b\(number)", body)
            let lines = Self.headers(body, id: "msg_\(number)", at: 1_772_600_767)
                .map { "\($0.0): \($0.1)\r\n" }
            try program.write("in/h\(number)", lines.joined())
        }
        try program.write("in/other", Self.text)
        try program.write(
            "in/lines.jsonl",
            #"{"type":"note.added","provider":"dodo","session":"cks_4","reason":"\#(Self.text)"}"#
                + "\n"
                + #"{"free":"\#(Self.text)","customer":{"name":"\#(Self.customer)","#
                + #""email":"\#(Self.address)"}}"# + "\n")
        try program.write(
            "in/bad.jsonl",
            #"{"type":"note.added","provider":"dodo","session":"cks_4","cvv":"\#(Self.code)"}"#
                + "\n" + #"{"type":"\#(Self.text)"# + "\n")
        for (line, codes) in Self.ways { try run(line, codes) }
    }

    /// Every way in, with the exit codes that it may end with.
    private static let ways: [(String, Set<Int32>)] = [
        ("init \(configured)", [0]),
        ("record \(webhook) --headers-file in/h1 --body-file in/b1", [0]),
        ("record \(webhook) --headers-file in/h2 --body-file in/b2", [0]),
        ("record \(webhook) --headers-file in/h3 --body-file in/b3", [0]),
        // Another body under a known signature, and one that is no event.
        ("record \(webhook) --headers-file in/h1 --body-file in/b2", [1]),
        ("record \(webhook) --headers-file in/h1 --body-file in/other", [1]),
        (
            "record session --provider dodo --session cks_4 --amount 25.00 --currency EUR "
                + configured, [0]
        ),
        ("record session --provider dodo --session {pan}", [1]),
        ("record session --provider dodo --session cks_4 --customer {address}", [1]),
        (
            "record return-url shop://back?status=succeeded&email={address}&license_key={license}"
                + "&note={pan}#key={key} --provider dodo --session cks_4", [0]
        ),
        ("record event in/lines.jsonl \(configured)", [0]),
        ("record event in/lines.jsonl --json \(configured)", [0]),
        ("record event in/bad.jsonl \(configured)", [1]),
        ("import in/lines.jsonl \(configured)", [0]),
        ("import in/bad.jsonl \(configured)", [1]),
        ("note cks_4 {text} --actor {address} \(configured)", [0]),
        ("note cks_4 {track} \(configured)", [1]),
        ("resolve cks_4 --outcome failed --reason {text} --actor ada \(configured)", [0]),
        ("handle-url shop://back?status=failed&email={address}&x={pan} \(configured)", [0, 1]),
        ("explain \(webhook) --headers-file in/h1 --body-file in/b1", [0]),
        ("explain \(webhook) --headers-file in/h1 --body-file in/other --json", [0]),
    ]

    /// Every command that says something of a ledger; those that serve, wait or ask others are told
    /// apart in the test.
    static let questions: [(String, Set<Int32>)] = [
        ("sessions", [0]), ("sessions --json", [0]), ("timeline cks_1 -v", [0]),
        ("timeline cks_1 --json", [0]), ("timeline cks_4 -v", [0]), ("timeline cks_4 --json", [0]),
        ("abandoned --json", [0]), ("abandoned", [0]), ("outcomes", [0]), ("outcomes --json", [0]),
        ("discrepancies", [0]), ("discrepancies --json", [0]), ("events", [0]),
        ("events --json", [0]), ("events --at 0", [0]), ("events --at 0 --json", [0]),
        ("webhooks list", [0]), ("webhooks list --json", [0]), ("webhooks show msg_1", [0]),
        ("webhooks show msg_1 --json", [0]), ("webhooks show msg_1 \(configured)", [0]),
        // What was masked cannot be looked at again.
        ("webhooks explain msg_1 \(configured)", [1]),
        ("as-of @3 cks_1", [0]), ("as-of @3 cks_1 --json", [0]), ("stats", [0]),
        ("stats --json", [0]), ("verify", [0]), ("verify --json", [0]), ("seal", [0]),
        ("prove --position 0 --out p.proof --record-out p.record", [0]),
        ("prove-growth --from 1 --out growth", [0]), ("keys show", [0]),
        ("keys new --name birds.example/log --out new.key", [0]),
        ("audit list", [0]), ("audit run Q1 --session cks_1", [0]),
        ("audit export all.csv --reason {text} --by {address} --actor {address}", [0]),
        ("audit export all.jsonl --format jsonl", [0]), ("replay", [0]), ("doctor", [0]),
        ("doctor \(configured)", [0]), ("providers list", [0]), ("export ledger.jsonl", [0]),
        ("backup copy.ledger --with-keys copy.keys", [0]),
        ("reconcile --all \(configured)", [0, 4, 5]),
        ("resend msg_1 --to http://127.0.0.1:9/", [1]),
        ("privacy find {address}", [0]), ("privacy find {address} --json", [0]),
        ("privacy status --fields", [0]), ("privacy status --fields --json", [0]),
        ("privacy link cks_4 cus_4 --reason {text} --actor {address}", [0]),
        ("privacy hold cks_2 --reason {text} --actor {address}", [0]),
        ("privacy erase cks_2 --yes --reason {text}", [1]),
        ("privacy erase cks_1 --dry-run", [0]),
        (
            "privacy erase cks_1 --yes --reason {text} --actor {address} --ground {address} "
                + "--copy {address}", [0]
        ),
        ("privacy erase cks_1 --yes --json", [0]), ("privacy status", [0]),
        ("privacy status --json", [0]), ("privacy sweep --contact 1d --yes", [0]),
        ("privacy rotate --yes --reason {text}", [0]),
        ("timeline cks_1 --private", [0]), ("timeline cks_1 -v", [0]), ("events --json", [0]),
        ("recover --new-epoch --reason {text}", [0]),
    ]

    static let allLines = (ways + questions).map(\.0) + ["privacy receipt", "verify-export"]

    /// Where canaries stand in files below the program's directory, input aside.
    func sightingsInFiles() throws -> [String] {
        var found: [String] = []
        let names = FileManager.default.enumerator(atPath: program.directory.path)
        for case let name as String in names ?? .init() {
            // What was told, and what runs printed, which is looked at line by line.
            let isTold = name.hasPrefix("in/") || name.hasSuffix(".out") || name.hasSuffix(".err")
            guard !isTold, let data = FileManager.default.contents(atPath: program.path(name))
            else { continue }
            for (value, text) in Self.forbidden + [("raw secret", "canary-webhook-secret-0123")] {
                for form in Self.forms(text) where data.range(of: form) != nil {
                    found.append("\(value) in \(name)")
                }
            }
        }
        return found
    }

    /// As it is, in hexadecimal digits, and in base 64 at each of its three alignments.
    private static func forms(_ text: String) -> [Data] {
        let bytes = Array(text.utf8)
        let encoded = (0..<3).map { shift in
            Base64.encode([UInt8](repeating: 0, count: shift) + bytes)
                .dropFirst(shift == 0 ? 0 : 4).dropLast(4)
        }
        return ([text, Hex.encode(bytes)] + encoded.map { String($0) }).map { Data($0.utf8) }
    }
}
