//===--- RemoteModel.swift - a model that is not in the program -----------===//
//
// Checked   Tests/MartletHostingTests/RemoteModelTests.swift
//===----------------------------------------------------------------------===//

/// A model on a server. Two are equal that have the same name and source.
///
/// Unchecked because a class that has subclasses cannot be checked: nothing in it changes.
public class RemoteModel: Hashable, @unchecked Sendable {
  /// The model's name.
  public final var name: String { source.name }
  final let source: RemoteModelSource

  init(source: RemoteModelSource) { self.source = source }

  /// Whether both are the same model of the same source.
  public static func == (one: RemoteModel, other: RemoteModel) -> Bool {
    one.source == other.source
  }

  /// Hashes what makes models equal.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// A classifier of your own on a server.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model of a source.
  public init(remoteModelSource: RemoteModelSource) { super.init(source: remoteModelSource) }
}
