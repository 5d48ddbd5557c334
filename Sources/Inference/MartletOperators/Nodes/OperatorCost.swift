//===--- OperatorCost.swift - estimated work of an operator ---------------===//
//
// A file of a few hundred bytes can contain a convolution that runs for years in little memory. So
// the work of each node is estimated from its shapes before it runs: the number of elements that it
// reads and writes, or of products and comparisons if that is larger. A unit of work takes about
// four nanoseconds on one core. It is one element, or 16 products of a fast kernel; the slowest
// operators count four units per element.
//
// Contract  An estimate from measured kernels: those take at most about three times as long, and
//           most take less. `Int.max` if the number overflows.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

/// How the work of an operator depends on its shapes. The default is one unit per element.
package struct OperatorCost: Sendable {
  /// A number that depends on a node's options and shapes. Absent inputs have no elements.
  package typealias Count =
    @Sendable (_ options: OperatorOptions, _ inputs: [Shape], _ outputs: [Shape]) -> Int

  /// How long a product, or an element if there are no products, takes.
  package enum Speed: Sendable {
    /// Up to 12 ns: one unit.
    case normal
    /// Up to 48 ns: four units.
    case slow
    /// Up to 0.75 ns: sixteen in a unit.
    case fast
    /// Fast for float32, int8 and uint8 with the fast kernels, otherwise normal.
    case fastKernels
  }

  /// The number of multiplications with weights; `nil` for operators without weights.
  package let multiplyAdds: Count?
  /// The number of products or comparisons, if it can exceed the number of elements.
  let products: Count?
  let speed: Speed
  /// The work for each element of the inputs while the node is prepared: some operators read all
  /// elements to compute the shapes of their results.
  let preparation: Int

  init(
    _ speed: Speed = .normal, multiplyAdds: Count? = nil, products: Count? = nil,
    preparation: Int = 1
  ) {
    self.speed = speed
    self.multiplyAdds = multiplyAdds
    self.products = products ?? multiplyAdds
    self.preparation = preparation
  }

  /// The work of calling an operator without elements.
  package static let overhead = 256

  /// The products of a fast kernel, or comparisons, in one unit of work.
  static let productsPerUnit = 16

  /// The work of sorting per element: twice the logarithm of the most elements that fit in memory.
  static let sorting = 64

  /// Returns the estimated work of one run of `operation`.
  package func work(of operation: Operator, _ tensors: [TensorInfo], kernels: KernelSet) -> Int {
    let inputs = operation.shapes(operation.inputs, tensors)
    let outputs = operation.shapes(operation.outputs, tensors)
    let touched = (inputs + outputs).reduce(OperatorCost.overhead) {
      saturatingSum($0, $1.elementCount)
    }
    let products =
      inputs.isEmpty || outputs.isEmpty
      ? 0 : self.products?(operation.options, inputs, outputs) ?? 0
    let type = operation.inputs.first { $0 >= 0 }.map { tensors[$0].type }
    return switch speed {
    case .fast: fastWork(touched, products)
    case .fastKernels
    where kernels == .fast && (type == .float32 || type == .int8 || type == .uint8):
      fastWork(touched, products)
    case .slow: saturatingProduct(max(touched, products), 4)
    case .normal, .fastKernels: max(touched, products)
    }
  }

  private func fastWork(_ touched: Int, _ products: Int) -> Int {
    products == .max ? .max : max(touched, products / OperatorCost.productsPerUnit)
  }

  /// Returns the work of preparing `operation`, which is known beforehand.
  package func preparationWork(of operation: Operator, _ tensors: [TensorInfo]) -> Int {
    let elements = operation.shapes(operation.inputs, tensors).reduce(0) {
      saturatingSum($0, $1.elementCount)
    }
    return saturatingProduct(elements, preparation)
  }
}

extension Operator {
  /// The shapes of operands; absent ones have no elements.
  package func shapes(_ operands: [Int], _ tensors: [TensorInfo]) -> [Shape] {
    operands.map { $0 < 0 ? Shape(0) : tensors[$0].shape }
  }
}

extension OperatorCost {
  /// Each output element is a sum over a filter, input 1, whose first axis is that of the output
  /// channels. Counts at least one product per tap, whatever the depth.
  static let filterProducts: Count = { _, inputs, outputs in
    guard inputs.count > 1 else { return 0 }
    let filter = inputs[1]
    return (1..<max(filter.rank, 1)).reduce(outputs[0].elementCount) {
      saturatingProduct($0, max(filter[$1], 1))
    }
  }

  /// An operator of two tensors, one of which may be broadcast; then each run along the last axis
  /// takes time of its own.
  static func pairs(_ speed: Speed = .normal, perElement: Int = 1) -> OperatorCost {
    OperatorCost(
      speed,
      products: { _, inputs, outputs in
        guard inputs.count == 2, inputs[0] != inputs[1] else {
          return saturatingProduct(outputs[0].elementCount, perElement)
        }
        let rows = rows(of: outputs[0])
        return saturatingSum(
          saturatingProduct(outputs[0].elementCount, perElement), saturatingProduct(rows, 16))
      })
  }

  /// The number of runs along the last axis.
  static func rows(of shape: Shape) -> Int {
    shape.rank == 0 ? 1 : shape.elementCount / max(shape[shape.rank - 1], 1)
  }

  /// Sorts the elements of the first input.
  static let sortingProducts: Count = { _, inputs, _ in
    saturatingProduct(inputs[0].elementCount, sorting)
  }
}
