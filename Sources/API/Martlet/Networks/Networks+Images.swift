//===--- Networks+Images.swift - networks from files, for images ---------===//

import MartletVision

extension Classifier {
  /// A classifier from the contents of a TensorFlow Lite file.
  ///
  /// A `threshold` outside of 0...1 and a `maximumLabelCount` below 1 count as `nil`. `labels` and
  /// `normalization` override the model's metadata. With `dropsBackground`, labels that mean "none
  /// of these" are dropped.
  public convenience init(
    modelBytes: [UInt8], threshold: Float? = nil, maximumLabelCount: Int? = nil,
    labels: [String]? = nil, normalization: PixelNormalization? = nil,
    dropsBackground: Bool = false, options: Interpreter.Options = .init()
  ) throws(VisionError) {
    try self.init(
      ModelFile(modelBytes, labels: labels, normalization: normalization), threshold: threshold,
      maximumLabelCount: maximumLabelCount, dropsBackground: dropsBackground, options: options)
  }
}

extension Classifier {
  /// Returns the labels of an upright image, sorted by decreasing confidence.
  ///
  /// The coarse classifier returns at most one label, and none if the class is unknown.
  ///
  /// - Throws: `VisionError`.
  public func labels(in image: some MLKitCompatibleImage) throws(VisionError) -> [ObjectLabel] {
    try labels(in: try image.image().detectionImage().pixels)
  }

  /// Returns the same labels with the category and the fine labels.
  ///
  /// - Throws: `VisionError`.
  public func classification(
    in image: some MLKitCompatibleImage
  ) throws(VisionError) -> Classification {
    try classification(in: try image.image().detectionImage().pixels)
  }
}

extension ModelFile {
  /// Reads a `.tflite` file. `labels` and `normalization` override the model's metadata.
  ///
  /// - Throws: `VisionError.file`, or `.model` for a file that is no model.
  public init(
    contentsOfFile path: String, labels: [String]? = nil, normalization: PixelNormalization? = nil
  ) throws(VisionError) {
    let bytes = try FileContents.read(path, limit: Int(Int32.max)) {
      beginning, _ throws(VisionError) in
      do throws(ModelError) { try Model.checkBeginning(beginning) } catch { throw .model(error) }
    }
    self.init(bytes, labels: labels, normalization: normalization)
  }
}
