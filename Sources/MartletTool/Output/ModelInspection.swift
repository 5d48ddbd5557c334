//===--- ModelInspection.swift - what can be said of a model --------------===//
//
// What the file says comes from the file alone, so that it is there for models too that cannot be
// run; what running takes comes from an interpreter.
//
// Checked   Tests/MartletToolTests/ModelInspectionTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletFlatBuffers
import MartletInference
import MartletModel

/// What can be said of a model.
struct ModelInspection {
  let model: Model
  let metadata: ModelMetadata?
  let byteCount: Int
  /// The operators that are not there.
  let missing: [MissingOperator]
  /// The model, ready to run, or `nil` if that is not possible.
  let interpreter: Interpreter?
  /// Why it is not possible.
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

  /// The operators of the main subgraph with how often each occurs, in order of their names.
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

  /// The labels of each output that has some.
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

  /// Multiply-adds of one run: those of the shapes in use, or of those that the file states.
  var multiplyAdds: Int {
    interpreter?.multiplyAdds
      ?? (model.subgraphs.first.map(NodeSummary.stated) ?? []).reduce(0) {
        $0 &+ $1.multiplyAdds
      }
  }

  /// The bytes of all constants, each buffer counted once.
  var constantByteCount: Int {
    var isConstant = [Bool](repeating: false, count: model.buffers.count)
    for subgraph in model.subgraphs {
      for tensor in subgraph.tensors { isConstant[tensor.buffer] = true }
    }
    return model.buffers.indices.reduce(0) { $0 + (isConstant[$1] ? model.buffers[$1].count : 0) }
  }

  /// How many bytes a tensor's constant takes in the file.
  func byteCount(ofConstant tensor: TensorDescription) -> Int {
    model.buffers[tensor.buffer].count
  }

  /// The names of the main subgraph's tensors.
  var tensorNames: [String] { model.subgraphs.first?.tensors.map(\.name) ?? [] }
}

extension TensorDescription {
  /// The extents, with -1 for those that are not fixed.
  var statedExtents: [Int] { shapeSignature.isEmpty ? shape.dimensions : shapeSignature }
}
