//===--- Model.swift - a TensorFlow Lite model as Swift values ------------===//
//
// The contents of a verified file, in the file's order. Constants are not copied: a buffer
// is a range of the file's bytes.
//
// Contract  Every index in these values is valid: a tensor names a buffer that exists, an operator
//           names tensors of its subgraph. `Model(bytes:)` throws otherwise.
// Cost      One pass over the tables; constant data is not touched.
//===----------------------------------------------------------------------===//

import MartletBase

/// A verified TensorFlow Lite model.
///
/// ```swift
/// let model = try Model(bytes: [UInt8](Data(contentsOf: URL(filePath: "birds.tflite"))))
/// print(model.description)
/// ```
public struct Model: Sendable {
  /// The bytes of the whole file.
  package let bytes: FileBytes
  /// The schema version in the file: 3.
  package let version: Int
  /// The description that the converter wrote into the file.
  public let description: String
  package let subgraphs: [Subgraph]
  /// The range of `bytes` of each buffer; empty for a buffer without data.
  package let buffers: [Range<Int>]
  /// Named metadata: each entry has an index into `buffers`.
  package let metadata: [MetadataEntry]
  package let signatures: [Signature]
}

package struct MetadataEntry: Sendable, Equatable {
  package let name: String
  package let buffer: Int
}

/// A named entry point: names for inputs and outputs of a subgraph.
package struct Signature: Sendable, Equatable {
  package let key: String
  package let subgraph: Int
  package let inputs: [SignatureTensor]
  package let outputs: [SignatureTensor]
}

package struct SignatureTensor: Sendable, Equatable {
  package let name: String
  package let tensor: Int
}

package struct Subgraph: Sendable {
  package let name: String
  package let tensors: [TensorDescription]
  package let inputs: [Int]
  package let outputs: [Int]
  package let operators: [Operator]
}

/// The description of one tensor in the file.
package struct TensorDescription: Sendable {
  package let name: String
  package let type: ElementType
  /// The extents; valid (see `Shape`).
  package let shape: Shape
  /// The extents, -1 for each variable one; empty if the file has none.
  package let shapeSignature: [Int]
  /// The index of the buffer with the constant data; a buffer with an empty range means none. A
  /// buffer may hold more bytes than the elements take, never fewer (sparse tensors aside).
  package let buffer: Int
  /// The scales and zero points, or `nil` if the file has no scale.
  package let quantization: Quantization?
  /// Quantization other than per tensor or per axis, or `nil`.
  package let details: QuantizationDetails?
  package let isVariable: Bool
  package let sparsity: Sparsity?
  /// Whether an empty shape means a scalar (true) or an unknown shape (false). Files of old
  /// converters always have false.
  package let hasRank: Bool
}

/// Quantization other than per tensor or per axis.
package enum QuantizationDetails: Sendable, Equatable {
  /// A range of the model's bytes in a format defined by their writer.
  case custom(Range<Int>)
  case blockwise(BlockwiseQuantization)
  case multiAxis(MultiAxisQuantization)
  /// An unknown kind, by its tag in the schema.
  case other(tag: UInt8)
}

/// Quantization with a scale for each run of `blockSize` elements along the last axis.
package struct BlockwiseQuantization: Sendable, Equatable {
  /// The index of the tensor that holds the scales.
  package let scales: Int
  /// The index of the tensor that holds the zero points; `nil` if they are zero.
  package let zeroPoints: Int?
  /// The number of elements that share a scale; greater than zero.
  package let blockSize: Int
}

/// Quantization with a scale for each position along several axes, or for each block of them.
package struct MultiAxisQuantization: Sendable, Equatable {
  /// The index of the tensor that holds the scales.
  package let scales: Int
  /// The index of the tensor that holds the zero points; `nil` if they are zero.
  package let zeroPoints: Int?
  /// The number of elements along the last axis that share a scale; 0 for one scale per element.
  package let blockSize: Int
  /// The axes along which the scales differ.
  package let axes: [Int]
}

/// One operator of a subgraph.
package struct Operator: Sendable {
  package let code: OperatorCode
  /// The operator version that the file requires.
  package let version: Int
  /// Tensor indices; -1 for an optional input that is absent.
  package var inputs: [Int]
  package var outputs: [Int]
  package let intermediates: [Int]
  package var options: OperatorOptions
  /// The offset of the option table in the model's bytes, for readers that know its fields.
  package let optionTable: Int?
  /// The range of a custom operator's options in the model's bytes; empty if it has none.
  package let customOptions: Range<Int>

  package init(
    code: OperatorCode, version: Int = 1, inputs: [Int], outputs: [Int],
    intermediates: [Int] = [], options: OperatorOptions = .none, optionTable: Int? = nil,
    customOptions: Range<Int> = 0..<0
  ) {
    self.code = code
    self.version = version
    self.inputs = inputs
    self.outputs = outputs
    self.intermediates = intermediates
    self.options = options
    self.optionTable = optionTable
    self.customOptions = customOptions
  }
}

/// The kind of an operator: a builtin operator of the schema, or a custom one by its name.
public enum OperatorCode: Sendable, Hashable {
  /// An operator of the schema.
  case builtin(BuiltinOperator)
  /// An operator outside the schema, by its name in the file.
  case custom(String)
}

extension OperatorCode {
  /// The schema's name of a builtin operator, or the name of a custom one.
  package var name: String {
    switch self {
    case .builtin(let builtin): builtin.description
    case .custom(let name): name
    }
  }
}

extension Model {
  /// The same model with tensor `name` of the first subgraph as an additional last output, so that its
  /// elements are kept until the end of a run; `nil` if there is no tensor with this name.
  package func addingOutput(named name: String) -> Model? {
    guard let graph = subgraphs.first,
      let tensor = graph.tensors.firstIndex(where: { $0.name == name })
    else { return nil }
    let extended = Subgraph(
      name: graph.name, tensors: graph.tensors, inputs: graph.inputs,
      outputs: graph.outputs + [tensor], operators: graph.operators)
    return Model(
      bytes: bytes, version: version, description: description,
      subgraphs: [extended] + subgraphs.dropFirst(), buffers: buffers, metadata: metadata,
      signatures: signatures)
  }

  /// The same model for images of another size: the constant sizes of nearest-neighbor resizings, by
  /// which a fully convolutional network enlarges its features, grow with the first input.
  ///
  /// - Throws: `ModelError`, never if this model was read from these bytes.
  /// - Complexity: Copies the bytes.
  package func resized(height: Int, width: Int) throws(ModelError) -> Model {
    guard let graph = subgraphs.first, let input = graph.inputs.first,
      graph.tensors[input].shape.rank == 4
    else { return self }
    let shape = graph.tensors[input].shape
    var resized = [UInt8](bytes)
    let sizes = graph.operators.filter { $0.code == .builtin(.resizeNearestNeighbor) }
      .compactMap { $0.inputs.last.flatMap { $0 < 0 ? nil : buffers[graph.tensors[$0].buffer] } }
    for size in Set(sizes) where size.count == 8 {
      for (axis, extent) in [height, width].enumerated() {
        let place = size.lowerBound + 4 * axis
        let old = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        let new = UInt32(clamping: old &* extent / max(shape[1 + axis], 1))
        for byte in 0..<4 { resized[place + byte] = UInt8(truncatingIfNeeded: new >> (8 * byte)) }
      }
    }
    return try Model(FileBytes(resized))
  }
}
