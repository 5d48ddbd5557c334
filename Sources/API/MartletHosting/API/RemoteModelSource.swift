//===--- RemoteModelSource.swift - source of a remote model ---------------===//

public import Foundation

/// The source of a remote model; create one of the subclasses.
///
/// A model is identified by its name and source, so two sources may each have a model `birds`. An
/// `HTTPModelSource` is identified by its URL, a `FirebaseModelSource` by the configuration's
/// project.
///
/// Unchecked because the compiler cannot check a class with subclasses. It has no mutable state.
public class RemoteModelSource: Hashable, @unchecked Sendable {
  /// The kind of the source.
  enum Kind: Hashable, Sendable {
    case firebase
    case manifest(URL)
    case file(URL, sha256: String?, sizeBytes: Int?)
    /// A source of any kind, whose model is in the store under this key.
    case stored(key: String)
  }

  /// The model's name.
  public let name: String
  let kind: Kind

  init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// The key of the source in the store: its URL without user and password, or the Firebase
  /// project.
  func key(in configuration: HostingConfiguration) -> String {
    switch kind {
    case .firebase: "firebase:" + (configuration.firebase?.projectID ?? "")
    case .manifest(let url): "manifest:" + url.absoluteString.withoutCredentials
    case .file(let url, _, _): "file:" + url.absoluteString.withoutCredentials
    case .stored(let key): key
    }
  }

  /// Whether both have the same name and source.
  public static func == (one: RemoteModelSource, other: RemoteModelSource) -> Bool {
    one.name == other.name && one.kind == other.kind
  }

  /// Feeds the name and the kind into `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(kind)
  }
}

/// A model hosted by Firebase or a compatible server. The configuration's `firebase` names the
/// project.
public final class FirebaseModelSource: RemoteModelSource, @unchecked Sendable {
  /// The model with this name in the Firebase console.
  public init(name: String) { super.init(name: name, kind: .firebase) }
}

/// A model on any web server.
public final class HTTPModelSource: RemoteModelSource, @unchecked Sendable {
  /// The model of a manifest at this URL: JSON with `downloadUri`, and optionally `sizeBytes`,
  /// `sha256`, `version`, `expireTime` and `minRuntime`.
  public init(name: String, manifestURL: URL) {
    super.init(name: name, kind: .manifest(manifestURL))
  }

  /// The model whose file is at this URL.
  ///
  /// - Parameters:
  ///   - name: The name of the model in the store, together with its URL.
  ///   - modelURL: The URL of the file.
  ///   - sha256: The expected digest in hexadecimal digits. A stored model with this digest is
  ///     never requested again.
  ///   - sizeBytes: The expected size of the file.
  public init(name: String, modelURL: URL, sha256: String? = nil, sizeBytes: Int? = nil) {
    super.init(
      name: name,
      kind: .file(modelURL, sha256: sha256?.lowercased(), sizeBytes: sizeBytes))
  }
}
