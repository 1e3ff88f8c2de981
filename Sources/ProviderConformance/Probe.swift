import CheckoutModel
import ProviderKit

/// Collects what one check sees.
struct Probe {
    let check: ConformanceCheck
    private(set) var findings: [Finding] = []
    private(set) var expectations = 0
    private(set) var reason: String?

    init(_ check: ConformanceCheck) { self.check = check }

    /// Looks at one thing; the texts are made only when it is not as it should be.
    mutating func expect(
        _ holds: Bool, _ expected: @autoclosure () -> String, _ happened: @autoclosure () -> String
    ) {
        expectations += 1
        guard !holds, findings.count < Limits.findingsPerCheck else { return }
        findings.append(
            Finding(
                code: check.code, severity: check.severity, expected: expected(),
                happened: happened(), hint: check.hint))
    }

    /// Says why there is nothing to look at.
    mutating func skip(_ reason: String) { self.reason = reason }

    /// A check that looked at nothing has not held.
    consuming func result() -> CheckResult {
        if expectations == 0 && reason == nil {
            expect(false, "something to check", "there was nothing that it could look at")
        }
        let verdict: CheckResult.Verdict =
            !findings.isEmpty ? .failed : expectations == 0 ? .notApplicable : .held
        return CheckResult(
            check: check, verdict: verdict, findings: findings,
            reason: verdict == .notApplicable ? reason : nil, expectations: expectations)
    }
}
