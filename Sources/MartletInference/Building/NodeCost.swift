//===--- NodeCost.swift - estimated work of a node ------------------------===//
//
// A file of a few hundred bytes can contain a convolution that runs for years in little memory. So
// the work of each node is estimated from its shapes before it runs: the number of elements that it
// reads and writes, or of sums and comparisons if that is larger. A unit of work takes about four
// nanoseconds on one core. It is one element, or 16 products of a fast kernel; the slowest
// operators count four units per element.
//
// Contract  An estimate from measured kernels: those take at most about three times as long, and
//           most take less. `Int.max` if the number overflows.
// Checked   Tests/MartletInferenceTests/NodeCostTests.swift, and by fuzzing
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel
import MartletTensor

extension Operator {
  /// The work of calling an operator without elements.
  static let overhead = 256

  /// Returns the estimated work of one run of this operator.
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

  /// The products of a fast kernel, or comparisons, in one unit of work.
  static let productsPerUnit = 16

  /// Whether the slowest kernel of this operator takes 12 to 48 ns per element.
  private var isSlow: Bool {
    switch code {
    case .builtin(.pow), .builtin(.logSoftmax), .builtin(.softmax), .builtin(.div), .builtin(.sin),
      .builtin(.cos), .builtin(.floorMod), .builtin(.add), .builtin(.sub), .builtin(.mul),
      .builtin(.mean), .builtin(.resizeBilinear), .builtin(.localResponseNormalization):
      true
    default: false
    }
  }

  /// Whether a product or a comparison takes at most 0.75 ns with these kernels.
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

  /// The work of preparing the operator, known beforehand: some operators read all elements to
  /// compute the shapes of their results.
  func costOfInputs(_ tensors: [TensorInfo]) -> Int {
    let present = inputs.filter { $0 >= 0 }.map { tensors[$0].shape.elementCount }
    return saturatingProduct(
      present.reduce(0, saturatingSum), code == .builtin(.unique) ? Operator.sortingCost : 1)
  }

  /// The work of sorting per element: twice the logarithm of the most elements that fit in memory.
  private static let sortingCost = 64

  /// The number of products, comparisons or sums, if it can exceed the number of elements, or 0.
  private func products(_ inputs: [Shape], _ outputs: [Shape]) -> Int {
    guard let input = inputs.first, let output = outputs.first else { return 0 }
    switch options {
    case .conv2D, .fullyConnected, .transposeConv:
      return inputs.count > 1 ? saturatingProduct(output.elementCount, taps(of: inputs[1])) : 0
    case .depthwiseConv2D:
      guard inputs.count > 1, inputs[1].rank == 4 else { return 0 }
      return saturatingProduct(output.elementCount, inputs[1].product(1..<3))
    case .conv3D:
      // Filters are DHWIO; those of the transposed convolution, which are also input 1, are DHWOI.
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

  /// The same for operators without relevant options.
  private func productsWithoutOptions(_ inputs: [Shape], _ outputs: [Shape]) -> Int {
    switch code {
    case .builtin(.nonMaxSuppressionV4), .builtin(.nonMaxSuppressionV5):
      return saturatingProduct(inputs[0].elementCount, outputs[0].elementCount)
    case .builtin(.unique), .builtin(.topkV2):
      return saturatingProduct(inputs[0].elementCount, Operator.sortingCost)
    case .custom("Convolution2DTransposeBias"):
      return inputs.count > 1 ? saturatingProduct(outputs[0].elementCount, taps(of: inputs[1])) : 0
    case .custom("TFLite_Detection_PostProcess"):
      // Each candidate is compared with the selected ones, in each class.
      return inputs.count > 1
        ? saturatingProduct(inputs[1].elementCount, outputs[0].elementCount) : 0
    default: return 0
    }
  }

  /// Each step of a sequence uses all weights once.
  private func recurrentProducts(_ input: Shape, weights: ArraySlice<Shape>) -> Int {
    guard input.rank > 0 else { return 0 }
    let steps = input.product(0..<input.rank - 1)
    return saturatingProduct(steps, weights.reduce(1) { saturatingSum($0, $1.elementCount) })
  }
}

/// The number of elements of a filter per output channel.
private func taps(of filter: Shape) -> Int {
  guard filter.rank > 0 else { return 1 }
  // At least one per tap, whatever the depth.
  return (1..<filter.rank).reduce(1) { saturatingProduct($0, max(filter[$1], 1)) }
}
