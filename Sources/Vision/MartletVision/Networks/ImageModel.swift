//===--- ImageModel.swift - a network with an image as input --------------===//
//
// Prepares a network with one RGB image as input, runs it on a part of an image, and returns outputs
// as real numbers. Its parts: `ImageModelInput` resizes and fills, `ImageModelOutput` reads.
//
// Contract  Can be used from any number of tasks at once, unless its lock is `none`; variables of a
//           network are reset after each run.
// Cost      A resize of the part, and the network. Weights are shared; there is an arena for each
//           concurrent task (`IdleInterpreters`).
//===----------------------------------------------------------------------===//

/// A network with one image as its input.
final class ImageModel: Sendable {
  let metadata: ModelMetadata?
  /// The outputs of the file, before the first run.
  let outputs: [InterfaceTensor]
  private let prepared: PreparedModel
  private let imageInput: ImageModelInput
  private let idle: IdleInterpreters

  /// Prepares the network in a TensorFlow Lite file.
  ///
  /// - Parameters:
  ///   - normalization: The normalization that overrides the metadata.
  ///   - additionalOutput: The name of a tensor of the graph that becomes the output after those of
  ///     the file.
  ///   - size: The size of the input, if it is not that of the file.
  convenience init(
    bytes: FileBytes, normalization given: PixelNormalization? = nil,
    additionalOutput: String? = nil, size: ImageSize? = nil,
    options: Interpreter.Options, lock: Lock
  ) throws(VisionError) {
    var model: Model
    do throws(ModelError) {
      model = try Model(bytes)
      if let size { model = try model.resized(height: size.height, width: size.width) }
    } catch { throw .model(error) }
    try self.init(
      model, normalization: given, additionalOutput: additionalOutput, size: size,
      options: options, lock: lock)
  }

  /// Prepares a network. `detector` says how a custom detector takes images.
  init(
    _ model: Model, normalization given: PixelNormalization? = nil,
    additionalOutput: String? = nil, size: ImageSize? = nil,
    detector: (evidence: HeadEvidence, input: DetectorInput)? = nil,
    options: Interpreter.Options, lock: Lock
  ) throws(VisionError) {
    var model = model
    if let additionalOutput {
      guard let extended = model.addingOutput(named: additionalOutput) else {
        throw .inference(.noSuchName(additionalOutput))
      }
      model = extended
    }
    do throws(MetadataError) {
      metadata = try model.readMetadata()
    } catch { throw .metadata(error) }
    let openSides = model.openInputSides
    do throws(InferenceError) {
      prepared =
        if let extents = size.map({ Shape(1, $0.height, $0.width, 3) })
          ?? openSides.firstExtents(of: model)
        {
          try PreparedModel(model: model, firstInput: extents, options: options)
        } else {
          try PreparedModel(model: model, options: options)
        }
    } catch { throw VisionError(error) }
    let interpreter = Interpreter(prepared)
    imageInput = try ImageModelInput(
      of: interpreter, metadata: metadata?.subgraphs.first?.inputs ?? [], openSides: openSides,
      normalization: given, detector: detector, workers: options.workers)
    outputs = interpreter.outputs.dropLast(additionalOutput == nil ? 0 : 1)
    idle = IdleInterpreters(interpreter, lock: lock)
  }

  /// Runs the network on the part of `image` inside `box`, clipped to the image, and returns the outputs with
  /// these indices.
  func run(
    on image: RGBImage, in box: Box, outputs indices: some Sequence<Int>
  ) throws(VisionError) -> [Output] {
    try run(on: input(of: image, in: box), outputs: indices)
  }

  /// The size to which images are resized; for a model of open size, the size before the first run.
  var inputSize: ImageSize { imageInput.size }

  /// The part of `image` inside `box`, resized to the network's input.
  func input(of image: RGBImage, in box: Box) throws(VisionError) -> RGBImage {
    try imageInput.resized(image, from: box)
  }

  /// Runs the network on an image of the input's size; an input of open size is resized to the image.
  func run(
    on input: RGBImage, outputs indices: some Sequence<Int>
  ) throws(VisionError) -> [Output] {
    try invoke(on: input) { interpreter throws(VisionError) in
      try ImageModel.read(indices, of: interpreter)
    }
  }

  /// The same; also calls `body` with output `index`, without copying it.
  func run<Result>(
    on input: RGBImage, outputs indices: some Sequence<Int>, reading index: Int,
    _ body: (Reals) -> Result
  ) throws(VisionError) -> ([Output], Result) {
    try invoke(on: input) { interpreter throws(VisionError) in
      (
        try ImageModel.read(indices, of: interpreter),
        try ImageModel.read(index, of: interpreter, interpreter.outputs, body)
      )
    }
  }

  /// Runs the network on the part of `image` inside `box` and calls `body` with output `index`, without
  /// copying it.
  func run<Result>(
    on image: RGBImage, in box: Box, reading index: Int, _ body: (Reals) -> Result
  ) throws(VisionError) -> Result {
    try invoke(on: input(of: image, in: box)) { interpreter throws(VisionError) in
      try ImageModel.read(index, of: interpreter, interpreter.outputs, body)
    }
  }

  /// The whole image as a detector's input, and its place there; `nil` if it is stretched.
  func placedInput(
    of image: RGBImage
  ) throws(VisionError) -> (input: RGBImage, placement: InputPlacement?) {
    try imageInput.placed(image)
  }

  /// Runs the network on an image of the input's size and calls `body` with all outputs, without
  /// copying them.
  func run<Result>(
    on input: RGBImage, _ body: (HeadOutputs) throws(VisionError) -> Result
  ) throws(VisionError) -> Result {
    try invoke(on: input) { interpreter throws(VisionError) in
      try ImageModel.readAll(of: interpreter, interpreter.outputs, body)
    }
  }

  /// Frees the arenas that no run uses.
  func trim() { idle.trim() }

  /// Runs the network on an image of the input's size and calls `body` with the interpreter.
  private func invoke<Result>(
    on input: RGBImage, _ body: (Interpreter) throws(VisionError) -> Result
  ) throws(VisionError) -> Result {
    let interpreter = idle.take() ?? Interpreter(prepared)
    defer { idle.put(interpreter) }
    try imageInput.fill(interpreter, with: input)
    interpreter.resetState()
    do throws(InferenceError) { try interpreter.invoke() } catch { throw VisionError(error) }
    return try body(interpreter)
  }
}
