import Cryptography
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a root key comes from; decides how far an erasure can go.
public enum RootKeySource: Sendable, Hashable {
    /// A file of mode 0600. The program can replace the key in it: erasure reaches
    /// `root-replaced`, and is as strong as overwriting a file on that medium.
    case file(String)
    /// A systemd credential, by name, in the directory that `CREDENTIALS_DIRECTORY` names.
    ///
    /// The program cannot change it. While it holds a second line, keys are wrapped under that.
    case credential(String)
    /// A program and its arguments; it prints the key, such as a client of a key service.
    ///
    /// As for a credential. Run without a shell; the program is named by its whole path.
    case command([String])

    /// The word that receipts use.
    public var kind: String {
        switch self {
        case .file: "file"
        case .credential: "credential"
        case .command: "command"
        }
    }

    /// What this source lets an erasure promise, in one sentence.
    public var promise: String {
        switch self {
        case .file:
            "An erasure replaces and overwrites the key in it; what the disk keeps is not known."
        case .credential, .command:
            "An erasure is final once the key's owner has removed the old key from the \(kind)."
        }
    }

    /// The keys it gives now; none where there is no file or credential.
    ///
    /// Throws `MALFORMED_KEY`, `FILE_FAILED`, and `ROOT_KEY_MISSING` when a command fails.
    func read(_ environment: [String: String]) throws(LedgerError) -> [RootKey] {
        switch self {
        case .file(let path): return try RootKey.readAll(path)
        case .command(let words):
            return try RootKey.parse(
                try ProgramOutput.read(words), from: "output of \(words.first ?? "")")
        case .credential(let name):
            guard !name.isEmpty, !name.contains("/"), name.first != ".",
                let directory = environment["CREDENTIALS_DIRECTORY"], directory.hasPrefix("/"),
                Files.exists("\(directory)/\(name)")
            else { return [] }
            // systemd keeps the directory to the service alone; a mode of 0440 is usual there.
            return try RootKey.parse(
                try Files.readSecret("\(directory)/\(name)", limit: Limits.rootKeyBytes),
                from: "credential \(name)")
        }
    }
}

/// The root keys of a ledger as its source gives them, read when they are first needed.
final class RootKeyring: Sendable {
    /// Nil for a ledger in memory.
    private let source: RootKeySource?
    private let environment: [String: String]
    private let held: Mutex<[RootKey]?>

    init(_ source: RootKeySource, environment: [String: String] = [:]) {
        self.source = source
        self.environment = environment
        held = Mutex(nil)
    }

    /// One key that is nowhere else.
    init(inMemory key: RootKey) {
        source = nil
        environment = [:]
        held = Mutex([key])
    }

    /// The word that receipts use.
    var kind: String { source?.kind ?? "memory" }

    /// What it lets an erasure promise, in one sentence.
    var promise: String { source?.promise ?? "Nothing is kept of it." }

    /// True where this program can put another key in the place of the old one.
    var canReplace: Bool {
        switch source {
        case .file, nil: true
        case .credential, .command: false
        }
    }

    /// The keys, the one in use first; throws `ROOT_KEY_MISSING` when there is none.
    func keys() throws(LedgerError) -> [RootKey] {
        if let held = held.withLock({ $0 }) { return held }
        return try reload()
    }

    /// Asks the source again: another process may have replaced the key.
    @discardableResult
    func reload() throws(LedgerError) -> [RootKey] {
        guard let source else { return held.withLock { $0 } ?? [] }
        let keys = try source.read(environment)
        guard !keys.isEmpty else { throw Self.missing }
        held.withLock { $0 = keys }
        return keys
    }

    /// Makes the first key of a ledger, where the source takes one; false where it has one.
    func makeFirst() throws(LedgerError) {
        guard case .file(let path) = source, !Files.exists(path) else { return }
        let key = RootKey.generate()
        try key.write(to: path)
        held.withLock { $0 = [key] }
    }

    /// Opens what one of the keys wraps; nil when none of them does.
    func unwrap(_ wrapped: [UInt8], name: [UInt8]) throws(LedgerError) -> SecretBytes? {
        for key in try keys() {
            if let secret = key.unwrap(wrapped, name: name) { return secret }
        }
        for key in try reload() {
            if let secret = key.unwrap(wrapped, name: name) { return secret }
        }
        return nil
    }

    /// The key that the rows are wrapped with; the first one where nothing is wrapped yet.
    func current(opening rows: any KeyRows) throws(LedgerError) -> RootKey? {
        try rows.follow()
        let name = KeystoreLayout.bucket(0)
        guard let wrapped = try rows.value(name) else { return try keys().first }
        for key in try reload() where key.unwrap(wrapped, name: name) != nil { return key }
        throw Self.wrong
    }

    /// The key to wrap under from now on: the source's second one, which a file is given here;
    /// nil where the source has no other.
    func prepareSuccessor(of old: RootKey) throws(LedgerError) -> RootKey? {
        let keys = try keys()
        if keys.count == 2, keys[0].fingerprint == old.fingerprint { return keys[1] }
        switch source {
        case nil: return RootKey.generate()
        case .credential, .command: return nil
        case .file(let path):
            // An earlier one that got its rows but was not left alone comes to its end first.
            if keys.count == 2 { _ = try finish(with: old) }
            let new = RootKey.generate()
            _ = try Files.replaceSecret(path, RootKey.text([old, new]))
            held.withLock { $0 = [old, new] }
            return new
        }
    }

    /// True while a file holds an old key beside the new one.
    var hasTwoKeys: Bool {
        guard case .file = source else { return false }
        return ((try? keys()) ?? []).count == 2
    }

    /// Takes a second key out of the file that a crash left there.
    func removeLeftover(opening rows: any KeyRows) throws(LedgerError) {
        guard case .file = source, try keys().count == 2, let key = try current(opening: rows)
        else { return }
        _ = try finish(with: key)
    }

    /// Leaves only the new key; true when the bytes of the old one were overwritten.
    func finish(with new: RootKey) throws(LedgerError) -> Bool {
        if case .file(let path) = source {
            let isOverwritten = try Files.replaceSecret(path, RootKey.text([new]))
            held.withLock { $0 = [new] }
            return isOverwritten
        }
        if source == nil { held.withLock { $0 = [new] } }
        return source == nil
    }

    static let missing = LedgerError(
        .rootKeyMissing, "The root key of this ledger is not here.",
        hint: "Name its file with --root-key; private fields cannot be kept without it.")

    static let wrong = LedgerError(
        .malformedKey, "The root key does not open this ledger's keys.",
        hint: "Name the right one with --root-key.")
}

extension Files {
    /// Puts other bytes in the place of a secret file, mode 0600, flushed.
    ///
    /// Then writes zeros over the old bytes where they stood; true when that was done.
    static func replaceSecret(_ path: String, _ bytes: SecretBytes) throws(LedgerError) -> Bool {
        let old = open(path, O_WRONLY | O_CLOEXEC)
        defer { if old >= 0 { close(old) } }
        let unfinished = path + ".unfinished"
        if overwrite(unfinished) { unlink(unfinished) }
        try writeNew(unfinished, bytes)
        guard rename(unfinished, path) == 0 else { throw failure("replace", path) }
        try flushDirectory(parent(of: path))
        return old >= 0 && overwrite(old)
    }
}
