public import CheckoutModel

/// Shows a hosted page and takes it down again; the one part that knows the screen.
///
/// Shows one page at a time. Everything happens on the main actor.
@MainActor
public protocol CheckoutPresenter: AnyObject {
    /// Looks for what it needs, before anything is recorded; throws `NO_PRESENTER`,
    /// `BROWSER_UNAVAILABLE` and the like.
    func prepare() throws(CheckoutError)
    /// Shows a page and says what becomes of it, in any order and as often as it happens.
    func present(_ page: CheckoutPage, report: @escaping @MainActor (PresenterReport) -> Void)
    /// Takes the page down if it is there, and says when it is gone; also when it never came up.
    func dismiss(then gone: @escaping @MainActor () -> Void)
}

/// A page to show.
public struct CheckoutPage: Sendable, Hashable {
    /// What to open; https, in canonical form.
    public let url: String
    /// The URLs that bring the customer back.
    public let returnURLs: [String]
    /// Which checkout.
    public let session: SessionKey

    /// Describes a page; a flow does it, and the tests of a presenter.
    public init(url: String, returnURLs: [String], session: SessionKey) {
        self.url = url
        self.returnURLs = returnURLs
        self.session = session
    }
}

/// What became of a page.
public enum PresenterReport: Sendable, Hashable {
    /// It is on the screen.
    case shown
    /// It did not come up. `mayAppear`: it may do so yet.
    case notShown(CheckoutError, mayAppear: Bool)
    /// Its first load failed, as by a phone without a network; it stays on the screen.
    case failedToLoad
    /// The customer closed it; it is gone.
    case dismissed
    /// A URL came back by the presenter's own way, such as a loopback listener; also when the page
    /// is gone.
    case cameBack(url: String)
}
