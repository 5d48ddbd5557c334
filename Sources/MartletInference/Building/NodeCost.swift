//===--- NodeCost.swift - the work of a node ------------------------------===//
//
// A file of a few hundred bytes can contain a convolution that runs for years within little memory.
// So the work of each node is bounded before it runs, from its shapes: the elements that it reads and
// writes, or what it sums and compares if that is more. A unit of work takes about four nanoseconds
// of one core: an element, four of which the slowest operators take for each, or 16 products of a
// fast kernel.
//
// Contract  No operator takes more than three times as long as its work says, on the machine of
//           Benchmarks/SPEED.md; most take less. `Int.max` if the number overflows.
// Checked   Tests/MartletInferenceTests/NodeCostTests.swift, and by fuzzing
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel
import MartletTensor

extension Operator {
  /// What calling an operator takes, however few its elements.
  static let overhead = 256

  /// The work of one run of this operator.
  func cost(_ tensors: [TensorInfo], kernels: KernelSet) -> Int {
    let present = inputs.filter { $0 >= 0 }
    let shapes = present.map { tensors[$0].shape }
    let results = outputs.map { tensors[$0].shape }
    let touched = (shapes + results).reduce(Operator.overhead) {
      saturatingSum($0, $1.elementCount)
    }
    let products = products(shapes, results)
    let type = present.first.map { tensors[$0].type }
    return if isFast(type, kernels) {
      products == .max ? .max : max(touched, products / Operator.productsPerUnit)
    } else {
      saturatingProduct(max(touched, products), isSlow ? 4 : 1)
    }
  }

  /// Products of a fast kernel, or comparisons, that take as long as reading and writing an element.
  static let productsPerUnit = 16

  /// Whether the slowest kernel of this operator takes 12 to 48 ns for an element.
  private var isSlow: Bool {
    switch code {
    case .builtin(.pow), .builtin(.logSoftmax), .builtin(.softmax), .builtin(.div), .builtin(.sin),
      .builtin(.cos), .builtin(.floorMod), .builtin(.add), .builtin(.sub), .builtin(.mul),
      .builtin(.mean), .builtin(.resizeBilinear), .builtin(.localResponseNormalization):
      true
    default: false
    }
  }

  /// Whether a product, or a comparison, takes at most 0.75 ns with these kernels.
  private func isFast(_ type: ElementType?, _ kernels: KernelSet) -> Bool {
    switch code {
    case .builtin(.conv2D), .builtin(.depthwiseConv2D), .builtin(.fullyConnected),
      .builtin(.transposeConv), .builtin(.batchMatmul), .builtin(.conv3D),
      .custom("Convolution2DTransposeBias"):
      kernels == .fast && (type == .float32 || type == .int8 || type == .uint8)
    case .builtin(.unique), .builtin(.topkV2), .builtin(.nonMaxSuppressionV4),
      .builtin(.nonMaxSuppressionV5), .custom("TFLite_Detection_PostProcess"):
      true
    default: false
    }
  }

  /// The part of the cost that is known, and may be spent, before the operator is prepared: some look
  /// at all elements to tell the shapes of their results.
  func costOfInputs(_ tensors: [TensorInfo]) -> Int {
    let present = inputs.filter { $0 >= 0 }.map { tensors[$0].shape.elementCount }
    return saturatingProduct(
      present.reduce(0, saturatingSum), code == .builtin(.unique) ? Operator.sortingCost : 1)
  }

  /// What sorting takes for each element: twice the logarithm of as many as fit in memory.
  private static let sortingCost = 64

  /// The products, comparisons or sums of an operator that takes more of them than elements, or 0.
  private func products(_ inputs: [Shape], _ outputs: [Shape]) -> Int {
    guard let input = inputs.first, let output = outputs.first else { return 0 }
    switch options {
    case .conv2D, .fullyConnected, .transposeConv:
      return inputs.count > 1 ? saturatingProduct(output.elementCount, taps(of: inputs[1])) : 0
    case .depthwiseConv2D:
      guard inputs.count > 1, inputs[1].rank == 4 else { return 0 }
      return saturatingProduct(output.elementCount, inputs[1].product(1..<3))
    case .conv3D:
      // Filters are DHWIO, and those of the transposed convolution, which come second too, DHWOI.
      guard inputs.count > 1, inputs[1].rank == 5 else { return 0 }
      return saturatingProduct(
        output.elementCount, inputs[1].product(0..<3), max(inputs[1][3], inputs[1][4]))
    case .pool2D(let pool) where input.rank == 4:
      return saturatingProduct(
        output.elementCount, min(max(pool.filterHeight, 1), input[1]),
        min(max(pool.filterWidth, 1), input[2]))
    case .localResponseNormalization(let options) where input.rank > 0:
      let reach = min(max(options.radius, 0), input[input.rank - 1])
      return saturatingProduct(output.elementCount, 2 * reach + 1)
    case .batchMatMul(let options) where input.rank > 1:
      return saturatingProduct(output.elementCount, input[input.rank - (options.adjointX ? 2 : 1)])
    case .lstm, .unidirectionalSequenceLSTM, .bidirectionalSequenceLSTM, .rnn, .sequenceRNN,
      .bidirectionalSequenceRNN, .svdf:
      return recurrentProducts(input, weights: inputs.dropFirst())
    default: return productsWithoutOptions(inputs, outputs)
    }
  }

  /// The same for operators whose options say nothing of it.
  private func productsWithoutOptions(_ inputs: [Shape], _ outputs: [Shape]) -> Int {
    switch code {
    case .builtin(.nonMaxSuppressionV4), .builtin(.nonMaxSuppressionV5):
      return saturatingProduct(inputs[0].elementCount, outputs[0].elementCount)
    case .builtin(.unique), .builtin(.topkV2):
      return saturatingProduct(inputs[0].elementCount, Operator.sortingCost)
    case .custom("Convolution2DTransposeBias"):
      return inputs.count > 1 ? saturatingProduct(outputs[0].elementCount, taps(of: inputs[1])) : 0
    case .custom("TFLite_Detection_PostProcess"):
      // Each candidate is compared with those that are kept, in each class.
      return inputs.count > 1
        ? saturatingProduct(inputs[1].elementCount, outputs[0].elementCount) : 0
    default: return 0
    }
  }

  /// Each step of a sequence takes all weights once.
  private func recurrentProducts(_ input: Shape, weights: ArraySlice<Shape>) -> Int {
    guard input.rank > 0 else { return 0 }
    let steps = input.product(0..<input.rank - 1)
    return saturatingProduct(steps, weights.reduce(1) { saturatingSum($0, $1.elementCount) })
  }
}

/// The elements of a filter but for its output channels.
private func taps(of filter: Shape) -> Int {
  guard filter.rank > 0 else { return 1 }
  // At least one for each tap, however deep.
  return (1..<filter.rank).reduce(1) { saturatingProduct($0, max(filter[$1], 1)) }
}
