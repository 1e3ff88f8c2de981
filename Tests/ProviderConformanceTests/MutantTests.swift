import CheckoutModel
import Foundation
import ProviderConformance
import ProviderKit
import TestSupport
import Testing

@Suite("The checks see what is wrong with an adapter")
struct MutantTests {
    static func report(_ fault: Fault?) throws -> ConformanceReport {
        let name = fault == .wrongVectors ? "providers/stripe.json" : "reference-provider.json"
        return try ConformanceReport(
            checking: ReferenceFixtures(fault), vectors: [UInt8](Vectors.own(name)))
    }

    @Test("A sound adapter with every capability passes every check, and none is left out")
    func sound() throws {
        let report = try Self.report(nil)
        for finding in report.findings { Issue.record("\(finding)") }
        let skipped = report.results.filter { $0.verdict == .notApplicable }
        #expect(skipped.map(\.check.code) == [])
        #expect(report.results.allSatisfy { $0.verdict != .held || $0.expectations > 0 })
        #expect(report.isSound)
    }

    /// Each fault with the checks that must see it.
    static let caught: [Fault: Set<String>] = [
        .takesHostSuffix: ["PC-U03"], .takesHTTP: ["PC-U02"], .takesUserInfo: ["PC-U04"],
        .takesAnyPort: ["PC-U05"], .takesRootDot: ["PC-U06"], .takesFragment: ["PC-U10"],
        .takesEmptyID: ["PC-U08"], .takesDotSegments: ["PC-U09"], .takesLookAlikes: ["PC-U07"],
        .takesEverything: ["PC-U03", "PC-X04"], .forgetsTestHost: ["PC-U01"],
        .trustsLanding: ["PC-R04", "PC-X05"], .trustsUnknownWords: ["PC-R01", "PC-R03"],
        .takesLastValue: ["PC-R05"], .decodesTwice: ["PC-R06"], .takesTemplate: ["PC-R07"],
        .takesOtherSession: ["PC-R08", "PC-R11"], .forgetsWord: ["PC-R02", "PC-R09"],
        .leavesStatusUnsigned: ["PC-R10"], .takesReturnPrefix: ["PC-R11"],
        .readsReturnsAtRandom: ["PC-X05"],
        .coversNothing: ["PC-W01", "PC-W02", "PC-W09", "PC-W10", "PC-X02"],
        .coversPrefix: ["PC-W09", "PC-X02"], .takesSignaturePrefix: ["PC-W05"],
        .repairsSignatures: ["PC-W04"],
        .ignoresTimestamp: ["PC-W02", "PC-W15"], .allowsAnyAge: ["PC-W02", "PC-W15"],
        .lowersBody: ["PC-W01", "PC-W03"], .trimsBody: ["PC-W09"], .takesFirstHeader: ["PC-W07"],
        .minesHeaderCase: ["PC-W08"], .takesFirstSignature: ["PC-W11"],
        .demandsOneVersion: ["PC-W11"], .hintsAtAnything: ["PC-W16"],
        .checksWithBothKeys: ["PC-W09", "PC-W10"],
        .countsInFloats: ["PC-E08"], .readsExponents: ["PC-E08"], .guessesCurrency: ["PC-E09"],
        .changesKey: ["PC-E02"], .sharesKey: ["PC-E03", "PC-E04"], .sharesIdentity: ["PC-E03"],
        .throwsUnknownTypes: ["PC-E05", "PC-W01"], .readsFirstItem: ["PC-E04"],
        .refundFailsPayment: ["PC-E01", "PC-E11"],
        .refundPaysAgain: ["PC-E01", "PC-O03"], .countsFees: ["PC-E07", "PC-O02"],
        .disputeCancelsPayment: ["PC-E01", "PC-E11"], .swapsIDs: ["PC-E12"],
        .mixesModes: ["PC-E10"], .thanksForForgeries: ["PC-E06"],
        .refusesUnknownTypes: ["PC-E06"], .believesNoise: ["PC-X03"],
        .forgetsRefunds: ["PC-E01"],
        .unknownStatusFails: ["PC-Q02"], .notFoundFails: ["PC-Q03"], .troubleFails: ["PC-Q03"],
        .cutOffFails: ["PC-Q04", "PC-X06"], .takesOtherObject: ["PC-Q05"],
        .unauthorisedFails: ["PC-Q06"], .putsSecretInURL: ["PC-Q07"],
        .plansHTTP: ["PC-Q07", "PC-Q09"], .leavesIDsUnescaped: ["PC-Q08"],
        .makesKeys: ["PC-Q10"], .forgetsSession: ["PC-Q11"], .troubleIsRefusal: ["PC-Q12"],
        .publishesNoise: ["PC-Q13"], .capturesWithoutKey: ["PC-Q14"],
        .capturesInTrouble: ["PC-Q15"],
        .remembers: ["PC-X07", "PC-O01"], .showsSecret: ["PC-X08"],
        .claimsUnshown: ["PC-X09", "PC-W16"], .wrongVectors: ["PC-X01", "PC-W01", "PC-Q01"],
    ]

    @Test(
        "An adapter with a mistake is refused by the checks that are about it",
        arguments: Fault.allCases)
    func mutant(_ fault: Fault) throws {
        let codes = Set(try Self.report(fault).findings.map(\.code))
        let wanted = try #require(Self.caught[fault], "no check is named for \(fault)")
        #expect(wanted.isSubset(of: codes), "\(fault) was seen by \(codes.sorted())")
        #expect(!wanted.isEmpty)
    }

    /// Checks that no adapter can fail while the kit verifies, because plans cannot say so; they
    /// guard the kit, and a fault of the kit's would be seen.
    static let kept: Set<String> = ["PC-W06", "PC-W12", "PC-W13", "PC-W14"]

    @Test("Every check is failed by some mistake, or guards what plans cannot express")
    func everyCheck() {
        let seen = Self.caught.values.reduce(into: Self.kept) { $0.formUnion($1) }
        let bare: Set<String> = ["PC-X10"]  // by the adapter below
        for check in ConformanceCheck.all where !seen.contains(check.code) {
            #expect(bare.contains(check.code), "nothing fails \(check.code)")
        }
    }

    @Test("An adapter that cannot be registered is refused before all else")
    func unregistrable() throws {
        let report = try ConformanceReport(
            checking: BareFixtures(), vectors: Array(#"{"provider": "Bare Pay"}"#.utf8))
        #expect(report.findings.map(\.code) == ["PC-X10", "PC-X10", "PC-X10"])
        #expect(report.results.count { $0.verdict == .notApplicable } > 50)
    }

    @Test("A vector file that cannot be read is a finding and never a trap")
    func vectorFiles() throws {
        for text in ["", "[]", "{", #"{"provider": 7}"#, #"{"webhook": [], "returns": 1}"#] {
            let report = try ConformanceReport(
                checking: ReferenceFixtures(), vectors: Array(text.utf8))
            #expect(report.findings.contains { $0.code == "PC-X01" })
            #expect(report.findings.contains { $0.code == "PC-X09" })
        }
        let misspelt = ConformanceVectors(
            json: Array(#"{"provider": "x", "webhook": {"tolerance": 5, "_why": 1}}"#.utf8))
        #expect(
            misspelt.problems == [
                "webhook.toleranceSeconds is missing",
                "webhook.tolerance is no member that a vector file has",
            ])
    }

    @Test("The table gives each check one code, one sentence and one hint")
    func table() {
        let checks = ConformanceCheck.all
        #expect(Set(checks.map(\.code)).count == checks.count)
        for check in checks {
            #expect(check.code.wholeMatch(of: /PC-[URWEQXO][0-9]{2}/) != nil)
            #expect(check.code.dropFirst(3).hasPrefix(check.group.rawValue))
            #expect(check.meaning.hasSuffix(".") && check.hint.hasSuffix("."))
            #expect(check.meaning.count <= 80 && check.hint.count <= 90, "\(check.code)")
        }
    }
}

/// An adapter that can do nothing, and is described badly.
struct BareProvider: PaymentProvider {
    static let descriptor = ProviderDescriptor(
        id: "Bare Pay", name: "", adapterVersion: "1",
        secretRules: [SecretRule(role: .webhook, encoding: .utf8, minimumBytes: 0)])

    var checkoutURLRules: [CheckoutURLRule] { [] }

    init(configuration: NoConfiguration = NoConfiguration()) {}
}

struct BareFixtures: ProviderFixtures {
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> BareProvider {
        BareProvider()
    }
}
