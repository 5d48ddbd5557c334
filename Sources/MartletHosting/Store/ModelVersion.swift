//===--- ModelVersion.swift - stored version of a model -------------------===//
//
// Checked   Tests/MartletHostingTests/ModelFolderTests.swift
//===----------------------------------------------------------------------===//

/// A version of a remote model on this machine.
public struct ModelVersion: Sendable, Hashable, Codable {
  /// The model's name.
  public let name: String
  /// The size of its file in bytes.
  public let sizeBytes: Int
  /// The SHA-256 of its file in hexadecimal digits.
  public let sha256: String
  /// What the model's owner calls this version, if anything.
  public let version: String?
  /// Which source it came from: a version of another one says nothing about what is new.
  let source: String
  /// What the server called the version, to ask whether there is a newer one.
  let entityTag: String?
  let lastModified: String?
}
