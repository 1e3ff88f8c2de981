// Stand-ins: Apple documents what they mean.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import UIKit

@MainActor public protocol SFSafariViewControllerDelegate: NSObjectProtocol {
    func safariViewControllerDidFinish(_ controller: SFSafariViewController)
    func safariViewController(
        _ controller: SFSafariViewController, didCompleteInitialLoad didLoadSuccessfully: Bool)
}

extension SFSafariViewControllerDelegate {
    public func safariViewControllerDidFinish(_ controller: SFSafariViewController) {}
    public func safariViewController(
        _ controller: SFSafariViewController, didCompleteInitialLoad didLoadSuccessfully: Bool
    ) {}
}

@MainActor open class SFSafariViewController: UIViewController {
    public enum DismissButtonStyle: Int, Sendable {
        case done = 0
        case close = 1
        case cancel = 2
    }

    public final class Configuration: NSObject {
        public var barCollapsingEnabled = true {
            didSet { barWasSet = true }
        }
        public private(set) var barWasSet = false
    }

    public let url: URL
    public let configuration: Configuration
    open weak var delegate: (any SFSafariViewControllerDelegate)?
    open var dismissButtonStyle = DismissButtonStyle.done {
        didSet { buttonWasSet = true }
    }
    public private(set) var buttonWasSet = false

    public init(url: URL, configuration: Configuration = Configuration()) {
        self.url = url
        self.configuration = configuration
        super.init()
    }

    public required init?(coder: NSCoder) { nil }

    /// Test hook: the first load of the page is over.
    public func _load(_ isSuccess: Bool) {
        delegate?.safariViewController(self, didCompleteInitialLoad: isSuccess)
    }

    /// Test hook: the customer taps the button; the system takes the browser away.
    public func _tapDone() {
        delegate?.safariViewControllerDidFinish(self)
        dismiss(animated: true)
    }
}
