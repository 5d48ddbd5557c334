//===--- Interpreter+Image.swift - an image as a model's input ------------===//

extension Interpreter {
  /// Resizes an upright image and copies it into the only input of `model`. `normalization` replaces
  /// that of the metadata.
  ///
  /// - Throws: `VisionError.unsuitable` if the input is no image of three channels, or needs a
  ///   normalization.
  package func setInput(
    to image: RGBImage, of model: Model, normalization: PixelNormalization?, workers: Workers
  ) throws(VisionError) {
    let metadata: ModelMetadata?
    do throws(MetadataError) {
      metadata = try model.readMetadata()
    } catch { throw .metadata(error) }
    let input = try ImageModelInput(
      of: self, metadata: metadata?.subgraphs.first?.inputs ?? [], openSides: model.openInputSides,
      normalization: normalization, workers: workers)
    let whole = Box(x: 0, y: 0, width: Float(image.width), height: Float(image.height))
    try input.fill(self, with: try input.resized(image, from: whole))
  }
}
