//===--- ImageModel.swift - a network that looks at images ----------------===//
//
// A network with one RGB image as input: resizes a part of an image to the input's size and type, runs the
// network, and returns outputs as real numbers.
//
// Contract  Resizes without keeping the aspect ratio, as ML Kit does. An open side (1 in the shape, -1 in
//           the signature) takes the side of the part, as in TFLite Support; parts larger than 1,024
//           pixels are reduced to that first. uint8 inputs get the pixels, int8 inputs the pixels
//           minus 128, float inputs normalized pixels. Can be used from any number of tasks at once,
//           unless its lock is `none`; variables of a network are reset after each run.
// Cost      A resize of the part, and the network. Weights are shared; there is an arena for each
//           concurrent task. At most 8 idle ones are kept, and after 256 runs only as many as were
//           needed in them.
// Checked   Tests/MartletVisionTests/ImageModelTests.swift, IdleInterpretersTests.swift;
//           Tests/MartletTests/ClassifierTests.swift, ObjectDetectorTests.swift
//===----------------------------------------------------------------------===//

/// A network with one image as its input.
final class ImageModel: Sendable {
  /// The elements of an output as real numbers, and their shape in that run.
  struct Output {
    let shape: Shape
    let elements: [Float]
  }

  /// The elements of an output as real numbers, read from the interpreter's memory.
  @safe struct Reals {
    let shape: Shape
    let count: Int
    /// The type of the elements in memory: one that `checkReal` accepts.
    let type: ElementType
    /// Holds exactly `count` elements of this type.
    private let memory: UnsafeRawBufferPointer
    private let scale: Float
    private let zeroPoint: Int32

    fileprivate init(_ memory: UnsafeRawBufferPointer, of tensor: InterfaceTensor) {
      shape = tensor.shape
      count = tensor.shape.elementCount
      type = tensor.type
      unsafe self.memory = memory
      scale = tensor.quantization?.scale ?? 1
      zeroPoint = Int32(clamping: tensor.quantization?.zeroPoint ?? 0)
    }

    /// Calls `body` with the elements in memory, which are valid during the call only.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
      unsafe body(memory)
    }

    /// - Precondition: `index` is less than `count`. Any four bytes are a `Float`.
    subscript(index: Int) -> Float {
      precondition(index >= 0 && index < count)
      return switch type {
      case .float32: unsafe memory.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
      case .int8: real(unsafe Int8(bitPattern: memory[index]))
      default: real(unsafe memory[index])
      }
    }

    /// All elements, by a loop for each type.
    var elements: [Float] {
      switch type {
      case .float32:
        copy { unsafe memory.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      case .int8: copy { real(unsafe Int8(bitPattern: memory[$0])) }
      default: copy { real(unsafe memory[$0]) }
      }
    }

    @inline(__always) private func copy(_ element: (Int) -> Float) -> [Float] {
      unsafe [Float](unsafeUninitializedCapacity: count) { elements, initializedCount in
        for index in 0..<count { unsafe elements[index] = element(index) }
        initializedCount = count
      }
    }

    @inline(__always) private func real(_ byte: some FixedWidthInteger) -> Float {
      scale * Float(Int32(byte) &- zeroPoint)
    }
  }

  let metadata: ModelMetadata?
  /// The outputs of `TFLite_Detection_PostProcess`, if the network is a detector.
  let detectionOutputs: DetectionOutputs?
  /// The outputs of the file, before the first run.
  let outputs: [InterfaceTensor]
  private let prepared: PreparedModel
  private let inputType: ElementType
  /// The size to which images are resized; for a model of open size, the size before the first run.
  let inputSize: ImageSize
  /// The sides of the input that follow the image.
  private let openSides: OpenInputSides
  private let normalization: PixelNormalization?
  private let workers: Workers
  private let idle: IdleInterpreters

  /// Prepares the network in a TensorFlow Lite file.
  ///
  /// - Parameters:
  ///   - normalization: The normalization that overrides the metadata.
  ///   - additionalOutput: The name of a tensor of the graph that becomes the output after those of
  ///     the file.
  ///   - size: The size of the input, if it is not that of the file.
  init(
    bytes: FileBytes, normalization given: PixelNormalization? = nil,
    additionalOutput: String? = nil, size: ImageSize? = nil,
    options: Interpreter.Options, lock: Lock
  ) throws(VisionError) {
    workers = options.workers
    var model: Model
    do throws(ModelError) {
      model = try Model(bytes)
      if let size { model = try model.resized(height: size.height, width: size.width) }
    } catch { throw .model(error) }
    if let additionalOutput {
      guard let extended = model.addingOutput(named: additionalOutput) else {
        throw .inference(.noSuchName(additionalOutput))
      }
      model = extended
    }
    do throws(MetadataError) {
      metadata = try model.readMetadata()
    } catch { throw .metadata(error) }
    detectionOutputs = model.detectionOutputs
    openSides = model.openInputSides
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
    let inputs = interpreter.inputs
    guard inputs.count == 1, let input = inputs.first else {
      throw .unsuitable(.inputCount(found: inputs.map { $0.name }))
    }
    let shape = input.shape
    guard shape.rank == 4, shape[0] == 1, shape[1] > 0, shape[2] > 0, shape[3] == 3 else {
      throw .unsuitable(.inputShape(tensor: input.name, found: shape))
    }
    try ImageModel.check(metadata?.subgraphs.first?.inputs, of: input)
    inputType = input.type
    inputSize = ImageSize(width: shape[2], height: shape[1])
    switch input.type {
    case .uint8, .int8: normalization = nil
    case .float32:
      normalization =
        if let given { given } else {
          try ImageModel.normalization(metadata?.subgraphs.first?.inputs.first, of: input)
        }
    default: throw .unsuitable(.inputType(tensor: input.name, found: input.type))
    }
    outputs = interpreter.outputs.dropLast(additionalOutput == nil ? 0 : 1)
    idle = IdleInterpreters(interpreter, lock: lock)
  }

  /// Throws unless the metadata describes one input, an RGB image.
  private static func check(
    _ inputs: [TensorMetadata]?, of input: InterfaceTensor
  ) throws(VisionError) {
    guard let inputs, !inputs.isEmpty else { return }
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

  /// Runs the network on the part of `image` inside `box`, clipped to the image, and returns the outputs with
  /// these indices.
  func run(
    on image: RGBImage, in box: Box, outputs indices: some Sequence<Int>
  ) throws(VisionError) -> [Output] {
    try run(on: input(of: image, in: box), outputs: indices)
  }

  /// The part of `image` inside `box`, resized to the network's input.
  func input(of image: RGBImage, in box: Box) throws(VisionError) -> RGBImage {
    let part = box.clipped(toWidth: Float(image.width), height: Float(image.height))
    let size = openSides.isEmpty ? inputSize : openSides.size(for: part, otherwise: inputSize)
    do throws(ImageError) {
      return try image.resized(from: part, to: size, workers: workers)
    } catch { throw .image(error) }
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

  /// Frees the arenas that no run uses.
  func trim() { idle.trim() }

  /// Runs the network on an image of the input's size and calls `body` with the interpreter.
  private func invoke<Result>(
    on input: RGBImage, _ body: (Interpreter) throws(VisionError) -> Result
  ) throws(VisionError) -> Result {
    let interpreter = idle.take() ?? Interpreter(prepared)
    defer { idle.put(interpreter) }
    if !openSides.isEmpty, interpreter.inputs[0].shape != Shape(1, input.height, input.width, 3) {
      do throws(InferenceError) {
        try interpreter.resizeInput(0, to: [1, input.height, input.width, 3])
      } catch { throw VisionError(error) }
    }
    try fill(interpreter, with: input)
    interpreter.resetState()
    do throws(InferenceError) { try interpreter.invoke() } catch { throw VisionError(error) }
    return try body(interpreter)
  }

  /// The first input has the size of the image and one of the three types; the image checks that the memory
  /// is large enough.
  private func fill(_ interpreter: Interpreter, with image: RGBImage) throws(VisionError) {
    let result: Result<Void, ImageError>
    do throws(InferenceError) {
      result = try unsafe interpreter.withInput(0) { memory in
        do throws(ImageError) {
          if let normalization {
            try unsafe image.normalize(normalization, into: memory.bindMemory(to: Float.self))
          } else if inputType == .int8 {
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

  /// Throws unless the elements of an output represent real numbers.
  static func checkReal(_ output: InterfaceTensor) throws(VisionError) {
    switch output.type {
    case .float32: return
    case .uint8, .int8:
      guard output.quantization != nil else {
        throw .unsuitable(.outputQuantization(tensor: output.name))
      }
    default: throw .unsuitable(.outputType(tensor: output.name, found: output.type))
    }
  }

  /// The outputs with these indices after a run.
  static func read(
    _ indices: some Sequence<Int>, of interpreter: Interpreter
  ) throws(VisionError) -> [Output] {
    let tensors = interpreter.outputs
    return try indices.map { (index) throws(VisionError) in
      try ImageModel.read(index, of: interpreter, tensors) { reals in
        Output(shape: reals.shape, elements: reals.elements)
      }
    }
  }

  /// Calls `body` with output `index` after a run. `tensors` are the outputs of that run.
  private static func read<Result>(
    _ index: Int, of interpreter: Interpreter, _ tensors: [InterfaceTensor],
    _ body: (Reals) -> Result
  ) throws(VisionError) -> Result {
    guard tensors.indices.contains(index) else {
      throw .unsuitable(.outputCount(found: tensors.count, needed: index + 1))
    }
    let tensor = tensors[index]
    try checkReal(tensor)
    do throws(InferenceError) {
      return try unsafe interpreter.withOutput(index) { memory in
        body(unsafe Reals(memory, of: tensor))
      }
    } catch { throw .inference(error) }
  }
}

extension Collection<Float> {
  /// Throws if one of these elements of the output `tensor` is NaN or infinite.
  func checkFinite(_ tensor: String) throws(VisionError) {
    for (index, element) in enumerated() where !element.isFinite {
      throw .unsuitable(.finiteOutput(tensor: tensor, index: index, found: element))
    }
  }
}

/// Interpreters between runs. Unchecked because an interpreter serves one task at a time: the lock hands
/// out each one once.
final class IdleInterpreters: @unchecked Sendable {
  /// The largest number of idle interpreters.
  static let limit = 8
  /// The number of runs after which those that were not needed in them are freed.
  static let period = 256

  private let lock: Lock
  private(set) var interpreters: [Interpreter]
  /// The runs of this period, and the fewest idle interpreters in it: so many were not needed.
  private var runCount = 0
  private var surplus = 1

  init(_ first: Interpreter, lock: Lock) {
    self.lock = lock
    interpreters = [first]
  }

  func take() -> Interpreter? {
    lock.withLock {
      let interpreter = interpreters.popLast()
      surplus = min(surplus, interpreters.count)
      return interpreter
    }
  }

  /// Keeps an interpreter for later runs, if they need it.
  func put(_ interpreter: Interpreter) {
    // Arenas are freed after the lock.
    let unneeded: ArraySlice<Interpreter> = lock.withLock {
      if interpreters.count < IdleInterpreters.limit { interpreters.append(interpreter) }
      runCount += 1
      guard runCount == IdleInterpreters.period else { return [] }
      let unneeded = interpreters.prefix(surplus)
      interpreters.removeFirst(surplus)
      (runCount, surplus) = (0, interpreters.count)
      return unneeded
    }
    extendLifetime(unneeded)
  }

  /// Frees all; the next runs make new ones.
  func trim() {
    let unneeded: [Interpreter] = lock.withLock {
      defer { (interpreters, surplus) = ([], 0) }
      return interpreters
    }
    extendLifetime(unneeded)
  }
}
