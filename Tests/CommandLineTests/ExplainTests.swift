import ProviderKit
import Testing

@Suite("What 'explain' answers")
struct ExplainTests {
    // MARK: Webhooks

    static let webhooks = WritingCase.all(area: "webhook")

    @Test("Each public webhook is judged as its case says", arguments: webhooks)
    func webhook(_ item: WritingCase) async throws {
        try await withProgram { program in
            for delivery in item.deliveries {
                let run = try program.webhook("explain", delivery)
                if item.expected.hasPrefix("config_error") {
                    #expect(run.exitCode == 4)
                    #expect(run.code == "malformed_secret")
                    #expect(run.output.isEmpty)
                    continue
                }
                #expect(run.exitCode == 0)
                let reason = item.value("reason")
                #expect(run.json["accepted"] == .bool(reason == nil))
                #expect(run.json["reason"] == reason.map { .string($0) } ?? .null)
                let events = run.json["events"]?.elements
                #expect(events?.isEmpty == (reason != nil || item.id == "pub-hook-13"))
                #expect(!(run.text + run.errors).contains(delivery.secrets[0]))
            }
        }
    }

    @Test("All eighteen public webhooks are there")
    func webhookCount() { #expect(Self.webhooks.count == 18) }

    @Test(
        "The likely cause of a refused signature is named on standard error",
        arguments: [
            ("pub-hook-02", "body_reencoded"), ("pub-hook-07", "clock"), ("pub-hook-08", "clock"),
            ("pub-hook-15", "signature_form"), ("pub-hook-16", "header_lost"),
            ("pub-hook-18", "body_alone_signed"),
        ])
    func cause(id: String, cause: String) async throws {
        let item = try #require(Self.webhooks.first { $0.id == id })
        try await withProgram { program in
            let run = try program.webhook("explain", item.deliveries[0])
            #expect(run.complaints.first?["cause"]?.text == cause)
        }
    }

    @Test("An amount with a fraction is accepted, set aside, and says so")
    func quarantine() async throws {
        let item = try #require(WritingCase.all(area: "money").first { $0.id == "pub-money-08" })
        let amount = try #require(item.input["json"]?.text).dropFirst().dropLast()
        let body = #"{"type":"payment.succeeded","data":{"payment_id":"pay_1",\#(amount)}}"#
        try await withProgram { program in
            let run = try program.webhook("explain", WritingDelivery(signing: body, id: "m_1"))
            #expect(run.json["accepted"] == .bool(true))
            #expect(run.json["reason"]?.text == "amount_not_integer")
            #expect(run.json["events"] == .array([]))
        }
    }

    @Test(
        "A secret that cannot be one ends with exit code 4 and is not shown",
        arguments: [
            "", "v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "sk_live_51H8qkq2eZvKYlo2C",
            "whsec_short", "whsec_not*base64*at*all*but*quite*long", "nothing-like-a-secret",
        ])
    func malformedSecret(_ secret: String) async throws {
        var delivery = WritingDelivery(signing: "{}", id: "m_1")
        delivery.secrets = [secret]
        try await withProgram { program in
            for command in ["explain", "record"] {
                _ = try program.run(["init"])
                let run = try program.webhook(command, delivery)
                #expect(run.exitCode == 4)
                #expect(run.code == "malformed_secret")
                #expect(run.output.isEmpty)
                #expect(secret.isEmpty || !run.errors.contains(secret))
            }
            let export = try program.run(["export"])
            #expect(export.text.contains(#""records":0"#))
        }
    }

    // MARK: Checkout pages

    static let pages = WritingCase.all(area: "checkout_url").filter {
        $0.input["checkoutUrl"] != nil
    }

    @Test("Each public checkout URL is valid or not as its case says", arguments: pages)
    func checkoutURL(_ item: WritingCase) async throws {
        let url = try #require(item.input["checkoutUrl"]?.text)
        try await withProgram { program in
            let run = try program.run(["explain", "checkout-url", url, "--json"])
            #expect(run.exitCode == 0)
            let isValid = item.expected.hasPrefix("accept")
            #expect(run.json["valid"] == .bool(isValid))
            #expect(run.json["session"]?.text == item.value("sessionId"))
            if let mode = item.value("mode") { #expect(run.json["mode"]?.text == mode) }
            #expect(run.json["code"] == (isValid ? .null : .string("INVALID_CHECKOUT_URL")))
            #expect((run.json["reason"] == .null) == isValid)
        }
    }

    @Test("Each checkout URL of Dodo's contract is valid or not as its vector wants")
    func dodoCheckoutURLs() async throws {
        var count = 0
        try await withProgram { program in
            for item in WritingCase.dodo(kind: "checkout_url_validate") {
                guard let url = item["input"]?["checkoutUrl"]?.text else { continue }
                var wanted = item["expected"]?["recordedSessionId"]?.text
                let better = item["better"]?.text
                if better?.hasPrefix("refuse") == true || better == "test the raw path" {
                    wanted = nil
                }
                let run = try program.run(["explain", "checkout-url", "--json", "--", url])
                #expect(run.json["session"]?.text == wanted, "\(item["id"]?.text ?? "")")
                count += 1
            }
        }
        #expect(count > 25)
    }

    // MARK: Returns

    static let returns = WritingCase.all(area: "return_url").filter { $0.input["incoming"] != nil }

    @Test("Each public return URL is read as its case says", arguments: returns)
    func returnURL(_ item: WritingCase) async throws {
        let registered = try #require(item.input["registered"]?.text)
        let incoming = try #require(item.input["incoming"]?.text)
        try await withProgram { program in
            let run = try program.run([
                "explain", "return-url", "--provider", "dodo", "--registered", registered, "--json",
                incoming,
            ])
            #expect(run.exitCode == 0)
            #expect(run.json["handled"] == .bool(item.value("handled") == "true"))
            if item.value("handled") == "false" { #expect(run.json["status"] == .null) }
            for (name, member) in [
                ("status", "status"), ("paymentId", "paymentID"),
                ("subscriptionId", "subscriptionID"), ("customerEmail", "customerEmail"),
            ] {
                guard let value = item.value(name) else { continue }
                #expect(run.json[member]?.text == value)
            }
            if item.id == "pub-ret-12" {
                #expect(run.json["licenseKeys"] == .array([.string("LK-1"), .string("LK-2")]))
            } else {
                #expect(run.json["licenseKeys"] == .null)
            }
        }
    }

    @Test("Parameters are all there, in order, decoded once")
    func parameters() async throws {
        try await withProgram { program in
            let run = try program.run([
                "explain", "return-url", "--provider", "dodo", "--registered", "a://b", "--json",
                "a://b?status=failed&status=succeeded&note=%ZZ&next=x%3D1%26y&flag",
            ])
            let pairs = (run.json["parameters"]?.elements ?? []).map {
                "\($0["name"]?.text ?? "")=\($0["value"]?.text ?? "")"
            }
            #expect(
                pairs == ["status=failed", "status=succeeded", "note=%ZZ", "next=x=1&y", "flag="])
            #expect(run.json["status"]?.text == "pending")
            #expect(run.json["reason"]?.text == "conflicting_status")
        }
    }

    @Test("A registered URL that no app can have is an error")
    func registered() async throws {
        let item = try #require(WritingCase.all(area: "return_url").first { $0.id == "pub-ret-20" })
        let url = try #require(item.input["returnUrl"]?.text)
        try await withProgram { program in
            let run = try program.run([
                "explain", "return-url", "--provider", "dodo", "--registered", url, "--json", url,
            ])
            #expect(run.exitCode == 1)
            #expect(run.code == "INVALID_RETURN_URL")
            #expect(run.output.isEmpty)
        }
    }

    @Test("Bytes that are no text are answered, not a crash")
    func anyBytes() async throws {
        try await withProgram { program in
            for bytes: [UInt8] in [[], [0xFF, 0x00], Array("a://b?x=".utf8) + [0xC3], [0x0A]] {
                let returned = try program.run(
                    ["explain", "return-url", "--provider", "dodo", "--registered", "a://b", "-"],
                    input: bytes)
                #expect(returned.exitCode == 0)
                let page = try program.run(["explain", "checkout-url", "-"], input: bytes)
                #expect(page.exitCode == 0)
            }
        }
    }

    // MARK: Money

    static let amounts = WritingCase.all(area: "money").filter { $0.input["parse"] != nil }

    @Test("Each public amount is read exactly or refused with its code", arguments: amounts)
    func amount(_ item: WritingCase) async throws {
        let text = try #require(item.input["parse"]?.text)
        let currency = try #require(item.input["currency"]?.text)
        try await withProgram { program in
            let run = try program.run(["explain", "amount", text, "--currency", currency, "--json"])
            if let code = item.value("error") {
                #expect(run.exitCode == 1)
                #expect(run.code == code)
                #expect(run.output.isEmpty)
            } else {
                #expect(run.exitCode == 0)
                #expect(
                    run.json["minorUnits"]?.integer == item.value("minor").flatMap { Int64($0) })
                #expect(run.json["currency"]?.text == currency)
            }
        }
    }

    @Test(
        "Amounts at the edges have codes too",
        arguments: [
            ("92233720368547758.08", "EUR", "out_of_range"), ("1", "ZZZ", "unknown_currency"),
            ("1", "euro", "unknown_currency"), ("+1", "EUR", "malformed"), ("", "EUR", "malformed"),
            ("1e3", "EUR", "malformed"), ("1.000", "EUR", "too_many_decimals"),
        ])
    func edge(text: String, currency: String, code: String) async throws {
        try await withProgram { program in
            let run = try program.run(["explain", "amount", text, "--currency", currency, "--json"])
            #expect(run.exitCode == 1)
            #expect(run.code == code)
        }
    }

    @Test("A provider that counts otherwise is counted as it does")
    func providersMoney() async throws {
        try await withProgram { program in
            for (options, units) in [([], 100), (["--provider", "stripe"], 10_000)] {
                let run = try program.run(
                    ["explain", "amount", "100", "--currency", "ISK", "--json"] + options)
                #expect(run.json["minorUnits"]?.integer == Int64(units))
            }
        }
    }
}
