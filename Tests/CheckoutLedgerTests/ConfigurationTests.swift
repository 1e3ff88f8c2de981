import CheckoutLedger
import CheckoutModel
import DodoPayments
import Foundation
import ProviderKit
import Stripe
import TestSupport
import Testing

@Suite("The configuration of an installation")
struct ConfigurationTests {
    private static let types: [any PaymentProvider.Type] = [
        DodoPaymentsProvider.self, StripeProvider.self,
    ]
    private static let webhook = Fixture.secret
    private static let key = "dodo_key_0123456789abcdef"

    private func read(
        _ text: String, files: [String: String] = [:], variables: [String: String] = [:],
        permissions: UInt16 = 0o600
    ) throws(ConfigurationError) -> LedgerConfiguration {
        let sources = ConfigurationSources(
            file: { (name) throws(LedgerError) in
                guard let text = files[name] else {
                    throw LedgerError(.fileFailed, "Cannot read \(name): no such file.")
                }
                return Array(text.utf8)
            }, permissions: { files[$0] == nil ? nil : permissions },
            variable: { variables[$0] })
        return try .read(Array(text.utf8), providers: Self.types, from: sources)
    }

    /// The problems as `kind path`.
    private func problems(
        _ text: String, files: [String: String] = [:], variables: [String: String] = [:]
    ) -> [String] {
        do throws(ConfigurationError) {
            _ = try read(text, files: files, variables: variables)
            return []
        } catch {
            return error.problems.map { "\($0.kind.rawValue) \($0.path)" }
        }
    }

    @Test("One account stands in the short form, without a name")
    func shortForm() throws {
        let configuration = try read(
            #"""
            {"providers": {"dodo": {"mode": "test", "secretFile": "hooks", "apiKeyEnvironment": "K",
              "businessID": "bus_1"}}}
            """#, files: ["hooks": Self.webhook + "\n"], variables: ["K": Self.key])
        let account = try #require(configuration.accounts.first)
        #expect(account.scope == AccountScope("dodo", mode: .test))
        #expect(account.secrets.count(.webhook) == 1 && account.secrets.count(.apiKey) == 1)
        #expect(account.canBeAsked)
        #expect(configuration.warnings.isEmpty)
        let provider = try #require(account.provider as? DodoPaymentsProvider)
        #expect(provider.account == "bus_1")
    }

    @Test("Several accounts of one provider keep apart, and a session finds its own")
    func severalAccounts() throws {
        let configuration = try read(
            #"""
            {"providers": {
              "dodo": {"accounts": {
                "eu": {"mode": "live", "webhookSecretFile": ["a", "b"]},
                "us": {"mode": "test", "apiKeyFile": "k"}}},
              "stripe": {"apiKeyFile": "s"}}}
            """#,
            files: [
                "a": Self.webhook, "b": "\(Self.webhook)\r\n\n\(Self.webhook)\n", "k": Self.key,
                "s": "sk_test_0123456789abcdef",
            ])
        #expect(
            configuration.accounts.map(\.scope) == [
                AccountScope("dodo", account: "eu", mode: .live),
                AccountScope("dodo", account: "us", mode: .test), AccountScope("stripe"),
            ])
        #expect(configuration.accounts.map { $0.secrets.count(.webhook) } == [3, 0, 0])
        #expect(configuration.accounts.map(\.canBeAsked) == [false, true, true])
        let cases: [(AccountScope, AccountScope?)] = [
            (AccountScope("dodo", account: "eu"), configuration.accounts[0].scope),
            (AccountScope("dodo", account: "eu", mode: .live), configuration.accounts[0].scope),
            (AccountScope("dodo", account: "eu", mode: .test), nil),
            (AccountScope("dodo"), nil), (AccountScope("paypal"), nil),
            (AccountScope("stripe", mode: .live), configuration.accounts[2].scope),
        ]
        for (scope, expected) in cases {
            #expect(configuration.account(for: scope)?.scope == expected)
        }
        let registry = try configuration.registry(of: Self.types)
        #expect(registry.descriptors.map(\.id) == ["dodo", "stripe"])
    }

    @Test("Every mistake is named, with its place")
    func everyMistake() {
        let found = problems(
            #"""
            {"providers": {
              "dodoo": {},
              "dodo": {"accounts": {
                "a": {"mode": "prod", "apiKeyFile": "gone", "bussinessID": "x"},
                "b": {"webhookSecretEnvironment": "UNSET", "toleranceSeconds": -1},
                "c/d": {}, "e": 7,
                "f": {}}},
              "stripe": {"accounts": {"m": {"apiKeyFile": 3}}, "mode": "live"}},
             "netwrok": {}, "network": {"proxy": "http://x", "rootsFile": "",
               "loopback": {"h": "x"}, "y": 1}}
            """#)
        #expect(
            found == [
                "unknown_provider providers.dodoo",
                "invalid_setting providers.dodo.accounts.a.mode",
                "unreadable_file providers.dodo.accounts.a.apiKeyFile",
                "unknown_setting providers.dodo.accounts.a.bussinessID",
                "unset_variable providers.dodo.accounts.b.webhookSecretEnvironment",
                "invalid_setting providers.dodo.accounts.b.toleranceSeconds",
                "invalid_setting providers.dodo.accounts.c/d",
                "invalid_setting providers.dodo.accounts.e",
                "missing_secret providers.dodo.accounts.f",
                "unknown_setting providers.stripe.mode",
                "invalid_setting providers.stripe.accounts.m.apiKeyFile",
                "unknown_setting netwrok",
                "invalid_setting network.proxy", "invalid_setting network.rootsFile",
                "invalid_setting network.loopback.h", "unknown_setting network.y",
            ])
    }

    @Test(
        "A secret that cannot be one is named, and stops the start",
        arguments: [
            ("", "missing_secret"), ("\n\n", "missing_secret"), ("whsec_AAEC", "malformed_secret"),
            (" \(webhook)", "malformed_secret"), ("v1,\(webhook)", "malformed_secret"),
            ("sk_live_0123456789abcdef0123", "malformed_secret"), ("whsec_%%%", "malformed_secret"),
            ("-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----", "malformed_secret"),
        ])
    func malformedSecrets(text: String, kind: String) {
        do throws(ConfigurationError) {
            _ = try read(
                #"{"providers":{"dodo":{"webhookSecretFile":"f"}}}"#, files: ["f": text])
            Issue.record("this is no secret")
        } catch {
            #expect(error.problems.first?.kind.rawValue == kind)
            #expect(error.isAboutSecrets)
            for problem in error.problems {
                #expect(problem.path == "providers.dodo.webhookSecretFile")
                #expect(text.isEmpty || !problem.description.contains(text))
            }
        }
    }

    @Test("Each malformed secret of a file is named by its place in it")
    func malformedLines() {
        do throws(ConfigurationError) {
            _ = try read(
                #"{"providers":{"dodo":{"secretFile":"f"}}}"#,
                files: ["f": "\(Self.webhook)\nwhsec_AAEC\nwhpk_x\n"])
            Issue.record("two of them are none")
        } catch {
            let starts = error.problems.map { $0.message.prefix(16) }
            #expect(starts == ["f: Secret 2 for ", "f: Secret 3 for "])
        }
    }

    @Test("Test and live keys are never mixed")
    func modes() {
        let test = ["k": "sk_test_0123456789abcdef", "l": "sk_live_0123456789abcdef"]
        let cases: [(String, [String])] = [
            (#"{"mode":"test","apiKeyFile":"k"}"#, []), (#"{"mode":"live","apiKeyFile":"l"}"#, []),
            (#"{"apiKeyFile":"k"}"#, []),
            (
                #"{"mode":"live","apiKeyFile":"k"}"#, ["mixed_modes providers.stripe.apiKeyFile"]
            ),
            (
                #"{"mode":"test","apiKeyFile":"l"}"#, ["mixed_modes providers.stripe.apiKeyFile"]
            ),
            (#"{"apiKeyFile":["k","l"]}"#, ["mixed_modes providers.stripe.apiKeyFile"]),
        ]
        for (account, expected) in cases {
            #expect(problems(#"{"providers":{"stripe":\#(account)}}"#, files: test) == expected)
        }
    }

    @Test("A file of secrets that others can read is a warning and no more")
    func permissions() throws {
        let text = #"{"providers":{"dodo":{"secretFile":"f"}}}"#
        for (bits, count) in [(0o600, 0), (0o400, 0), (0o640, 1), (0o604, 1)] as [(UInt16, Int)] {
            let configuration = try read(text, files: ["f": Self.webhook], permissions: bits)
            let expected = Array(repeating: ConfigurationProblem.Kind.openPermissions, count: count)
            #expect(configuration.warnings.map(\.kind) == expected)
            #expect(configuration.accounts.count == 1)
        }
    }

    @Test("Hosts are played on this machine only where no real money is near")
    func loopback() throws {
        let network = #""network":{"loopback":{"Test.dodopayments.com":"http://127.0.0.1:81"}}"#
        let files = ["k": Self.key]
        let configuration = try read(
            #"{"providers":{"dodo":{"mode":"test","apiKeyFile":"k"}},\#(network)}"#, files: files)
        #expect(configuration.network.loopback.map(\.host) == ["test.dodopayments.com"])
        #expect(configuration.network.loopback.map(\.port) == [81])
        for mode in [#""mode":"live","#, ""] {
            let text = #"{"providers":{"dodo":{\#(mode)"apiKeyFile":"k"}},\#(network)}"#
            #expect(problems(text, files: files) == ["mixed_modes network.loopback"])
        }
        for address in [
            "http://10.0.0.1:80", "http://127.0.0.1", "http://127.0.0.1:0", "127.0.0.1:80",
        ] {
            #expect(
                problems(#"{"network":{"loopback":{"h":"\#(address)"}}}"#)
                    == ["invalid_setting network.loopback.h"])
        }
    }

    @Test(
        "What is no configuration at all says where",
        arguments: [
            ("", "line 1"), ("[]", "no JSON object"), ("{\n\"a\": 1,\n}", "line 3"),
            (#"{"providers": {}, "providers": {}}"#, "twice"), ("{ // x\n}", "no JSON"),
            (#"{"providers": {"dodo": {"#, "too early"),
        ])
    func malformedFiles(text: String, words: String) {
        do throws(ConfigurationError) {
            _ = try read(text)
            Issue.record("this is no configuration")
        } catch {
            #expect(error.problems.count == 1)
            #expect(error.problems[0].kind == .malformedFile)
            #expect(error.problems[0].message.contains(words))
            #expect(!error.isAboutSecrets)
        }
    }

    @Test("A misspelt name is answered with the one that was meant")
    func suggestions() {
        do throws(ConfigurationError) {
            _ = try read(
                #"{"provider":{},"providers":{"stripee":{},"dodo":{"apiKeyFiel":"x","zzzzzz":1}}}"#)
            Issue.record("nothing of this is known")
        } catch {
            let hints = error.problems.map(\.hint)
            #expect(hints[0] == "Did you mean 'providers'?")
            #expect(hints[1] == "Did you mean 'stripe'?")
            #expect(hints.contains("Did you mean 'apiKeyFile'?"))
            #expect(hints.contains { $0.hasPrefix("Known are: mode, ") })
        }
    }

    @Test("Secrets of the configuration are masked in what is recorded, and shown nowhere")
    func masking() throws {
        let configuration = try read(
            #"{"providers":{"dodo":{"apiKeyFile":"k"}}}"#, files: ["k": Self.key])
        var event = CheckoutEvent(
            .noteAdded, source: .operator, evidence: .hint, occurredAt: Fixture.now,
            provider: "dodo", ids: ProviderIDs(session: "cks_1"))
        event.reason = "pasted \(Self.key) here"
        #expect(
            try configuration.redactor.redact(event).event.reason == "pasted [secret known] here")
        var dumped = ""
        dump(configuration.accounts, to: &dumped)
        #expect(!dumped.contains(Self.key) && !"\(configuration.accounts)".contains(Self.key))
    }

    @Test("Files are looked for beside the configuration, with this machine's permissions")
    func realFiles() throws {
        try withTemporaryDirectory { directory in
            let secret = directory.appendingPathComponent("hook")
            try Data(Self.webhook.utf8).write(to: secret)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: secret.path)
            let sources = ConfigurationSources.files(
                besideFile: directory.appendingPathComponent("shop.json").path
            ) { _ in nil }
            let configuration = try LedgerConfiguration.read(
                Array(#"{"providers":{"dodo":{"secretFile":"hook"}}}"#.utf8),
                providers: Self.types, from: sources)
            #expect(configuration.accounts.count == 1)
            #expect(configuration.warnings.map(\.kind) == [.openPermissions])
        }
    }
}
