// Stand-ins: Apple documents what they mean.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor open class UIWindow: UIView {
    public var rootViewController: UIViewController?
    public var isKeyWindow = false

    public override init() { super.init() }
}

@MainActor open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive = 0
        case foregroundInactive = 1
        case background = 2
    }

    public struct ConnectionOptions {
        public let urlContexts: Set<UIOpenURLContext>
        public let userActivities: Set<NSUserActivity>

        public init(
            urlContexts: Set<UIOpenURLContext>, userActivities: Set<NSUserActivity> = []
        ) {
            self.urlContexts = urlContexts
            self.userActivities = userActivities
        }
    }

    public var activationState = ActivationState.foregroundActive

    public override init() { super.init() }
}

public final class UISceneSession: NSObject, Sendable {}

@MainActor public final class UIWindowScene: UIScene {
    public var windows: [UIWindow] = []
}

/// Foundation's on Apple's systems.
public final class NSUserActivity: NSObject, Sendable {
    public let webpageURL: URL?

    public init(webpageURL: URL?) { self.webpageURL = webpageURL }
}

public final class UIOpenURLContext: NSObject, Sendable {
    public let url: URL

    public init(url: URL) { self.url = url }
}

@MainActor public protocol UIWindowSceneDelegate: NSObjectProtocol {}

@MainActor public final class UIApplication: UIResponder {
    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    public struct OpenURLOptionsKey: Hashable, Sendable {}

    public static let shared = UIApplication()
    public var connectedScenes: Set<UIScene> = []
    public var applicationState = State.active
}
