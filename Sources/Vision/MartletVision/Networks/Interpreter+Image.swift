//===--- Interpreter+Image.swift - an image as a model's input ------------===//

extension Interpreter {
  /// Resizes an upright image and copies it into the only input of `model`, in color or gray, with
  /// channels last or first. `normalization` replaces that of the metadata.
  ///
  /// - Throws: `VisionError.unsuitable` if the input is no image of one or three channels, or needs a
  ///   normalization.
  package func setInput(
    to image: RGBImage, of model: Model, normalization: PixelNormalization?, workers: Workers
  ) throws(VisionError) {
    let metadata: ModelMetadata?
    do throws(MetadataError) {
      metadata = try model.readMetadata()
    } catch { throw .metadata(error) }
    let stated = metadata?.subgraphs.first?.inputs ?? []
    var detector: (HeadEvidence, DetectorInput)?
    if let tensor = inputs.first, let layout = try? ImageLayout(tensor),
      layout.isPlanar || layout.channels == 1
    {
      if tensor.type == .float32, normalization == nil, stated.first?.normalization == nil {
        throw .unsuitable(.normalization(tensor: tensor.name))
      }
      detector = (try HeadEvidence(model), .stretched)
    }
    let input = try ImageModelInput(
      of: self, metadata: stated, openSides: model.openInputSides, normalization: normalization,
      detector: detector, workers: workers)
    let whole = Box(x: 0, y: 0, width: Float(image.width), height: Float(image.height))
    try input.fill(self, with: try input.resized(image, from: whole))
  }
}
