//===--- ModelFile.swift - model bytes and overrides ----------------------===//

/// The contents of a `.tflite` file, with values that its metadata may lack.
public struct ModelFile: Sendable, Hashable {
  let bytes: FileBytes
  /// The names of the classes, which replace those in the metadata; `nil` keeps the metadata's.
  public let labels: [String]?
  /// The pixel normalization, which replaces that in the metadata; `nil` keeps the metadata's.
  public let normalization: PixelNormalization?

  /// Creates a model file from the contents of a `.tflite` file.
  public init(
    _ bytes: [UInt8], labels: [String]? = nil, normalization: PixelNormalization? = nil
  ) {
    self.init(FileBytes(bytes), labels: labels, normalization: normalization)
  }

  /// Creates a model file from bytes that another object may own.
  package init(_ bytes: FileBytes, labels: [String]?, normalization: PixelNormalization?) {
    self.bytes = bytes
    self.labels = labels
    self.normalization = normalization
  }
}
