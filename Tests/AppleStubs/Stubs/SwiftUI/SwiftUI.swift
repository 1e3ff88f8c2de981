// Stand-ins: Apple documents what they mean.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import UIKit

@MainActor public protocol View {
    associatedtype Body: View
    var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("nothing is drawn here") }
}

public struct EmptyView: View {
    public init() {}
    public var body: Never { fatalError("nothing is drawn here") }
}

@MainActor public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = ModifiedContent
    func body(content: Content) -> Body
}

/// A view, and what it asked the system for.
public struct ModifiedContent: View {
    /// Test hook: what a view asks for.
    public var _tasks: [@MainActor () async -> Void] = []
    /// Test hook: who is told of URLs.
    public var _openURL: [@MainActor (URL) -> Void] = []

    public init() {}
    public var body: Never { fatalError("nothing is drawn here") }
}

extension View {
    public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> Modifier.Body {
        modifier.body(content: ModifiedContent())
    }

    public func task<ID: Equatable>(
        id: ID, priority: TaskPriority = .userInitiated,
        _ action: @escaping @MainActor () async -> Void
    ) -> ModifiedContent {
        var content = self as? ModifiedContent ?? ModifiedContent()
        content._tasks.append(action)
        return content
    }

    public func onOpenURL(perform action: @escaping @MainActor (URL) -> Void) -> ModifiedContent {
        var content = self as? ModifiedContent ?? ModifiedContent()
        content._openURL.append(action)
        return content
    }
}

@propertyWrapper @MainActor public struct State<Value> {
    private final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    private let box: Box

    public init(wrappedValue: Value) { box = Box(wrappedValue) }
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
    public var projectedValue: Binding<Value> {
        Binding(get: { box.value }, set: { box.value = $0 })
    }
}

@propertyWrapper @MainActor public struct Binding<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    public init(
        get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void
    ) {
        self.get = get
        self.set = set
    }
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
}

public struct Text: View {
    public init(_ text: String) {}
    public var body: Never { fatalError("nothing is drawn here") }
}

public struct Button: View {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
    public var body: Never { fatalError("nothing is drawn here") }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> Either<First, Second> { .first(first) }
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> Either<First, Second> { .second(second) }
}

public enum Either<First: View, Second: View>: View {
    case first(First)
    case second(Second)
    public var body: Never { fatalError("nothing is drawn here") }
}

@MainActor public protocol Scene {
    associatedtype Body: Scene
    var body: Body { get }
}

extension Never: Scene {}

public struct WindowGroup<Content: View>: Scene {
    public init(content: () -> Content) {}
    public var body: Never { fatalError("nothing is drawn here") }
}

@MainActor public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}
