//===--- Lowering+Movement.swift - layers that move elements --------------===//
//
// Contract  As in `Lowering.swift`. Elements of all types are moved as bytes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Lowering {
  /// Gives the output the input's memory.
  mutating func alias(_ n: Node) throws(CompileError) {
    try expect(n, shape(n.input(0)).elementCount)
    let types = [n.input(0), n.output].map { graph.tensors[$0].type }
    guard types[0] == types[1] || types.allSatisfy({ $0 == .int8 || $0 == .uint8 }) else {
      return note("\(n.name) to another type")
    }
    guard hasValue(n, 0) else { return }
    valueOfTensor[n.output] = value(n.input(0))
  }

  mutating func lowerConcatenation(
    _ n: Node, _ o: ConcatenationOptions
  ) throws(CompileError) {
    guard let size = elementSize(n), o.activation == .none else {
      return note("\(n.name) of \(graph.tensors[n.output].type)")
    }
    let result = shape(n.output)
    let axis = o.axis < 0 ? o.axis + result.rank : o.axis
    guard (0..<result.rank).contains(axis) else {
      throw .inconsistent(node: n.index, reason: "there is no axis \(o.axis)")
    }
    let inner = result.product(axis + 1..<result.rank) * size
    let runs = n.operation.inputs.map { shape($0).rank == result.rank ? shape($0)[axis] : -1 }
    guard runs.allSatisfy({ $0 >= 0 }), runs.reduce(0, +) == result[axis] else {
      throw .inconsistent(node: n.index, reason: "the inputs do not fill the output")
    }
    let rows = result.product(0..<axis)
    let output = newOutput(n)
    var offset = 0
    for (operand, extent) in runs.enumerated() where hasValue(n, operand, orConstant: true) {
      guard shape(n.input(operand)).elementCount * size == rows * extent * inner else {
        throw .inconsistent(node: n.index, reason: "the inputs have different shapes")
      }
      guard let source = rescaled(n, operand) else { return }
      let numbers = [
        ("rows", rows), ("run", extent * inner), ("offset", offset),
        ("pitch", result[axis] * inner),
      ]
      append(
        n, .copyRows, [source] + numbers.map { .number($0, $1) }, reading: [source],
        leads: [nil], into: output)
      offset += extent * inner
    }
  }

  /// An operand on the output's scale, or `nil` after noting that it has another one.
  private mutating func rescaled(_ n: Node, _ operand: Int) -> Layer.Part? {
    let (x, y) = (graph.tensors[n.input(operand)], graph.tensors[n.output])
    guard x.type == y.type else {
      note("\(n.name) of different types")
      return nil
    }
    let part = self.operand(n, operand)
    guard y.type == .int8 || y.type == .uint8, x.quantization != y.quantization else { return part }
    guard y.type == .uint8, let from = x.quantization, let to = y.quantization, from.isPerTensor,
      to.isPerTensor
    else {
      note("\(n.name) of different scales")
      return nil
    }
    let table = ByteTable<UInt8>.rescaling(from, to: to)
    let entries = (0..<256).map { table[UInt8($0)] }
    guard entries.indices.contains(where: { Int(entries[$0]) != $0 }) else { return part }
    let count = shape(n.input(operand)).elementCount
    let output = add(Value(byteCount: count, place: .arena))
    append(
      n, .lookUp, [.record(blob.append([], entries)), part, .number("count", count)],
      reading: [part], leads: [0], into: output)
    return .value(output)
  }

  mutating func lowerPad(_ n: Node) throws(CompileError) {
    let (x, y) = (graph.tensors[n.input(0)], graph.tensors[n.output])
    let (image, result) = (shape(n.input(0)), shape(n.output))
    guard let size = elementSize(n), x.type == y.type, image.rank <= 4 else {
      return note("\(n.name) of \(x.type)")
    }
    let amounts = try integers(n, 1)
    guard amounts.count == 2 * image.rank, result.rank == image.rank,
      (0..<image.rank).allSatisfy({ axis in
        let (before, after) = (Int(amounts[2 * axis]), Int(amounts[2 * axis + 1]))
        return before >= 0 && after >= 0 && before + image[axis] + after == result[axis]
      })
    else { throw .inconsistent(node: n.index, reason: "the borders do not fill the output") }
    var axes = [[Int32]](repeating: [1, 0, 0], count: 4 - image.rank)
    // The output has at most `elementLimit` elements, and no more along an axis.
    for axis in 0..<image.rank {
      axes.append([Int32(image[axis]), amounts[2 * axis], amounts[2 * axis + 1]])
    }
    axes[3] = axes[3].map { $0 * Int32(size) }
    let isByte = y.type == .int8 || y.type == .uint8
    guard !isByte || y.quantization != nil || y.type == .uint8 else {
      return note("\(n.name) of int8 without a scale")
    }
    let zero = isByte ? Int32(truncatingIfNeeded: y.quantization?.zeroPoint ?? 0) : 0
    let record = blob.append(axes.flatMap { $0 } + [zero &+ (y.type == .int8 ? 128 : 0)])
    append(n, .pad, record, lead: nil)
  }

  /// The bytes of an output's element, or `nil` if compiled models have no elements of its type.
  func elementSize(_ n: Node) -> Int? {
    switch graph.tensors[n.output].type {
    case .float32, .int32: 4
    case .int16: 2
    case .int8, .uint8: 1
    default: nil
    }
  }
}
