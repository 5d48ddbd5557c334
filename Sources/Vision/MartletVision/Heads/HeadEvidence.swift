//===--- HeadEvidence.swift - facts about a detector's outputs ------------===//
//
// Contract  Read from the file alone. Cells are the positions of a grid with the strides 8, 16 and
//           32, or of the grids of larger and smaller models.
//===----------------------------------------------------------------------===//

internal import MartletCodecs

/// What is known from a file about the outputs and the input of its detector.
struct HeadEvidence: Sendable {
  let image: ImageLayout
  let outputs: [InterfaceTensor]
  /// The outputs of `TFLite_Detection_PostProcess`, if the network ends in it.
  let postProcess: DetectionOutputs?
  /// Whether there is one output, whose last axis a softmax makes.
  let isSoftmax: Bool
  let export: ExportMetadata?
  let metadata: ModelMetadata?
  let anchors: AnchorMetadata?
  /// The names of the classes, from the caller or the file, if there are some.
  let names: [String]?
  /// The range of the real numbers that the first operator makes of a float input.
  let inputRange: ClosedRange<Float>?
  /// The widths and heights of anchors that the caller gives, if it does.
  let givenAnchors: [Float]?

  /// - Parameters:
  ///   - labels: The names of the classes that override those in the file.
  ///   - anchors: The widths and heights of anchors, in pixels of the input.
  /// - Throws: `VisionError` if the metadata is damaged, the network is compiled for an accelerator,
  ///   or its input is no image.
  init(
    _ model: Model, labels: [String]? = nil, anchors givenAnchors: [Float]? = nil
  ) throws(VisionError) {
    self.givenAnchors = givenAnchors
    guard let graph = model.subgraphs.first, graph.inputs.count == 1 else {
      let names = model.subgraphs.first.map { graph in graph.inputs.map { graph.tensors[$0].name } }
      throw .unsuitable(.inputCount(found: names ?? []))
    }
    for case .custom(let name) in graph.operators.lazy.map({ $0.code })
    where InferenceError.advice(forAcceleratorOperator: name) != nil {
      throw .unsuitable(.accelerator(operator: name))
    }
    outputs = graph.outputs.map { InterfaceTensor(graph.tensors[$0]) }
    image = try ImageLayout(InterfaceTensor(graph.tensors[graph.inputs[0]]))
    postProcess = model.detectionOutputs
    isSoftmax = graph.outputs.count == 1 && graph.isSoftmax(graph.outputs[0])
    inputRange = graph.quantizedRange(of: graph.inputs[0])
    do throws(MetadataError) {
      metadata = try model.readMetadata()
      anchors = try metadata?.readAnchors()
      export = try model.readExportMetadata { try? Inflate.raw($0, count: $1) }
      if let labels {
        names = labels
      } else if let names = export?.names, !names.isEmpty {
        self.names = names
      } else {
        names = try metadata?.classNames
      }
    } catch { throw .metadata(error) }
  }

  /// A grid's strides of each size of models.
  private static let strides = [
    [8, 16, 32], [8, 16, 32, 64], [4, 8, 16, 32], [16, 32], [8, 16],
  ]

  /// The strides of the grids whose cells, each counted `factor` times, are `count`.
  func strides(ofCells count: Int, factor: Int) -> [Int]? {
    HeadEvidence.strides.first { strides in
      strides.reduce(0) { $0 + factor * image.cells(stride: $1) } == count
    }
  }

  /// The outputs with a row or a column for each cell, each counted `factor` times.
  func tables(factor: Int) -> [CandidateTable] {
    outputs.indices.compactMap { index in
      let shape = outputs[index].shape
      guard shape.rank == 3, shape[0] == 1 else { return nil }
      if let strides = strides(ofCells: shape[1], factor: factor) {
        return CandidateTable(
          output: index, count: shape[1], channels: shape[2], isTransposed: false, strides: strides)
      }
      return strides(ofCells: shape[2], factor: factor).map {
        CandidateTable(
          output: index, count: shape[2], channels: shape[1], isTransposed: true, strides: $0)
      }
    }
  }

  /// The number of coefficients of a mask: the channels of an output of prototypes, [1, 32,
  /// height / 4, width / 4] or [1, height / 4, width / 4, 32].
  var maskCoefficients: Int? {
    let (rows, columns) = (image.height / 4, image.width / 4)
    for shape in outputs.map({ $0.shape }) where shape.rank == 4 && shape[0] == 1 {
      if shape[2] == rows, shape[3] == columns { return shape[1] }
      if shape[1] == rows, shape[2] == columns { return shape[3] }
    }
    return nil
  }

  /// Whether the exporter states a task in which numbers of masks, points or an angle follow scores.
  private var hasFurtherNumbers: Bool {
    guard let task = export?.task else { return false }
    return !task.isEmpty && task != "detect"
  }

  /// Whether Ultralytics' exporter wrote the file.
  var isUltralytics: Bool { !(export?.task.isEmpty ?? true) }

  /// The number of classes among `channels` numbers, of which the exporter may have added some for
  /// masks, points or an angle; `nil` if there is none.
  func classCount(among channels: Int) -> Int? {
    let known = export?.names.count ?? 0
    // Only Ultralytics' exporter states a task, and only others than detection add numbers.
    let isKnown = known == channels || known < channels && hasFurtherNumbers
    let count =
      known > 0 && isKnown
      ? known : channels - (maskCoefficients ?? (export?.task == "obb" ? 1 : 0))
    return count > 0 ? count : nil
  }
}

/// The axes of an input image.
struct ImageLayout: Sendable, Hashable {
  let height, width, channels: Int
  /// Whether each channel is a plane: [1, channels, height, width].
  let isPlanar: Bool

  /// - Throws: `VisionError` unless the tensor has the shape of an image of 1 or 3 channels.
  init(_ tensor: InterfaceTensor) throws(VisionError) {
    let shape = tensor.shape
    guard shape.rank == 4, shape[0] == 1, shape.elementCount > 0 else {
      throw .unsuitable(.inputShape(tensor: tensor.name, found: shape))
    }
    if shape[3] == 3 || shape[3] == 1 {
      (height, width, channels, isPlanar) = (shape[1], shape[2], shape[3], false)
    } else if shape[1] == 3 || shape[1] == 1 {
      (height, width, channels, isPlanar) = (shape[2], shape[3], shape[1], true)
    } else {
      throw .unsuitable(.inputShape(tensor: tensor.name, found: shape))
    }
  }

  /// The number of cells with sides of `stride` pixels that cover the image.
  func cells(stride: Int) -> Int {
    columns(stride: stride) * rows(stride: stride)
  }

  func rows(stride: Int) -> Int { (height - 1) / stride + 1 }

  func columns(stride: Int) -> Int { (width - 1) / stride + 1 }
}

extension InterfaceTensor {
  fileprivate init(_ tensor: TensorDescription) {
    self.init(
      name: tensor.name, type: tensor.type, shape: tensor.shape,
      quantization: tensor.quantization)
  }
}

extension Subgraph {
  /// Whether a softmax makes this tensor, perhaps before a change of its type.
  fileprivate func isSoftmax(_ tensor: Int) -> Bool {
    guard let last = operators.last(where: { $0.outputs.contains(tensor) }) else { return false }
    if last.code == .builtin(.softmax) { return true }
    guard last.code == .builtin(.quantize) || last.code == .builtin(.dequantize),
      let source = last.inputs.first
    else { return false }
    return operators.contains { $0.code == .builtin(.softmax) && $0.outputs.contains(source) }
  }

  /// The range of the integers that the only reader of a float tensor quantizes it to.
  fileprivate func quantizedRange(of tensor: Int) -> ClosedRange<Float>? {
    let readers = operators.filter { $0.inputs.contains(tensor) }
    guard readers.count == 1, readers[0].code == .builtin(.quantize),
      let output = readers[0].outputs.first
    else { return nil }
    return InterfaceTensor(tensors[output]).realRange
  }
}

extension InterfaceTensor {
  /// The range of the real numbers of bytes with a scale; `nil` for other tensors.
  var realRange: ClosedRange<Float>? {
    guard type == .uint8 || type == .int8, let quantization, quantization.scale > 0 else {
      return nil
    }
    let least = Float(type == .int8 ? -128 : 0) - Float(quantization.zeroPoint)
    let (lower, upper) = (quantization.scale * least, quantization.scale * (least + 255))
    return lower.isFinite && upper.isFinite ? lower...upper : nil
  }
}

extension ModelMetadata {
  /// The names of the classes of the first output that has some.
  fileprivate var classNames: [String]? {
    get throws(MetadataError) {
      for output in subgraphs.first?.outputs ?? [] {
        for type in [AssociatedFileType.tensorValueLabels, .tensorAxisLabels] {
          if let labels = try labels(of: output, type: type, locale: "en") {
            return labels.displayNames ?? labels.names
          }
        }
      }
      return nil
    }
  }
}
