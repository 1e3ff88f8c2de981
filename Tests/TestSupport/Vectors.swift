public import Foundation

/// Where test vectors are read from.
///
/// Nothing here knows what a vector means.
public enum Vectors {
    /// The project's own vectors, committed beside the tests.
    public static func own(_ name: String) throws -> Data {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try Data(
            contentsOf: here.deletingLastPathComponent().appendingPathComponent("Vectors/\(name)"))
    }

    /// Vectors of public suites, which are not committed: the folder is named by the environment
    /// variable `CHECKOUT_LEDGER_VECTORS`.
    ///
    /// Nil when it is unset; the caller says so.
    public static func upstream(_ name: String) throws -> Data? {
        guard let folder = ProcessInfo.processInfo.environment["CHECKOUT_LEDGER_VECTORS"] else {
            return nil
        }
        return try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(name))
    }

    /// True when `CHECKOUT_LEDGER_VECTORS` names a folder.
    public static var hasUpstream: Bool {
        ProcessInfo.processInfo.environment["CHECKOUT_LEDGER_VECTORS"] != nil
    }
}
