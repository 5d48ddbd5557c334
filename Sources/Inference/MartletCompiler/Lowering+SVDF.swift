//===--- Lowering+SVDF.swift - layers with a state ------------------------===//
//
// Contract  As in `Lowering.swift`. The state is a value of the arena that is never overwritten.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Lowering {
  mutating func lowerSVDF(_ n: Node, _ o: SVDFOptions) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    guard n.input(4) >= 0 else {
      throw .inconsistent(node: n.index, reason: "the state is missing")
    }
    let state = graph.tensors[n.input(4)]
    let (rows, features, time) = (shape(n.input(0)), shape(n.input(1)), shape(n.input(2)))
    guard o.activation == .relu, x.isSigned, y.isSigned, state.isVariable,
      state.type == .int16 || state.type == .int8, graph.tensors[n.input(1)].type == .int8,
      graph.tensors[n.input(2)].type == state.type, hasNoZeroPoint(n, 1), hasNoZeroPoint(n, 2)
    else { return note("\(n.name) of such types") }
    guard rows.rank == 2, features.rank == 2, time.rank == 2, o.rank > 0, rows[1] == features[1],
      features[0].isMultiple(of: o.rank), time[0] == features[0], time[1] > 0
    else { throw .inconsistent(node: n.index, reason: "the weights have the wrong extents") }
    let units = features[0] / o.rank
    let byteCount = Lowering.product([
      rows[0], features[0], time[1], state.type.bitWidth / 8,
    ])
    try expect(n, rows[0], units)
    guard byteCount == self.byteCount(n.input(4)) else {
      throw .inconsistent(node: n.index, reason: "the state has another size")
    }
    let maps = [1, 2, 4].map { graph.tensors[n.input($0)].quantization }
    guard let feature = maps[0], let weight = maps[1], let memory = maps[2],
      maps.allSatisfy({ $0?.isPerTensor == true && ($0?.scale ?? 0) > 0 })
    else { throw .quantization(node: n.index, operand: 1) }
    let toState = FixedPointMultiplier(
      Double(x.scale) * Double(feature.scale) / Double(memory.scale))
    let toOutput = FixedPointMultiplier(
      Double(memory.scale) * Double(weight.scale) / Double(y.scale))
    let values = try constantBytes(n, 1)
    let sums = (0..<features[0]).map { filter in
      values[filter * features[1]..<(filter + 1) * features[1]]
        .reduce(0 as Int32) { $0 &+ Int32(Int8(bitPattern: $1)) }
    }
    let bias = n.input(3) >= 0 ? try integers(n, 3) : [Int32](repeating: 0, count: units)
    try expectBias(n, bias.count, expected: units)
    var weights = try constantBytes(n, 2)
    // Weights reach 128 or 32768, inputs and kept values less their zero points 255 or 32768.
    let greatest = 128 * 255 * Int64(features[1])
    let greatestTotal =
      bias.reduce(0) { max($0, Int64($1.magnitude)) }
      + (state.type == .int16 ? 1 << 30 : 1 << 15) * Int64(o.rank * time[1])
    guard toState.fits(greatest), toOutput.fits(greatestTotal) else {
      return note("\(n.name) with a sum of 32 bits")
    }
    while !weights.count.isMultiple(of: 4) { weights.append(0) }
    let extents = [rows[0], rows[1], units, o.rank, time[1]].map { Int32($0) }
    let factors = [toState, toOutput].flatMap { [$0.mantissa, 0 - $0.shift] }
    let zero = Int32(truncatingIfNeeded: memory.zeroPoint)
    let record = blob.append(
      extents + [zero] + factors + [y.zero] + sums.map { 0 &- x.zero &* $0 } + bias,
      weights + values)
    // At first the sums kept are zero; only bytes have a zero point in memory.
    let initialByte = state.type == .int8 ? UInt8(truncatingIfNeeded: zero) : 0
    let kept = add(Value(byteCount: byteCount, place: .arena, initialByte: initialByte))
    let operands: [Layer.Part] = [.value(value(n.input(0))), .value(kept, "state")]
    guard hasValue(n, 0) else { return }
    append(
      n, state.type == .int16 ? .svdf : .svdfBytes, [.record(record)] + operands,
      reading: operands, leads: [nil, nil], into: newOutput(n))
  }

  /// The bytes of a constant's elements.
  private func constantBytes(_ n: Node, _ operand: Int) throws(CompileError) -> [UInt8] {
    let start = try constant(n, operand).lowerBound
    return (0..<byteCount(n.input(operand))).map { model.bytes[start + $0] }
  }
}
