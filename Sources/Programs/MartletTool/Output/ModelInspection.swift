//===--- ModelInspection.swift - inspecting a model -----------------------===//
//
// The description comes from the file alone, so that it exists for models that cannot run. The cost
// of running comes from an interpreter.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletInference
import MartletModel

/// The description of a model and of its cost.
struct ModelInspection {
  let model: Model
  let metadata: ModelMetadata?
  let byteCount: Int
  /// The operators that are not implemented.
  let missing: [MissingOperator]
  /// A prepared interpreter; `nil` if the model cannot run.
  let interpreter: Interpreter?
  /// The reason why the model cannot run.
  let problem: InferenceError?

  init(bytes: FileBytes, options: Interpreter.Options) throws {
    model = try Model(bytes)
    metadata = try model.readMetadata()
    byteCount = bytes.count
    do throws(InferenceError) {
      interpreter = try Interpreter(model: model, options: options)
      problem = nil
    } catch {
      interpreter = nil
      problem = error
    }
    missing = model.missingOperators(options: options, checksTypes: interpreter == nil)
  }

  /// The operators of the main subgraph and how often each occurs, sorted by name.
  var operators: [(name: String, count: Int)] {
    var counts: [String: Int] = [:]
    for operation in model.subgraphs.first?.operators ?? [] {
      counts["\(operation.code.name) v\(operation.version)", default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func tensors(_ indices: [Int]) -> [InterfaceTensor] {
    guard let subgraph = model.subgraphs.first else { return [] }
    return indices.map { index in
      let tensor = subgraph.tensors[index]
      return InterfaceTensor(
        name: tensor.name, type: tensor.type, shape: tensor.shape,
        quantization: tensor.quantization)
    }
  }

  var inputs: [InterfaceTensor] { tensors(model.subgraphs.first?.inputs ?? []) }
  var outputs: [InterfaceTensor] { tensors(model.subgraphs.first?.outputs ?? []) }

  /// The labels of each output that has labels.
  var labels: [(output: Int, names: [String])] {
    guard let metadata, let subgraph = metadata.subgraphs.first else { return [] }
    return subgraph.outputs.enumerated().compactMap { index, tensor in
      for type in [AssociatedFileType.tensorAxisLabels, .tensorValueLabels] {
        if let labels = try? metadata.labels(of: tensor, type: type, locale: "en") {
          return (index, labels.displayNames ?? labels.names)
        }
      }
      return nil
    }
  }

  /// The multiply-adds of one run, for the shapes in use or else for the file's shapes.
  var multiplyAdds: Int {
    interpreter?.multiplyAdds
      ?? (model.subgraphs.first.map(NodeSummary.stated) ?? []).reduce(0) {
        $0 &+ $1.multiplyAdds
      }
  }

  /// The bytes of all constants; a shared buffer counts once.
  var constantByteCount: Int {
    var isConstant = [Bool](repeating: false, count: model.buffers.count)
    for subgraph in model.subgraphs {
      for tensor in subgraph.tensors { isConstant[tensor.buffer] = true }
    }
    return model.buffers.indices.reduce(0) { $0 + (isConstant[$1] ? model.buffers[$1].count : 0) }
  }

  /// The bytes of a tensor's constant in the file.
  func byteCount(ofConstant tensor: TensorDescription) -> Int {
    model.buffers[tensor.buffer].count
  }

  /// The names of the main subgraph's tensors.
  var tensorNames: [String] { model.subgraphs.first?.tensors.map(\.name) ?? [] }
}

extension TensorDescription {
  /// The dimensions, with -1 for variable ones.
  var statedExtents: [Int] { shapeSignature.isEmpty ? shape.dimensions : shapeSignature }
}
