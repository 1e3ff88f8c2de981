public import Foundation

/// A new empty directory, removed when `body` ends.
public func withTemporaryDirectory<R>(_ body: (URL) throws -> R) throws -> R {
    let directory = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory)
}

/// The same for a body that suspends.
public func withTemporaryDirectory<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> R
) async throws -> R {
    let directory = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}

private func makeTemporaryDirectory() throws -> URL {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("checkout-ledger-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory
}
