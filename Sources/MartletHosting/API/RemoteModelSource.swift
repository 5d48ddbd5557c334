//===--- RemoteModelSource.swift - source of a remote model ---------------===//
//
// Checked   Tests/MartletHostingTests/RemoteModelTests.swift
//===----------------------------------------------------------------------===//

public import Foundation

/// Where a remote model comes from; make one of its subclasses.
/// A model is known by its name and its source together: two sources may each have a `birds`. The source of an
/// `HTTPModelSource` is its address, that of a `FirebaseModelSource` the configuration's project.
///
/// Unchecked because a class that has subclasses cannot be checked: nothing in it changes.
public class RemoteModelSource: Hashable, @unchecked Sendable {
  /// How the source is asked.
  enum Kind: Hashable, Sendable {
    case firebase
    case manifest(URL)
    case file(URL, sha256: String?, sizeBytes: Int?)
    /// Whatever it was: the model is in the store, known by this key.
    case stored(key: String)
  }

  /// The model's name.
  public let name: String
  let kind: Kind

  init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// What the source is known by in the store, without user and password; Firebase's models also by
  /// their project.
  func key(in configuration: HostingConfiguration) -> String {
    switch kind {
    case .firebase: "firebase:" + (configuration.firebase?.projectID ?? "")
    case .manifest(let url): "manifest:" + url.absoluteString.withoutCredentials
    case .file(let url, _, _): "file:" + url.absoluteString.withoutCredentials
    case .stored(let key): key
    }
  }

  /// Whether both are the same model of the same source.
  public static func == (one: RemoteModelSource, other: RemoteModelSource) -> Bool {
    one.name == other.name && one.kind == other.kind
  }

  /// Hashes what makes sources equal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(kind)
  }
}

/// A model that Firebase hosts, or a server that speaks as Firebase does: the configuration's
/// `firebase` says whose.
public final class FirebaseModelSource: RemoteModelSource, @unchecked Sendable {
  /// The model that has this name in the Firebase console.
  public init(name: String) { super.init(name: name, kind: .firebase) }
}

/// A model on any web server.
public final class HTTPModelSource: RemoteModelSource, @unchecked Sendable {
  /// The model that a manifest at this address tells of: JSON with `downloadUri`, and if wanted
  /// `sizeBytes`, `sha256`, `version`, `expireTime` and `minRuntime`.
  public init(name: String, manifestURL: URL) {
    super.init(name: name, kind: .manifest(manifestURL))
  }

  /// The model whose file is at this address.
  ///
  /// - Parameters:
  ///   - name: The name that the model is kept under, beside its address.
  ///   - modelURL: The address of the file.
  ///   - sha256: The digest that the file has to have, in hexadecimal digits. A model that is there
  ///     with this digest is never asked for again.
  ///   - sizeBytes: The size that the file has to have.
  public init(name: String, modelURL: URL, sha256: String? = nil, sizeBytes: Int? = nil) {
    super.init(
      name: name,
      kind: .file(modelURL, sha256: sha256?.lowercased(), sizeBytes: sizeBytes))
  }
}
