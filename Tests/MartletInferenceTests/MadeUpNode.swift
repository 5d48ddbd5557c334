//===--- MadeUpNode.swift - prepares a single node for refusal tests ------===//

import MartletOperators
@testable import MartletModel
@testable import MartletBase

/// A tensor of a test node; tensors with values are constants.
struct Given: Sendable {
  var type = ElementType.float32
  var shape: [Int] = []
  var values: [Int32]?
  var quantization: Quantization?
  var isVariable = false
}

/// An int32 constant.
func integers(_ values: Int32...) -> Given {
  Given(type: .int32, shape: [values.count], values: values)
}

/// An int32 scalar constant.
func scalar(_ value: Int32) -> Given { Given(type: .int32, values: [value]) }

/// Prepares one node and returns its error, or `nil` if it is accepted.
func refusal(
  _ registration: Registration, _ inputs: [Given], outputs: [Given] = [Given()],
  options: OperatorOptions = .none, custom: [UInt8] = [], subgraphs: [Subgraph] = []
) -> InferenceError? {
  let all = inputs + outputs
  let tensors = all.enumerated().map { index, given in
    TensorInfo(
      index: index, declaredType: given.type, shape: Shape(given.shape),
      quantization: given.quantization, isConstant: given.values != nil,
      isVariable: given.isVariable)
  }
  let memory = all.map { given in
    given.values.map { values -> UnsafeRawBufferPointer in
      let copy = UnsafeMutableBufferPointer<Int32>.allocate(capacity: values.count)
      _ = copy.initialize(from: values)
      return UnsafeRawBufferPointer(copy)
    }
  }
  defer { for block in memory { block?.deallocate() } }
  var p = Preparation(
    operation: Operator(
      code: registration.code, version: registration.versions.lowerBound,
      inputs: Array(inputs.indices),
      outputs: outputs.indices.map { $0 + inputs.count }, options: options,
      customOptions: 0..<custom.count),
    node: 0, kernels: .reference, workerCount: 1, file: FileBytes(custom),
    tensors: TensorTable(tensors, known: memory), subgraphs: subgraphs)
  do throws(InferenceError) {
    _ = try registration.prepare(&p)
    return nil
  } catch {
    return error
  }
}
