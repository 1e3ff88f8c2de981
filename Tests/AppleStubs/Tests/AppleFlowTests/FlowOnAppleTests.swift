import CheckoutFlow
import CheckoutModel
import DodoPayments
import SafariServices
import SwiftUI
import Testing
import UIKit

@testable import ExampleApp

extension AppleTests {
    @MainActor
    @Suite("A checkout on the phone")
    struct FlowOnAppleTests {
        private static let back = "app://return"
        private let screen = Screen()
        private let flow: CheckoutFlow
        private let journal = MemoryJournal()
        private let request = CheckoutRequest(
            checkoutURL: Screen.page.url, returnURL: AppleTests.FlowOnAppleTests.back)

        init() throws {
            UIApplication.shared.applicationState = .active
            flow = CheckoutFlow(
                provider: try DodoPaymentsProvider(), presenter: screen.presenter, journal: journal)
        }

        @Test("A return closes the sheet and gives the result")
        func result() async throws {
            let task = Task { try await flow.start(request) }
            await screen.until { screen.browser != nil }
            #expect(flow.handleOpenURL("\(Self.back)?status=succeeded&payment_id=pay_1"))
            #expect(try await task.value.paymentID == "pay_1")
            #expect(screen.browser == nil)
        }

        @Test("The article's try without a phone ends in a result")
        func article() async throws {
            let article = FromZeroToAResult(supportFolder: "", page: Screen.page.url)
            let result = try await article.tryOut()
            #expect(result.status == .succeeded)
            #expect(result.paymentID == "pay_1")
        }

        @Test("A task that is cancelled while the sheet is on its way up does not hang")
        func cancelledWhileRising() async throws {
            screen.root._endsAtOnce = false
            let task = Task { try await flow.start(request) }
            await screen.until { screen.browser != nil }
            task.cancel()
            #expect(try await task.value.ending == CheckoutEnding.cancelledByApp)
            screen.root._finishAnimation()
            screen.root._finishAnimation()
            #expect(screen.browser == nil)
            // And the next one may start.
            screen.root._endsAtOnce = true
            let next = Task { try await flow.start(request) }
            await screen.until { screen.browser != nil }
            screen.browser?._swipeDown()
            #expect(try await next.value.ending == CheckoutEnding.dismissed)
        }

        @Test("A sheet that never comes up is an error, and a late one is taken down")
        func overdue() async throws {
            screen.root._endsAtOnce = false
            let task = Task { try await flow.start(request) }
            await screen.until { screen.browser != nil }
            await screen.wait(ticks: 10)
            do throws(CheckoutError) {
                _ = try await { () async throws(CheckoutError) in
                    switch await task.result {
                    case .success(let result): return result
                    case .failure(let error):
                        throw error as? CheckoutError ?? CheckoutError(.platform, "another error")
                    }
                }()
                Issue.record("it did not throw")
            } catch {
                #expect(error.code == .presentationTimedOut)
            }
            #expect(try await flow.abandonedSessions().map(\.key.id) == ["cks_A"])
            screen.root._finishAnimation()
            screen.root._finishAnimation()
            #expect(screen.browser == nil)
            flow.handleOpenURL("\(Self.back)?status=succeeded")
            await screen.until { (try? await flow.results().first?.status) == .succeeded }
        }

        @Test("A SwiftUI view runs a checkout when its item is set, once, and clears the item")
        func swiftUI() async throws {
            var item: CheckoutRequest? = request
            var answers: [Result<CheckoutResult, CheckoutError>] = []
            let binding = Binding(get: { item }, set: { item = $0 })
            let view = EmptyView().checkout(item: binding, flow: flow) { answers.append($0) }
            let content = try #require(view as? ModifiedContent)
            // The view appears again while its checkout is on the screen.
            for _ in 0..<2 { for task in content._tasks { await task() } }
            await screen.until { screen.browser != nil }
            for open in content._openURL {
                open(try #require(URL(string: "\(Self.back)?status=failed")))
            }
            await screen.until { !answers.isEmpty }
            #expect(answers.map { try? $0.get().status } == [.failed])
            #expect(item == nil)
        }

        @Test("A SwiftUI view takes the page down when its item is cleared")
        func swiftUICancel() async throws {
            var item: CheckoutRequest? = request
            var answers: [Result<CheckoutResult, CheckoutError>] = []
            let binding = Binding(get: { item }, set: { item = $0 })
            let view = EmptyView().checkout(item: binding, flow: flow) { answers.append($0) }
            let content = try #require(view as? ModifiedContent)
            for task in content._tasks { await task() }
            await screen.until { screen.browser != nil }
            item = nil
            for task in content._tasks { await task() }
            await screen.until { !answers.isEmpty }
            #expect(answers.map { try? $0.get().ending } == [.cancelledByApp])
            #expect(screen.browser == nil)
        }
    }
}
