//===--- ModelVersion.swift - stored version of a model -------------------===//

/// A version of a remote model on this machine.
public struct ModelVersion: Sendable, Hashable, Codable {
  /// The name of the `RemoteModel`.
  public let name: String
  /// The size of its file in bytes.
  public let sizeBytes: Int
  /// The SHA-256 of its file in hexadecimal digits.
  public let sha256: String
  /// The version's name in the manifest; `nil` if it has none.
  public let version: String?
  /// The key of the source. A version from another source cannot show whether there is a newer one.
  let source: String
  /// The server's `ETag`, for conditional requests.
  let entityTag: String?
  let lastModified: String?
}
