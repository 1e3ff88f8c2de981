public import Foundation

/// A certificate authority for one test, made by the `openssl` command in a directory.
public struct TestAuthority: Sendable {
    /// Why a certificate could not be made: the command's own words.
    public struct Failure: Error {
        /// What it said.
        public let text: String
    }

    /// A certificate with its key.
    public struct Certificate: Sendable {
        /// The PEM file of the certificate.
        public let file: URL
        /// The PEM file of its key.
        public let key: URL

        /// The certificate's PEM text.
        public func pem() throws -> String { try String(contentsOf: file, encoding: .utf8) }
    }

    private let directory: URL
    /// The root, signed by itself.
    public let root: Certificate

    /// Makes a root that is valid from 2020 to 2049.
    public init(in directory: URL, name: String = "Test Root") throws {
        self.directory = directory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(
            at: self.directory, withIntermediateDirectories: true)
        let file = self.directory.appendingPathComponent("root.pem")
        let key = self.directory.appendingPathComponent("root.key")
        root = Certificate(file: file, key: key)
        try Self.openssl(["genrsa", "-out", key.path, "2048"], in: self.directory)
        try Self.openssl(
            [
                "req", "-new", "-key", key.path, "-subj", "/CN=\(name)", "-out",
                self.directory.appendingPathComponent("root.csr").path,
            ], in: self.directory)
        try sign(
            "root.csr", by: nil, to: file, from: "20200101000000Z", until: "20491231000000Z",
            extensions: "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n")
    }

    /// Makes a certificate for these names, signed by the root or by another authority of it.
    public func issue(
        _ name: String, names: [String]? = nil, from: String = "20200101000000Z",
        until: String = "20490101000000Z", isAuthority: Bool = false, by issuer: Certificate? = nil,
        bits: Int = 2048
    ) throws -> Certificate {
        let id = UUID().uuidString
        let file = directory.appendingPathComponent("\(id).pem")
        let key = directory.appendingPathComponent("\(id).key")
        try Self.openssl(["genrsa", "-out", key.path, "\(bits)"], in: directory)
        try Self.openssl(
            [
                "req", "-new", "-key", key.path, "-subj", "/CN=\(name)", "-out",
                directory.appendingPathComponent("\(id).csr").path,
            ], in: directory)
        let list = (names ?? [name]).map { $0.first?.isNumber == true ? "IP:\($0)" : "DNS:\($0)" }
        let alternatives =
            list.isEmpty ? "" : "subjectAltName=\(list.joined(separator: ","))\n"
        try sign(
            "\(id).csr", by: issuer ?? root, to: file, from: from, until: until,
            extensions: isAuthority
                ? "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n"
                : "basicConstraints=critical,CA:FALSE\n" + alternatives)
        return Certificate(file: file, key: key)
    }

    private func sign(
        _ request: String, by issuer: Certificate?, to file: URL, from: String, until: String,
        extensions: String
    ) throws {
        let settings = """
            [ca]
            default_ca = d
            [d]
            database = \(directory.path)/index.txt
            new_certs_dir = \(directory.path)
            rand_serial = yes
            unique_subject = no
            default_md = sha256
            policy = p
            [p]
            commonName = supplied
            """
        let (config, more) = (
            directory.appendingPathComponent("ca.cnf"), directory.appendingPathComponent("ext")
        )
        try Data(settings.utf8).write(to: config)
        try Data(extensions.utf8).write(to: more)
        let index = directory.appendingPathComponent("index.txt")
        if !FileManager.default.fileExists(atPath: index.path) { try Data().write(to: index) }
        var words = [
            "ca", "-batch", "-notext", "-config", config.path, "-in",
            directory.appendingPathComponent(request).path, "-out", file.path, "-startdate", from,
            "-enddate", until, "-extfile", more.path,
        ]
        words +=
            issuer.map { ["-cert", $0.file.path, "-keyfile", $0.key.path] }
            ?? ["-selfsign", "-keyfile", directory.appendingPathComponent("root.key").path]
        try Self.openssl(words, in: directory)
    }

    private static func openssl(_ words: [String], in directory: URL) throws {
        let log = directory.appendingPathComponent("errors-\(UUID().uuidString)")
        let child = try ChildProgram(
            "/usr/bin/env", ["openssl"] + words, errors: .file(log.path))
        guard child.wait() == .exit(0) else {
            throw Failure(text: (try? String(contentsOf: log, encoding: .utf8)) ?? "")
        }
    }
}

/// `openssl s_server` with a certificate: answers every request with a page about the connection.
public final class LocalTLSServer: Sendable {
    /// Where it listens.
    public let port: UInt16
    private let server: ChildProgram

    /// Starts it; `chain` follows the certificate.
    public init(_ certificate: TestAuthority.Certificate, chain: URL? = nil) throws {
        let words =
            [
                "openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert",
                certificate.file.path, "-key", certificate.key.path,
            ] + (chain.map { ["-cert_chain", $0.path] } ?? [])
        server = try ChildProgram("/usr/bin/env", words, output: .pipe)
        var text = ""
        while !text.contains("\n") || !text.contains("ACCEPT") || text.last != "\n" {
            guard let data = server.output?.availableData, !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
        guard let line, let digits = line.split(separator: ":").last, let port = UInt16(digits)
        else { throw TestAuthority.Failure(text: text) }
        self.port = port
    }
}
