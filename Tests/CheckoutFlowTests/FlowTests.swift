import CheckoutFlow
import CheckoutModel
import ProviderKit
import Stripe
import Testing

@MainActor
@Suite("A running checkout")
struct FlowTests {
    @Test(
        "A return ends the checkout with what it says",
        arguments: [
            ("status=succeeded&payment_id=pay_1", CheckoutStatus.succeeded),
            ("status=active&subscription_id=sub_1", .succeeded), ("status=failed", .failed),
            ("status=expired", .expired), ("status=processing", .pending), ("", .pending),
        ])
    func result(_ query: String, _ status: CheckoutStatus) async throws {
        let fixture = try FlowFixture()
        let result = try await fixture.run(fixture.request("cks_A")) {
            #expect($0.handleOpenURL("\(FlowFixture.returnURL)?\(query)"))
        }
        #expect(result.status == status)
        #expect(result.ending == .returned)
        #expect(result.session == SessionKey("dodo", "cks_A"))
        #expect(
            fixture.log.names == ["checkout.opened", "checkout.return_received", "checkout.closed"])
        #expect(fixture.log.events.allSatisfy { $0.session.id == "cks_A" })
        #expect(fixture.flow.activeSession == nil)
    }

    @Test("The result carries ids, keys, address and every parameter")
    func fields() async throws {
        let fixture = try FlowFixture()
        let url =
            FlowFixture.returnURL
            + "?payment_id=pay_1&status=succeeded&license_key=A%2CB&email=a%40b.example&x=1&x=2"
        let result = try await fixture.run(fixture.request("cks_A")) { $0.handleOpenURL(url) }
        #expect(result.paymentID == "pay_1")
        #expect(result.licenseKeys == ["A", "B"])
        #expect(result.customerEmail == "a@b.example")
        #expect(result.parameters.map(\.name).suffix(2) == ["x", "x"])
        #expect(!"\(result)".contains("example"))
    }

    @Test("A page that the customer closes is cancelled, and the session is kept")
    func dismissed() async throws {
        let fixture = try FlowFixture()
        let result = try await fixture.run(fixture.request("cks_A")) { _ in
            fixture.presenter.report(.dismissed)
        }
        #expect(result.status == .cancelled)
        #expect(result.ending == .dismissed)
        #expect(fixture.log.names == ["checkout.opened", "checkout.closed"])
        #expect(try await fixture.flow.abandonedSessions().map(\.key.id) == ["cks_A"])
        // And the next one may start.
        let next = try await fixture.run(fixture.request("cks_B")) {
            $0.handleOpenURL("\(FlowFixture.returnURL)?status=failed")
        }
        #expect(next.status == .failed)
        #expect(try await fixture.flow.abandonedSessions().map(\.key.id) == ["cks_A", "cks_B"])
        #expect(!next.isCertain, "a return that names no session may be the earlier one's")
    }

    @Test("A cancelled task takes the page down and says that it was the app's doing")
    func cancelled() async throws {
        let fixture = try FlowFixture()
        let task = Task { try await fixture.flow.start(fixture.request("cks_A")) }
        await fixture.until { !fixture.presenter.pages.isEmpty }
        task.cancel()
        let result = try await task.value
        #expect(result.ending == .cancelledByApp)
        #expect(result.status == .cancelled)
        #expect(fixture.log.names == ["checkout.opened", "checkout.closed"])
        #expect(try await fixture.flow.abandonedSessions().count == 1)
    }

    @Test("A checkout that takes too long is pending, not failed")
    func timedOut() async throws {
        let fixture = try FlowFixture()
        let task = Task { try await fixture.flow.start(fixture.request("cks_A", limit: 60)) }
        await fixture.until { fixture.clock.sleeperCount == 1 }
        fixture.clock.advance(seconds: 60)
        let result = try await task.value
        #expect(result.ending == .timedOut)
        #expect(result.status == .pending)
    }

    @Test("A page that never goes away does not keep the result back")
    func stuckPage() async throws {
        let fixture = try FlowFixture()
        fixture.presenter.dismissesAtOnce = false
        let task = Task { try await fixture.flow.start(fixture.request("cks_A")) }
        await fixture.until { !fixture.presenter.pages.isEmpty }
        fixture.flow.handleOpenURL("\(FlowFixture.returnURL)?status=succeeded")
        await fixture.until { fixture.clock.sleeperCount == 1 }
        fixture.clock.advance(seconds: 5)
        #expect(try await task.value.status == .succeeded)
    }

    @Test("A second delivery of the return is not handled, and changes nothing")
    func twice() async throws {
        let fixture = try FlowFixture()
        fixture.presenter.dismissesAtOnce = false
        let url = "\(FlowFixture.returnURL)?status=succeeded&payment_id=pay_1"
        let task = Task { try await fixture.flow.start(fixture.request("cks_A")) }
        await fixture.until { !fixture.presenter.pages.isEmpty }
        #expect(fixture.flow.handle(openURL: url) == .handled)
        #expect(fixture.flow.handle(openURL: url) == .ignored(.alreadyHandled))
        let other = "\(FlowFixture.returnURL)?status=failed"
        #expect(fixture.flow.handle(openURL: other) == .ignored(.alreadyReturned))
        fixture.presenter.finishDismissing()
        await fixture.until { fixture.clock.sleeperCount == 1 }
        fixture.presenter.finishDismissing()
        #expect(try await task.value.status == .succeeded)
        #expect(fixture.flow.handle(openURL: url) == .ignored(.alreadyHandled))
        #expect(fixture.log.names.count == 3)
    }

    @Test(
        "A URL that is not the return leaves the checkout running",
        arguments: [
            ("shopdemo://profile/42", "host"), ("shopdemo://checkout/Return", "path"),
            ("other://checkout/return", "scheme"), ("shopdemo://checkout/return/x", "path"),
        ])
    func otherURL(_ url: String, _ difference: String) async throws {
        let fixture = try FlowFixture()
        let result = try await fixture.run(fixture.request("cks_A")) { flow in
            #expect(flow.handle(openURL: url).code == "not_the_return_url:\(difference)")
            #expect(flow.activeSession?.id == "cks_A")
            fixture.presenter.report(.dismissed)
        }
        #expect(result.ending == .dismissed)
        #expect(fixture.log.names == ["checkout.opened", "checkout.closed"])
    }

    @Test("The cancel URL brings the customer back too")
    func cancelURL() async throws {
        let fixture = try FlowFixture(provider: try StripeProvider())
        var request = fixture.request("x", cancelURL: "shopdemo://checkout/cancelled")
        request.checkoutURL = "https://checkout.stripe.com/c/pay/cs_test_1"
        let result = try await fixture.run(request) {
            #expect($0.handleOpenURL("shopdemo://checkout/cancelled"))
        }
        #expect(result.status == .cancelled)
        #expect(result.ending == .returned)
        #expect(try await fixture.flow.abandonedSessions().count == 1)
    }

    @Test(
        "A request that cannot work is refused, and nothing is noted or shown",
        arguments: [
            ("https://evil.example/session/cks_A", FlowFixture.returnURL, "INVALID_CHECKOUT_URL"),
            (
                "https://checkout.dodopayments.com.evil.example/session/cks_3",
                FlowFixture.returnURL, "INVALID_CHECKOUT_URL"
            ),
            (
                "http://checkout.dodopayments.com/session/cks_A", FlowFixture.returnURL,
                "INVALID_CHECKOUT_URL"
            ),
            ("https://checkout.dodopayments.com/session/", "not-a-url", "INVALID_CHECKOUT_URL"),
            ("https://checkout.dodopayments.com/session/cks_A", "not-a-url", "INVALID_RETURN_URL"),
            (
                "https://checkout.dodopayments.com/session/cks_A", "shopdemo:///return",
                "INVALID_RETURN_URL"
            ),
            (
                "https://checkout.dodopayments.com/session/cks_A",
                "https://checkout.dodopayments.com/x", "INVALID_RETURN_URL"
            ),
        ])
    func refused(_ checkout: String, _ back: String, _ code: String) async throws {
        let fixture = try FlowFixture()
        await #expect {
            try await fixture.flow.start(CheckoutRequest(checkoutURL: checkout, returnURL: back))
        } throws: { ($0 as? CheckoutError)?.code.rawValue == code }
        #expect(fixture.presenter.pages.isEmpty)
        #expect(await fixture.journal.sessions().isEmpty)
        #expect(fixture.log.events.isEmpty)
    }

    @Test("One presenter shows one checkout, and a bad URL is told first")
    func oneAtATime() async throws {
        let fixture = try FlowFixture()
        let twin = try FlowFixture(presenter: fixture.presenter)
        let window = try FlowFixture()
        let first = try await fixture.run(fixture.request("cks_A")) { flow in
            Task {
                for other in [flow, twin.flow] {
                    await #expect {
                        try await other.start(fixture.request("cks_B"))
                    } throws: { ($0 as? CheckoutError)?.code == .alreadyInProgress }
                    await #expect {
                        try await other.start(
                            CheckoutRequest(checkoutURL: "x", returnURL: FlowFixture.returnURL))
                    } throws: { ($0 as? CheckoutError)?.code == .invalidCheckoutURL }
                }
                let second = try await window.run(window.request("cks_C")) {
                    $0.handleOpenURL("\(FlowFixture.returnURL)?status=succeeded")
                }
                #expect(second.session.id == "cks_C")
                #expect(flow.activeSession?.id == "cks_A")
                fixture.presenter.report(.dismissed)
            }
        }
        #expect(first.session.id == "cks_A")
        #expect(await fixture.journal.sessions().map(\.key.id) == ["cks_A"])
    }

    @Test("Without a place to show the page nothing is noted")
    func noPresenter() async throws {
        let fixture = try FlowFixture()
        fixture.presenter.failure = CheckoutError(.noPresenter, "No window.")
        await #expect {
            try await fixture.flow.start(fixture.request("cks_A"))
        } throws: { ($0 as? CheckoutError)?.code == .noPresenter }
        #expect(await fixture.journal.sessions().isEmpty)
        fixture.presenter.failure = nil
        _ = try await fixture.run(fixture.request("cks_A")) { _ in
            fixture.presenter.report(.dismissed)
        }
    }

    @Test("A page that cannot be noted is not shown")
    func noJournal() async throws {
        let fixture = try FlowFixture()
        await fixture.journal.fail(with: .write("disk full"))
        await #expect {
            try await fixture.flow.start(fixture.request("cks_A"))
        } throws: { ($0 as? CheckoutError)?.code == .notRecorded }
        #expect(fixture.presenter.pages.isEmpty)
    }

    @Test("A page that did not come up is forgotten; one that may come up is taken down and kept")
    func notShown() async throws {
        for mayAppear in [false, true] {
            let error = CheckoutError(.presentationTimedOut, "Too long.")
            let fixture = try FlowFixture([.notShown(error, mayAppear: mayAppear)])
            await #expect {
                try await fixture.flow.start(fixture.request("cks_A"))
            } throws: { ($0 as? CheckoutError)?.code == .presentationTimedOut }
            #expect(fixture.log.events.isEmpty)
            #expect(await fixture.journal.sessions().count == (mayAppear ? 1 : 0))
        }
    }

    @Test("A session of a page whose URL names none is given by the host")
    func givenSession() async throws {
        let fixture = try FlowFixture()
        var request = fixture.request("cks_A")
        request.sessionID = "cks_B"
        await #expect {
            try await fixture.flow.start(request)
        } throws: { ($0 as? CheckoutError)?.code == .invalidCheckoutURL }
        request.sessionID = "cks_A"
        _ = try await fixture.run(request) { _ in fixture.presenter.report(.dismissed) }
    }
}
