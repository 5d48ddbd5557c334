//===--- StableHLOPadOperator.swift - STABLEHLO_PAD, DILATE ---------------===//
//
// STABLEHLO_PAD  Inputs  0 x: any type; 1 the element to fill with, of x's type.
//                Options StableHLOPadOptions: the elements to add before, after and between those
//                        of each axis; negative numbers at the edges remove some.
// DILATE         Inputs  0 x: any type; 1 the distance between neighbors along each axis: int32,
//                        [rank]; 2 the element to fill with.
// Output         0 y: x's type.
// Source         LiteRT 2.3.0 `stablehlo_pad.cc`, `dilate.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let stableHLOPad = Registration(.stablehloPad, versions: 1...1) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    guard case .stableHLOPad(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let x = try p.shape(ofInput: 0, ranks: 1...Shape.maximumRank)
    for (name, values) in [
      ("edge_padding_low", options.before), ("edge_padding_high", options.after),
      ("interior_padding", options.between),
    ] where values.count != x.rank {
      throw .option(node: p.node, name: "number of \(name)", value: values.count)
    }
    var axes: [AxisPadding] = []
    for axis in 0..<x.rank {
      let between = options.between[axis]
      guard between >= 0, between < Int(Int32.max) else {
        throw .option(node: p.node, name: "interior_padding", value: between)
      }
      axes.append(
        try p.padding(
          ofAxis: axis, before: options.before[axis], after: options.after[axis],
          spacing: between + 1))
    }
    return try p.prepareSpread(axes, filler: 1)
  }

  static let dilate = Registration(.dilate, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    let x = try p.shape(ofInput: 0, ranks: 1...Shape.maximumRank)
    try p.expectType([.int32], input: 1)
    try p.shape(ofInput: 1, ranks: 1...1)
    try p.expectCount(x.rank, input: 1)
    var axes: [AxisPadding] = []
    for (axis, spacing) in try p.integers(of: 1).enumerated() {
      guard spacing >= 1 else { throw .option(node: p.node, name: "dilations", value: spacing) }
      axes.append(try p.padding(ofAxis: axis, before: 0, after: 0, spacing: spacing))
    }
    return try p.prepareSpread(axes, filler: 2)
  }
}

extension Preparation {
  /// The padding of an axis of input 0; `spacing` is positive and fits in 32 bits.
  func padding(
    ofAxis axis: Int, before: Int, after: Int, spacing: Int
  ) throws(InferenceError) -> AxisPadding {
    for value in [before, after] where value.magnitude > UInt(Int32.max) {
      throw .option(node: node, name: "padding", value: value)
    }
    let input = try input(0).shape[axis]
    guard
      let padding = AxisPadding(input: input, before: before, after: after, spacing: spacing)
    else {
      let extent = AxisPadding.extent(input, before: before, after: after, spacing: spacing)
      throw .extent(
        node: node, operand: .output(0), axis: axis, found: Int(clamping: extent),
        expected: extent < 0 ? 0 : Int(Int32.max))
    }
    return padding
  }

  /// Input `filler` is the element to fill with.
  fileprivate mutating func prepareSpread(
    _ axes: [AxisPadding], filler: Int
  ) throws(InferenceError) -> Evaluate {
    let x = try inputBytes(0)
    let element = try inputBytes(filler, typedAs: 0)
    try expectCount(1, input: filler)
    let y = try outputBytes(0, typedAs: 0, shape: try shape(axes.map { $0.result }))
    let pad = SpreadPadding(axes, elementSize: y.elementSize)
    return { e in pad(e[x], filler: e[element], into: e[y], workers: e.workers) }
  }
}
