public import CheckoutFlow
import CheckoutModel
public import Foundation

extension DodoCheckout {
    /// Sets how pages are shown and where checkouts are kept; once, before anything else.
    ///
    /// Not needed on iOS, where the page is shown in an `SFSafariViewController` and the journal is
    /// in the app's support folder. Needed elsewhere, and in tests. Throws `ALREADY_IN_PROGRESS`
    /// while a checkout runs, `PLATFORM_ERROR` when the journal's folder cannot be made.
    ///
    /// - Parameters:
    ///   - journal: The file to keep checkouts in.
    ///   - clock: Tells the time.
    ///   - legacy: Where an earlier version with Dodo's SDK left its record; nil = there was none.
    ///   - presenter: Makes what shows a page; asked once for each checkout.
    @MainActor
    public static func configure(
        journal: URL, clock: any FlowClock = SystemFlowClock(),
        legacy: (any LegacyRecordStore)? = nil,
        presenter: @escaping @MainActor (BrowserCustomization) -> any CheckoutPresenter
    ) throws {
        if let desk = Shared.desk, desk.isRunning { throw CheckoutError(code: .alreadyInProgress) }
        let shelf = try makeShelf(journal, clock, legacy)
        Shared.desk = try CheckoutDesk(shelf: shelf, clock: clock, presenter: presenter)
        Shared.shelf.with { $0 = shelf }
    }

    @MainActor
    static func desk() throws(CheckoutError) -> CheckoutDesk {
        if let desk = Shared.desk { return desk }
        #if canImport(UIKit) && canImport(SafariServices)
            let desk = try CheckoutDesk(
                shelf: try defaultShelf(), clock: SystemFlowClock(),
                presenter: { SafariPresenter(appearance: BrowserAppearance($0)) })
            Shared.desk = desk
            return desk
        #else
            throw notConfigured
        #endif
    }

    static func shelf() throws(JournalError) -> SessionShelf {
        do throws(CheckoutError) {
            if let shelf = Shared.shelf.with({ $0 }) { return shelf }
            return try defaultShelf()
        } catch {
            throw .read(error.message)
        }
    }

    private static func defaultShelf() throws(CheckoutError) -> SessionShelf {
        #if canImport(UIKit) && canImport(SafariServices)
            if let shelf = Shared.shelf.with({ $0 }) { return shelf }
            let folder = FileManager.default.urls(
                for: .applicationSupportDirectory, in: .userDomainMask
            ).first
            guard let folder else {
                throw CheckoutError(code: .platformError, message: "There is no support folder.")
            }
            let shelf = try makeShelf(
                folder.appendingPathComponent("DodoCheckout/sessions.json"), SystemFlowClock(),
                UserDefaultsRecordStore())
            // Two threads may have made one each; both stand for the same file, one is kept.
            return Shared.shelf.with { kept in
                let winner = kept ?? shelf
                kept = winner
                return winner
            }
        #else
            throw notConfigured
        #endif
    }

    private static func makeShelf(
        _ file: URL, _ clock: any FlowClock, _ legacy: (any LegacyRecordStore)?
    ) throws(CheckoutError) -> SessionShelf {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw CheckoutError(
                code: .platformError, message: "The folder of the journal cannot be made.",
                reason: "NOT_RECORDED", hint: "See that its parent may be written.")
        }
        return SessionShelf(journal: FileJournal(path: file.path), clock: clock, legacy: legacy)
    }

    private static let notConfigured = CheckoutError(
        code: .platformError, message: "DodoCheckout does not know how to show a page here.",
        reason: "NO_PRESENTER", hint: "Call DodoCheckout.configure first.")

    private enum Shared {
        @MainActor static var desk: CheckoutDesk?
        static let shelf = Guarded<SessionShelf?>(nil)
    }
}

#if canImport(UIKit) && canImport(SafariServices)
    extension BrowserAppearance {
        /// The same under the flow's names.
        init(_ wanted: BrowserCustomization) {
            self.init()
            dismissButtonStyle = wanted.dismissButtonStyle.map { style in
                switch style {
                case .done: .done
                case .close: .close
                case .cancel: .cancel
                }
            }
            isBarCollapsingEnabled = wanted.barCollapsingEnabled
            presentationStyle = wanted.presentationStyle.map { style in
                switch style {
                case .pageSheet: .pageSheet
                case .fullScreen: .fullScreen
                }
            }
            colorScheme = wanted.colorScheme.map { scheme in
                switch scheme {
                case .system: .system
                case .light: .light
                case .dark: .dark
                }
            }
        }
    }
#endif
