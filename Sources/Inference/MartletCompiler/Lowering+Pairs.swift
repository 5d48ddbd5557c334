//===--- Lowering+Pairs.swift - layers of two operands --------------------===//
//
// Contract  As in `Lowering.swift`. One operand has the output's shape; the other one may be smaller
//           if its extents end the output's, so that it repeats. Either may be a constant.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Lowering {
  /// The operands of an elementwise layer, the one of the output's shape first.
  struct Pair {
    let first, second: Int
    /// The number of elements after which the second one repeats.
    let period: Int
  }

  /// The operands of an elementwise layer, or `nil` after noting why there is no kernel.
  mutating func pair(_ n: Node, isCommutative: Bool) throws(CompileError) -> Pair? {
    guard hasValue(n, 0, orConstant: true), hasValue(n, 1, orConstant: true) else { return nil }
    let types = [n.input(0), n.input(1), n.output].map { graph.tensors[$0].type }
    let count = shape(n.output).elementCount
    guard types.allSatisfy({ $0 == types[0] }) else {
      note("\(n.name) of \(types[0]) and \(types[1]) to \(types[2])")
      return nil
    }
    guard let a = period(n, 0), let b = period(n, 1), max(a, b) == count,
      a == count || isCommutative
    else {
      note("\(n.name) of the shapes \(shape(n.input(0))) and \(shape(n.input(1)))")
      return nil
    }
    return a == count
      ? Pair(first: 0, second: 1, period: b) : Pair(first: 1, second: 0, period: a)
  }

  /// The number of elements after which an operand repeats in the output, or `nil` if its extents
  /// do not end the output's.
  private func period(_ n: Node, _ operand: Int) -> Int? {
    let extents = shape(n.input(operand)).dimensions.drop { $0 == 1 }
    return shape(n.output).dimensions.suffix(extents.count).elementsEqual(extents)
      ? shape(n.input(operand)).elementCount : nil
  }

  /// Appends an elementwise layer of two operands.
  mutating func append(_ n: Node, _ kernel: Kernel, _ pair: Pair, _ record: Int) {
    let count = shape(n.output).elementCount
    let operands = [operand(n, pair.first), operand(n, pair.second)]
    append(
      n, kernel, [.record(record)] + operands, tail: [.number("count", count)], reading: operands,
      leads: [0, pair.period == count ? 0 : nil], into: newOutput(n))
  }
}
