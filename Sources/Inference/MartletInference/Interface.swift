//===--- Interface.swift - named model inputs and outputs -----------------===//
//
// Either those of a subgraph, in its order and with its tensors' names, or those of a signature, in
// the signature's order and with its names.
//===----------------------------------------------------------------------===//

public import MartletModel
import MartletOperators
public import MartletBase

/// A model's input or output.
///
/// ```swift
/// for input in try Interpreter(model: model).inputs {
///   print(input.name, input.type, input.shape)
/// }
/// ```
public struct InterfaceTensor: Sendable, Hashable {
  /// The tensor's name in the model's file, or the name in its signature.
  public let name: String
  /// The type of the elements in memory: int8 for int4 and int2, uint8 for uint4.
  public let type: ElementType
  /// The extents, outermost first; images are NHWC.
  public let shape: Shape
  /// The map from integers to real numbers, or `nil` if the tensor is not quantized.
  public let quantization: Quantization?

  package init(name: String, type: ElementType, shape: Shape, quantization: Quantization?) {
    self.name = name
    self.type = type
    self.shape = shape
    self.quantization = quantization
  }
}

/// The inputs and outputs of a subgraph or a signature.
struct Interface: Sendable {
  let subgraph: Int
  let inputs: [Entry]
  let outputs: [Entry]

  /// A tensor of the subgraph and its name.
  struct Entry: Sendable {
    let name: String
    let tensor: Int
  }

  /// All inputs and outputs of a subgraph.
  init(subgraph index: Int, of model: Model) throws(InferenceError) {
    guard model.subgraphs.indices.contains(index) else {
      throw .noSuchSubgraph(index: index, count: model.subgraphs.count)
    }
    let tensors = model.subgraphs[index].tensors
    func named(_ indices: [Int]) -> [Entry] {
      indices.map { Entry(name: tensors[$0].name, tensor: $0) }
    }
    subgraph = index
    inputs = named(model.subgraphs[index].inputs)
    outputs = named(model.subgraphs[index].outputs)
  }

  /// The inputs and outputs of a signature. Throws if they are not those of its subgraph.
  init(_ signature: Signature, of model: Model) throws(InferenceError) {
    subgraph = signature.subgraph
    inputs = signature.inputs.map { Entry(name: $0.name, tensor: $0.tensor) }
    outputs = signature.outputs.map { Entry(name: $0.name, tensor: $0.tensor) }
    let graph = model.subgraphs[subgraph]
    for input in inputs where !graph.inputs.contains(input.tensor) {
      throw .noSuchName(input.name)
    }
    for output in outputs where !graph.outputs.contains(output.tensor) {
      throw .noSuchName(output.name)
    }
  }
}

extension Model {
  /// The keys of the model's signatures, in the file's order. A signature is an entry point whose
  /// inputs and outputs have names.
  public var signatureKeys: [String] { signatures.map { $0.key } }

  /// Returns the signature with this key.
  func signature(_ key: String) throws(InferenceError) -> Signature {
    guard let signature = signatures.first(where: { $0.key == key }) else {
      throw .noSuchSignature(name: key)
    }
    return signature
  }
}
