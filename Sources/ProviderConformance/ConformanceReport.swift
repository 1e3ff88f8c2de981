public import CheckoutModel
import ProviderKit

/// What became of all checks of one adapter.
public struct ConformanceReport: Sendable {
    /// Whose adapter.
    public let provider: ProviderID
    /// One result a check, in the order of the table.
    public let results: [CheckResult]

    /// Everything that is wrong, in the order of the table.
    public var findings: [Finding] { results.flatMap(\.findings) }

    /// True when nothing is wrong.
    public var isSound: Bool { findings.isEmpty }

    /// How many checks of a group held, failed and did not apply.
    public func tally(_ group: ConformanceCheck.Group) -> (held: Int, failed: Int, skipped: Int) {
        let own = results.filter { $0.check.group == group }
        return (
            held: own.count { $0.verdict == .held }, failed: own.count { $0.verdict == .failed },
            skipped: own.count { $0.verdict == .notApplicable }
        )
    }
}

/// What became of one check.
public struct CheckResult: Sendable, Hashable {
    /// Which.
    public let check: ConformanceCheck
    /// What became of it.
    public let verdict: Verdict
    /// What is wrong; at most ``Limits/findingsPerCheck``, empty unless it failed.
    public let findings: [Finding]
    /// Why it does not apply; nil when it does.
    public let reason: String?
    /// How many single expectations it looked at.
    public let expectations: Int

    /// What can become of a check.
    public enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// Everything was as expected.
        case held
        /// Something was not.
        case failed
        /// The adapter does not claim what the check is about.
        case notApplicable = "not_applicable"
    }
}

/// Something an adapter does that the contract forbids, or does not do that it asks for.
///
/// Carries made-up data of the checks only.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The check's stable name.
    public let code: String
    /// How bad it is.
    public let severity: Severity
    /// What the contract asks for.
    public let expected: String
    /// What the adapter did.
    public let happened: String
    /// What to do about it.
    public let hint: String

    /// For programs that find what no check can look at, such as missing fixtures.
    package init(
        code: String, severity: Severity, expected: String, happened: String, hint: String
    ) {
        self.code = code
        self.severity = severity
        self.expected = expected
        self.happened = happened
        self.hint = hint
    }

    /// How bad a finding is.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// The ledger could believe what is not true, or a secret could get out.
        case unsafe
        /// Something is lost, misread, or not shown to work.
        case wrong
    }

    /// Everything on one line.
    public var description: String {
        "\(code) (\(severity.rawValue)): expected \(expected); \(happened). \(hint)"
    }
}
