//===--- RemoteModel.swift - a model on a server --------------------------===//

/// A model on a server. Models are equal if they have the same name and source.
///
/// Unchecked because the compiler cannot check a class with subclasses. It has no mutable state.
public class RemoteModel: Hashable, @unchecked Sendable {
  /// The model's name, which identifies it together with its source.
  public final var name: String { source.name }
  final let source: RemoteModelSource

  init(source: RemoteModelSource) { self.source = source }

  /// Whether both have the same name and source.
  public static func == (one: RemoteModel, other: RemoteModel) -> Bool {
    one.source == other.source
  }

  /// Feeds the name and the source into `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// A custom classifier on a server.
///
/// ```swift
/// let source = HTTPModelSource(name: "birds", modelURL: address)
/// let model = CustomRemoteModel(remoteModelSource: source)
/// let options = CustomObjectDetectorOptions(remoteModel: model)
/// ```
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model that this source offers. Does not download it.
  public init(remoteModelSource: RemoteModelSource) { super.init(source: remoteModelSource) }
}
