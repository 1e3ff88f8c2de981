import CheckoutFlow
import Foundation
import SafariServices
import Testing
import UIKit

@testable import DodoCheckout

extension AppleTests {
    @MainActor
    @Suite("Dodo's names on the phone")
    struct FacadeOnAppleTests {
        @Test("Every wish about the looks is passed on, and none is made up")
        func looks() {
            var wanted = BrowserCustomization()
            #expect(BrowserAppearance(wanted) == BrowserAppearance())
            for button in [BrowserCustomization.DismissButtonStyle.done, .close, .cancel] {
                for style in [BrowserCustomization.PresentationStyle.pageSheet, .fullScreen] {
                    for scheme in [BrowserCustomization.ColorScheme.system, .light, .dark] {
                        wanted = BrowserCustomization(
                            dismissButtonStyle: button, barCollapsingEnabled: style == .fullScreen,
                            presentationStyle: style, colorScheme: scheme)
                        let made = BrowserAppearance(wanted)
                        #expect(made.dismissButtonStyle.map { "\($0)" } == "\(button)")
                        #expect(made.presentationStyle.map { "\($0)" } == "\(style)")
                        #expect(made.colorScheme.map { "\($0)" } == "\(scheme)")
                        #expect(made.isBarCollapsingEnabled == (style == .fullScreen))
                    }
                }
            }
        }

        @Test("An app that sets nothing up has the system's browser, and its record is kept")
        func withoutSetup() async throws {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("dodo-\(ProcessInfo.processInfo.globallyUniqueString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            // Where Linux has what Application Support is on a phone.
            setenv("XDG_DATA_HOME", folder.path, 1)
            let (scene, window, root) = (UIWindowScene(), UIWindow(), UIViewController())
            window.rootViewController = root
            scene.windows = [window]
            UIApplication.shared.applicationState = .active
            UIApplication.shared.connectedScenes = [scene]
            defer { UIApplication.shared.connectedScenes = [] }
            let page = try #require(
                URL(string: "https://test.checkout.dodopayments.com/session/cks_A"))
            let back = try #require(URL(string: "https://shop.example/return"))
            let run = Task {
                try await DodoCheckout.start(
                    checkoutUrl: page, returnUrl: back,
                    customization: BrowserCustomization(dismissButtonStyle: .close))
            }
            while root.presentedViewController == nil { await Task.yield() }
            let browser = try #require(root.presentedViewController as? SFSafariViewController)
            #expect(browser.dismissButtonStyle == .close)
            browser._swipeDown()
            #expect(try await run.value.status == .cancelled)
            #expect(DodoCheckout.getAbandonedSession()?.sessionId == "cks_A")
            let journal = folder.appendingPathComponent("DodoCheckout/sessions.json")
            #expect(FileManager.default.fileExists(atPath: journal.path))
            DodoCheckout.clearAbandonedSession()
            #expect(DodoCheckout.getAbandonedSession() == nil)
        }
    }
}
