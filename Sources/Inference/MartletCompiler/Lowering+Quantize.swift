//===--- Lowering+Quantize.swift - changes of scale and type --------------===//
//
// Contract  As in `Lowering.swift`. Where the elements of the output are wider, it begins so much
//           lower that no unread element is overwritten.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Lowering {
  mutating func lowerQuantize(_ n: Node) throws(CompileError) {
    switch (graph.tensors[n.input(0)].type, graph.tensors[n.output].type) {
    case (.float32, .int16):
      guard let y = shorts(n, n.output) else { return }
      try convert(n, .quantizeShorts, [Int32(bits: y.scale), 0])
    case (.float32, _):
      guard let y = bytes(n, n.output) else { return }
      try convert(n, .quantizeFloats, [Int32(bits: y.scale), y.zero])
    case (.int8, .int16): try requantize(n, .shortsFromBytes, -32768...32767)
    case (.int16, .int8): try requantize(n, .bytesFromShorts, 0...255)
    case (.int16, .int16): try requantize(n, .shortsFromShorts, -32768...32767)
    case (.int16, .int32): try requantize(n, .integersFromShorts, Int32.min...Int32.max)
    default:
      guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
      let factor = FixedPointMultiplier(Double(x.scale) / Double(y.scale))
      try lookUp(n, x, y) { factor($0 &- x.storedZero) &+ y.storedZero }
    }
  }

  mutating func lowerDequantize(_ n: Node) throws(CompileError) {
    let type = graph.tensors[n.input(0)].type
    if type == .float16, isConstant(n.input(0)) {
      try expect(n, shape(n.input(0)).elementCount)
      halves[n.output] = n.input(0)
      return
    }
    guard graph.tensors[n.output].type == .float32 else { return note("\(n.name) of \(type)") }
    if type == .int16 {
      guard let x = shorts(n, n.input(0)) else { return }
      try convert(n, .dequantizeShorts, [Int32(bits: x.scale), 0])
    } else {
      guard let x = bytes(n, n.input(0)) else { return }
      try convert(n, .dequantizeBytes, [Int32(bits: x.scale), x.zero])
    }
  }

  /// Appends a change between types of integers.
  private mutating func requantize(
    _ n: Node, _ kernel: Kernel, _ range: ClosedRange<Int32>
  ) throws(CompileError) {
    let maps = [n.input(0), n.output].map { graph.tensors[$0].quantization }
    guard let x = maps[0], let y = maps[1], x.isPerTensor, y.isPerTensor, x.scale > 0, y.scale > 0,
      (x.scale / y.scale).isFinite
    else { throw .quantization(node: n.index, operand: 0) }
    let zeros = [(n.input(0), x), (n.output, y)].map { tensor, map in
      Int32(truncatingIfNeeded: map.zeroPoint) &+ (graph.tensors[tensor].type == .int8 ? 128 : 0)
    }
    let factor = FixedPointMultiplier(Double(x.scale) / Double(y.scale))
    // Only bytes have another zero point than in the interpreter.
    guard kernel != .bytesFromShorts || resultsFit(n, factor, reach: 65535) else { return }
    try convert(
      n, kernel,
      [
        zeros[0], factor.mantissa, 0 - factor.shift, zeros[1], range.lowerBound, range.upperBound,
      ])
  }

  /// Appends a layer that changes each element by itself.
  private mutating func convert(
    _ n: Node, _ kernel: Kernel, _ record: [Int32]
  ) throws(CompileError) {
    let count = shape(n.input(0)).elementCount
    try expect(n, count)
    append(
      n, kernel, blob.append(record), tail: [.number("count", count)], lead: growth(n))
  }

  /// The lead of an output whose elements may be wider than those of the input.
  func growth(_ n: Node) -> Int {
    let widths = [n.output, n.input(0)].map { graph.tensors[$0].type.bitWidth / 8 }
    return max(widths[0] - widths[1], 0) * max(shape(n.output).elementCount - 1, 0)
  }
}
