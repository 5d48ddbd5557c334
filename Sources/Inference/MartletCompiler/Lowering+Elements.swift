//===--- Lowering+Elements.swift - layers without weights -----------------===//
//
// Contract  As in `Lowering.swift`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Lowering {
  mutating func lowerPool(
    _ n: Node, _ o: Pool2DOptions, isAverage: Bool
  ) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    guard x.map.zeroPoint == y.map.zeroPoint else {
      throw .inconsistent(node: n.index, reason: "input and output differ in their zero points")
    }
    guard let layer = try pooling(n, o), let range = range(n, o.activation, y) else { return }
    // So that sums have at most 30 bits.
    guard !isAverage || layer.pixelCount < 1 << 22 else {
      return note("\(n.name) of windows of more than 4 million pixels")
    }
    let record = blob.append(record(layer, inputZero: x.zero, outputZero: y.zero, range))
    append(
      n, isAverage ? .averagePool : .maxPool, record,
      tail: isAverage ? [.number("zero", Int(x.offset))] : [],
      lead: layer.order(elementSize: 1).lead(.first))
  }

  mutating func lowerMean(_ n: Node) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output),
      let layer = try meanPooling(n)
    else { return }
    let factor = meanFactor(layer, x.map, y.map)
    guard resultsFit(n, factor, reach: 255 * Int64(layer.pixelCount)) else { return }
    let record = blob.append(
      meanRecord(layer, factor, zeros: (x.zero, y.zero), range: 0...255))
    append(n, .mean, record, lead: 0)
  }

  /// The factor of the sum of all pixels.
  func meanFactor(
    _ layer: Filtering, _ x: Quantization, _ y: Quantization
  ) -> FixedPointMultiplier {
    QuantizedMean(of: layer.pixelCount, input: x, output: y, range: 0...0)
      .requantizer.multipliers[0]
  }

  /// The record of the mean of all pixels.
  func meanRecord(
    _ layer: Filtering, _ factor: FixedPointMultiplier, zeros: (x: Int32, y: Int32),
    range: ClosedRange<Int32>
  ) -> [Int32] {
    let count = Int32(layer.pixelCount)
    return [
      count, Int32(layer.depth), 0 &- zeros.x &* count, factor.mantissa, 0 - factor.shift, zeros.y,
      range.lowerBound, range.upperBound,
    ]
  }

  mutating func lowerSum(
    _ n: Node, _ kind: QuantizedSum.Kind, _ activation: Activation
  ) throws(CompileError) {
    guard let a = bytes(n, n.input(0)), let b = bytes(n, n.input(1)), let y = bytes(n, n.output)
    else { return }
    guard let pair = try pair(n, isCommutative: true), let range = range(n, activation, y) else {
      return
    }
    let sum = QuantizedSum(kind, a.map, b.map, to: y.map, extraBits: 20, range: 0...0)
    // Each operand is scaled by at most 1/2.
    guard resultsFit(n, sum.scaleY, reach: 255 << 20) else { return }
    let terms = [(a.zero, sum.scaleA), (b.zero, sum.scaleB)]
    let (first, second) = (terms[pair.first], terms[pair.second])
    let isWhole = pair.period == shape(n.output).elementCount
    let record = blob.append(
      [
        first.0, second.0, y.zero, first.1.mantissa, 0 - first.1.shift, second.1.mantissa,
        0 - second.1.shift, sum.scaleY.mantissa, 0 - sum.scaleY.shift, range.lowerBound,
        range.upperBound,
      ] + (isWhole ? [] : [Int32(pair.period)]))
    append(n, isWhole ? .add : .addRepeated, pair, record)
  }

  mutating func lowerProduct(_ n: Node, _ activation: Activation) throws(CompileError) {
    guard let a = bytes(n, n.input(0)), let b = bytes(n, n.input(1)), let y = bytes(n, n.output),
      let pair = try pair(n, isCommutative: true), let range = range(n, activation, y)
    else { return }
    let factor = QuantizedProduct(a.map, b.map, to: y.map, range: 0...0).scale
    guard resultsFit(n, factor, reach: 255 * 255) else { return }
    let zeros = [a.zero, b.zero]
    let record = blob.append([
      zeros[pair.first], zeros[pair.second], y.zero, factor.mantissa, 0 - factor.shift,
      range.lowerBound, range.upperBound, Int32(pair.period),
    ])
    append(n, .multiply, pair, record)
  }

  mutating func lowerClamp(
    _ n: Node, to real: ClosedRange<Float>
  ) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let factor = FixedPointMultiplier(Double(x.scale / y.scale))
    try lookUp(n, x, y, in: range(y, real)) { factor($0 &- x.storedZero) &+ y.storedZero }
  }

  mutating func lowerLeakyRelu(_ n: Node, _ o: LeakyReluOptions) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let relu = QuantizedLeakyRelu(input: x.map, alpha: o.alpha, output: y.map)
    try lookUp(n, x, y) { relu($0) }
  }

  mutating func lowerHardSwish(_ n: Node) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    guard let function = ByteHardSwish(input: x.map, output: y.map) else {
      throw .quantization(node: n.index, operand: 0)
    }
    try lookUp(n, x, y) { function($0) }
  }

  /// A function of bytes as they are stored, as a table. Results are clamped to a range of bytes in
  /// their unsigned form, only after the function: its sums wrap around as the interpreter's do.
  mutating func lookUp(
    _ n: Node, _ x: Bytes, _ y: Bytes, in range: ClosedRange<Int32> = 0...255,
    _ function: (Int32) -> Int32
  ) throws(CompileError) {
    let (low, high) = (range.lowerBound &- y.offset, range.upperBound &- y.offset)
    try lookUp(
      n,
      (0..<256).map { byte in
        UInt8(truncatingIfNeeded: min(max(function(byte &- x.offset), low), high) &+ y.offset)
      })
  }

  /// A function of real numbers as a table.
  mutating func lowerFunction(
    _ n: Node, _ function: (Float) -> Float
  ) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let table = ByteTable<UInt8>(
      input: Quantization(scale: x.scale, zeroPoint: Int(x.zero)),
      output: Quantization(scale: y.scale, zeroPoint: Int(y.zero)), function)
    try lookUp(n, (0..<256).map { table[UInt8($0)] })
  }

  mutating func lookUp(_ n: Node, _ table: [UInt8]) throws(CompileError) {
    try expect(n, shape(n.input(0)).elementCount)
    guard table.indices.contains(where: { Int(table[$0]) != $0 }) else { return try alias(n) }
    let record = blob.append([], table)
    append(n, .lookUp, record, tail: [.number("count", shape(n.output).elementCount)], lead: 0)
  }

  mutating func lowerSoftmax(_ n: Node, _ o: SoftmaxOptions) throws(CompileError) {
    guard let x = bytes(n, n.input(0)) else { return }
    let result = graph.tensors[n.output]
    let isShort = result.type == .int16
    let lowest = isShort ? -32768 : result.type == .int8 ? -128 : 0
    let steps = Double(o.beta) * Double(x.scale)
    guard steps > 0, steps.isFinite, isShort || result.type == graph.tensors[n.input(0)].type,
      result.quantization?.zeroPoint == lowest, isShort || result.quantization?.scale == 1 / 256
    else { throw .quantization(node: n.index, operand: 0) }
    try expect(n, shape(n.input(0)).elementCount)
    let shape = shape(n.output)
    guard let depth = shape.dimensions.last, depth > 0 else { return try alias(n) }
    let record = blob.append(ByteSoftmax(steps: steps).exponentials)
    append(
      n, isShort ? .softmaxToShorts : .softmax, record,
      tail: [.number("rows", shape.elementCount / depth), .number("depth", depth)],
      lead: growth(n))
  }

  mutating func lowerResize(_ n: Node, _ o: ResizeOptions) throws(CompileError) {
    guard bytes(n, n.input(0)) != nil, bytes(n, n.output) != nil else { return }
    let image = shape(n.input(0))
    let size = try integers(n, 1).map { Int($0) }
    guard image.rank == 4, image[0] == 1, size.count == 2, size.allSatisfy({ $0 > 0 }) else {
      return note("\(n.name) of several images")
    }
    guard image[1] > 0, image[2] > 0 else { return note("\(n.name) of an empty image") }
    try expect(n, size[0], size[1], image[3])
    guard blob.hasRoom(forIntegers: size[0] + size[1]) else { return }
    let axes = (0..<2).map { axis in
      let map = ResizeAxis(
        input: image[axis + 1], output: size[axis], alignsCorners: o.alignCorners,
        usesCenters: o.halfPixelCenters)
      return (0..<size[axis]).map { map.nearest(to: $0) }
    }
    let extents = [
      image[1], image[2], image[3], 1, 1, 1, 1, 1, 1, 0, 0, size[0], size[1], image[3],
    ]
    let record = blob.append(
      // Extents and places within tensors of at most `elementLimit` elements.
      (extents + [0, 0, 0, 0] + axes[0] + axes[1]).map { Int32($0) })
    let order = ReadingOrder(
      rowCount: size[0], columnCount: size[1], depth: image[3],
      rows: axes[0].enumerated().map { ($0, $1 * image[2] * image[3]) },
      columns: axes[1].enumerated().map { ($0, $1 * image[3]) })
    append(
      n, .resizeNearest, record, lead: order.lead(.first))
  }
}
