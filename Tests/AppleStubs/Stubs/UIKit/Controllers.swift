// Stand-ins: Apple documents what they mean.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation

public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen = 0
    case pageSheet = 1
    case formSheet = 2
    case automatic = -2
}

public enum UIUserInterfaceStyle: Int, Sendable {
    case unspecified = 0
    case light = 1
    case dark = 2
}

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIView: UIResponder {
    public var backgroundColor: UIColor?
}

public final class UIColor: NSObject, Sendable {
    public static let systemBackground = UIColor()
}

@MainActor open class UIPresentationController: NSObject {
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
}

@MainActor public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
    public func presentationControllerDidDismiss(
        _ presentationController: UIPresentationController
    ) {}
}

@MainActor open class UIViewController: UIResponder {
    open var modalPresentationStyle: UIModalPresentationStyle = .automatic
    open var overrideUserInterfaceStyle: UIUserInterfaceStyle = .unspecified {
        didSet { styleWasSet = true }
    }
    public private(set) var styleWasSet = false
    open var view = UIView()
    open var title: String?
    public private(set) var presentedViewController: UIViewController?
    public private(set) weak var presentingViewController: UIViewController?
    open private(set) var presentationController: UIPresentationController?
    public private(set) var isBeingDismissed = false
    public private(set) var isMovingFromParent = false
    public fileprivate(set) weak var parent: UIViewController?
    public fileprivate(set) var children: [UIViewController] = []

    /// Test hook: a presentation or dismissal whose animation was not ended yet.
    public var _animation: (() -> Void)?
    /// Test hook: animations end at once.
    public var _endsAtOnce = true

    public override init() {
        presentationController = UIPresentationController()
        super.init()
    }

    public init(nibName: String?, bundle: Bundle?) {
        presentationController = UIPresentationController()
        super.init()
    }

    public required init?(coder: NSCoder) { nil }

    open func viewDidLoad() {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}

    open func present(
        _ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil
    ) {
        presentedViewController = controller
        controller.presentingViewController = self
        finish {
            completion?()
        }
    }

    /// As UIKit does it: what the controller shows goes first, and only else the controller.
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        guard let going = presentedViewController ?? (presentingViewController.map { _ in self })
        else {
            completion?()
            return
        }
        let host = going.presentingViewController
        going.isBeingDismissed = true
        (host ?? self).finish {
            host?.presentedViewController = nil
            going.presentingViewController = nil
            going.isBeingDismissed = false
            completion?()
        }
    }

    private func finish(_ end: @escaping () -> Void) {
        if _endsAtOnce { end() } else { _animation = end }
    }

    /// Test hook: the animation ends.
    public func _finishAnimation() {
        let end = _animation
        _animation = nil
        end?()
    }

    /// Test hook: the customer swipes the sheet down.
    public func _swipeDown() {
        presentingViewController?.presentedViewController = nil
        presentingViewController = nil
        if let presentationController {
            presentationController.delegate?.presentationControllerDidDismiss(
                presentationController)
        }
    }

    /// Test hook: the host takes the controller off the screen.
    ///
    /// Its children disappear with it, and are not told that it was dismissed.
    public func _leave() {
        isBeingDismissed = true
        viewDidDisappear(true)
        for child in children { child.viewDidDisappear(true) }
        isBeingDismissed = false
    }
}

@MainActor open class UINavigationController: UIViewController {
    public init(rootViewController: UIViewController) {
        super.init()
        children = [rootViewController]
        rootViewController.parent = self
    }
    public required init?(coder: NSCoder) { nil }
    open func pushViewController(_ controller: UIViewController, animated: Bool) {}
}
