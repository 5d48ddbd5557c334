//===--- SwiftUI.swift - what the example app uses of SwiftUI -------------===//
//
// Source    https://developer.apple.com/documentation/swiftui: `App`, `Scene`, `WindowGroup`,
//           `View`, `ViewBuilder`, `State`, `Text`, shapes, `GeometryReader`, `ForEach`, `UIViewRepresentable`. Declarations only, for
//           the compiler.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import UIKit

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  @MainActor @preconcurrency public static func main() { fatalError() }
}

@MainActor @preconcurrency public protocol Scene {}

@resultBuilder public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) { fatalError() }
}

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
}

@propertyWrapper public struct State<Value> {
  public init(wrappedValue value: Value) { fatalError() }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set { fatalError() }
  }
}

public struct Alignment: Sendable {
  public static var bottom: Alignment { fatalError() }
  public static var center: Alignment { fatalError() }
}

public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle {
  public static var yellow: Color { fatalError() }
}

public protocol Shape: Sendable {}

extension Shape {
  nonisolated public func stroke<S: ShapeStyle>(
    _ content: S, lineWidth: CGFloat = 1
  ) -> some View { absent() }
}

public struct Rectangle: Shape {
  public init() { fatalError() }
}

public struct GeometryProxy {
  public var size: CGSize { fatalError() }
}

public struct GeometryReader<Content: View>: View {
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { fatalError() }
  public var body: Never { fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) { fatalError() }
  public var body: Never { fatalError() }
}

public struct Text: View {
  public init<S: StringProtocol>(_ content: S) { fatalError() }
  public var body: Never { fatalError() }
}

extension View {
  nonisolated public func ignoresSafeArea() -> some View { absent() }
  nonisolated public func padding() -> some View { absent() }
  nonisolated public func frame(
    width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View { absent() }
  nonisolated public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { absent() }
  nonisolated public func overlay<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View { absent() }
  nonisolated public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { absent() }
}

/// The result of a modifier.
func absent() -> Text { fatalError() }

@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
  associatedtype UIViewType: UIView
  typealias Context = UIViewRepresentableContext<Self>
  @MainActor @preconcurrency func makeUIView(context: Context) -> UIViewType
  @MainActor @preconcurrency func updateUIView(_ uiView: UIViewType, context: Context)
}

extension UIViewRepresentable {
  public var body: Never { fatalError() }
}

@MainActor @preconcurrency
public struct UIViewRepresentableContext<
  Representable: UIViewRepresentable
> {}
