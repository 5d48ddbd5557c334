//===--- ImageModelInput.swift - a network's input image ------------------===//
//
// Contract  Resizes without keeping the aspect ratio, as ML Kit does. An open side (1 in the shape,
//           -1 in the signature) takes the side of the part, as in TFLite Support; parts larger than
//           1,024 pixels are reduced to that first. uint8 inputs get the pixels, int8 inputs the
//           pixels minus 128, float inputs normalized pixels. Custom detectors also take gray and
//           planar inputs, and say how images fit in: `DetectorInput`.
//===----------------------------------------------------------------------===//

/// The input of a network with one RGB image: its size, its type and its normalization.
struct ImageModelInput: Sendable {
  /// The size to which images are resized; for a model of open size, the size before the first run.
  let size: ImageSize
  private let type: ElementType
  /// The sides that follow the image.
  private let openSides: OpenInputSides
  /// Of a float input.
  private let normalization: PixelNormalization?
  /// Of a custom detector.
  private let detector: (input: DetectorInput, tables: PixelTables)?
  private let workers: Workers

  /// Checks the input of a prepared network.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of all inputs; empty if there is none.
  ///   - given: The normalization that overrides the metadata.
  ///   - custom: What is known of a custom detector.
  init(
    of interpreter: Interpreter, metadata: [TensorMetadata], openSides: OpenInputSides,
    normalization given: PixelNormalization?,
    detector custom: (evidence: HeadEvidence, input: DetectorInput)? = nil, workers: Workers
  ) throws(VisionError) {
    let inputs = interpreter.inputs
    guard inputs.count == 1, let input = inputs.first else {
      throw .unsuitable(.inputCount(found: inputs.map { $0.name }))
    }
    self.openSides = openSides
    self.workers = workers
    type = input.type
    if let custom {
      let layout = try ImageLayout(input)
      var given = given
      if given == nil, input.type == .float32, metadata.first?.normalization != nil {
        given = try ImageModelInput.normalization(metadata.first, of: input)
      }
      let tables = try PixelTables(
        layout, input, custom.input, given: given, range: custom.evidence.inputRange)
      (size, normalization) = (ImageSize(width: layout.width, height: layout.height), nil)
      detector = (custom.input, tables)
      return
    }
    detector = nil
    let shape = input.shape
    guard shape.rank == 4, shape[0] == 1, shape[1] > 0, shape[2] > 0, shape[3] == 3 else {
      throw .unsuitable(.inputShape(tensor: input.name, found: shape))
    }
    try ImageModelInput.check(metadata, of: input)
    size = ImageSize(width: shape[2], height: shape[1])
    switch input.type {
    case .uint8, .int8: normalization = nil
    case .float32:
      normalization =
        if let given { given } else {
          try ImageModelInput.normalization(metadata.first, of: input)
        }
    default: throw .unsuitable(.inputType(tensor: input.name, found: input.type))
    }
  }

  /// Throws unless the metadata describes one input, an RGB image.
  private static func check(
    _ inputs: [TensorMetadata], of input: InterfaceTensor
  ) throws(VisionError) {
    guard !inputs.isEmpty else { return }
    guard inputs.count == 1 else { throw .unsuitable(.inputMetadataCount(found: inputs.count)) }
    guard let content = inputs[0].content else { return }
    guard case .image(.rgb, _, _) = content else {
      throw .unsuitable(.inputContent(tensor: input.name, found: content))
    }
  }

  private static func normalization(
    _ stated: TensorMetadata?, of input: InterfaceTensor
  ) throws(VisionError) -> PixelNormalization {
    guard let stated = stated?.normalization else {
      throw .unsuitable(.normalization(tensor: input.name))
    }
    let count = stated.means.count
    guard count == 1 || count == 3 else {
      throw .unsuitable(.normalizationCount(tensor: input.name, found: count))
    }
    do throws(ImageError) {
      return try PixelNormalization(
        mean: stated.means, deviation: stated.standardDeviations)
    } catch { throw .image(error) }
  }

  /// The part of `image` inside `box`, clipped to the image and resized.
  func resized(_ image: RGBImage, from box: Box) throws(VisionError) -> RGBImage {
    let part = box.clipped(toWidth: Float(image.width), height: Float(image.height))
    let size = openSides.isEmpty ? size : openSides.size(for: part, otherwise: size)
    do throws(ImageError) {
      return try image.resized(from: part, to: size, workers: workers)
    } catch { throw .image(error) }
  }

  /// The whole image as a detector's input, and its place there; `nil` if it is stretched.
  func placed(
    _ image: RGBImage
  ) throws(VisionError) -> (input: RGBImage, placement: InputPlacement?) {
    let (width, height) = (Float(image.width), Float(image.height))
    let whole = Box(x: 0, y: 0, width: width, height: height)
    guard let family = detector?.input, family.fit != .stretched else {
      return (try resized(image, from: whole), nil)
    }
    let placement = InputPlacement(family.fit, width: width, height: height, in: size)
    let content = placement.content
    do throws(ImageError) {
      let resized = try image.resized(
        to: ImageSize(width: content.width, height: content.height), method: family.method,
        workers: workers)
      return (try resized.placed(at: content, in: size, on: family.bars), placement)
    } catch { throw .image(error) }
  }

  /// Copies an image of the input's size into the interpreter's memory; an input of open size is
  /// resized to the image first. The image checks that the memory is large enough.
  func fill(_ interpreter: Interpreter, with image: RGBImage) throws(VisionError) {
    if !openSides.isEmpty, interpreter.inputs[0].shape != Shape(1, image.height, image.width, 3) {
      do throws(InferenceError) {
        try interpreter.resizeInput(0, to: [1, image.height, image.width, 3])
      } catch { throw VisionError(error) }
    }
    let result: Result<Void, ImageError>
    do throws(InferenceError) {
      result = try unsafe interpreter.withInput(0) { memory in
        do throws(ImageError) {
          if let detector {
            try detector.tables.fill(memory, with: image)
          } else if let normalization {
            try unsafe image.normalize(normalization, into: memory.bindMemory(to: Float.self))
          } else if type == .int8 {
            try unsafe image.copySigned(into: memory.bindMemory(to: Int8.self))
          } else {
            try unsafe image.copy(into: memory.bindMemory(to: UInt8.self))
          }
          return .success(())
        } catch { return .failure(error) }
      }
    } catch { throw .inference(error) }
    do throws(ImageError) { try result.get() } catch { throw .image(error) }
  }
}
