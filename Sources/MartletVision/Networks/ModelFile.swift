//===--- ModelFile.swift - a model's bytes, and what they may not say -----===//
//
// Checked   Tests/MartletTests/CustomDetectorTests.swift, Tests/MartletTests/LocalModelTests.swift
//===----------------------------------------------------------------------===//

/// The contents of a `.tflite` file, with what its metadata may lack.
public struct ModelFile: Sendable {
  let bytes: FileBytes
  /// The names of the classes, in place of those in the file's metadata, if any.
  public let labels: [String]?
  /// How pixels are normalized, in place of what the file's metadata says, if anything.
  public let normalization: PixelNormalization?

  /// A model of these bytes.
  public init(
    _ bytes: [UInt8], labels: [String]? = nil, normalization: PixelNormalization? = nil
  ) {
    self.init(FileBytes(bytes), labels: labels, normalization: normalization)
  }

  /// A model of bytes, wherever they are.
  package init(_ bytes: FileBytes, labels: [String]?, normalization: PixelNormalization?) {
    self.bytes = bytes
    self.labels = labels
    self.normalization = normalization
  }
}
