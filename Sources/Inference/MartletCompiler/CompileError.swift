//===--- CompileError.swift - errors of compiling a model -----------------===//

import MartletBase
import MartletInference
import MartletModel

/// The reason why a model can't be compiled.
package enum CompileError: Error, Equatable {
  /// The model has no subgraph, or no input or output.
  case empty
  /// The interpreter cannot prepare the model either.
  case interpreter(InferenceError)
  /// A tensor has an extent that is only known at run time.
  case dynamicShape(tensor: String)
  /// A tensor has more elements than compiled models may have.
  case tooLarge(tensor: String, limit: Int)
  /// The records of the layers need more bytes than a file of this size may have.
  case tooManyWeights(limit: Int)
  /// The labels of all outputs have more bytes together than one list may have.
  case tooManyLabels(limit: Int)
  /// Operators, or types of operands, for which there are no compiled kernels; each is named once.
  case unsupported([String])
  /// A tensor that must be a constant is not.
  case notConstant(node: Int, operand: Int)
  /// A quantized tensor has no scale, or more than one where one is needed.
  case quantization(node: Int, operand: Int)
  /// Kernels have no integers for the factor of a channel's sums, or for sums as large as `reach`.
  case scale(node: Int, channel: Int, factor: Double, reach: Double)
  /// The operator's options, shapes or constants contradict each other.
  case inconsistent(node: Int, reason: String)
  /// The metadata, which has the labels, cannot be read.
  case metadata(MetadataError)
}

extension CompileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "the model has no operator: there is nothing to compile"
    case .interpreter(let error): "\(error)"
    case .dynamicShape(let tensor):
      """
      the shape of the tensor \(tensor) is only known at run time; convert the model with a fixed \
      input size
      """
    case .tooLarge(let tensor, let limit):
      """
      the tensor \(tensor) has more than \(limit) elements; run the model with the interpreter \
      instead
      """
    case .tooManyWeights(let limit):
      """
      the compiled weights have more than \(limit) bytes, because layers share weights, which \
      are stored for each layer; run the model with the interpreter instead
      """
    case .tooManyLabels(let limit):
      """
      the labels of all outputs have more than \(limit) bytes together; remove some from the \
      metadata
      """
    case .unsupported(let names):
      """
      no compiled kernels for \(names.joined(separator: ", ")); run the model with the interpreter \
      instead
      """
    case .notConstant(let node, let operand):
      "node \(node): input \(operand) must be a constant"
    case .quantization(let node, let operand):
      "node \(node): operand \(operand) needs one scale and zero point"
    case .scale(let node, let channel, let factor, let reach):
      """
      node \(node): the sums of channel \(channel), up to \(reach), are multiplied by \(factor), the \
      input's scale times that of the weights by the output's; expected a factor of 1e-9 to 0.125 \
      and sums below 2147483648; quantize the model with other representative data, or run it with \
      the interpreter instead
      """
    case .inconsistent(let node, let reason): "node \(node): \(reason)"
    case .metadata(let error): "\(error)"
    }
  }
}
