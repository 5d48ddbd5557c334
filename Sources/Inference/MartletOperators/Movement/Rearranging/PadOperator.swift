//===--- PadOperator.swift - PAD, PADV2, MIRROR_PAD -----------------------===//
//
// Inputs  0 x: any type; 1 paddings: [rank, 2] of int32 or int64, none negative. PADV2: 2 the
//         element to fill with, of x's type and, if quantized, scale.
// Output  0 y: x with borders. PAD fills with zero: the zero point if quantized.
// Options MirrorPadOptions: whether the border itself is repeated.
// Source  LiteRT 2.3.0 `pad.cc`, `mirror_pad.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let paddings = 1
  static let filling = 2
}

extension Registration {
  static let pad = Registration(.pad, versions: 1...6, prepare: preparePad)
  static let padV2 = Registration(.padv2, versions: 1...6, prepare: preparePad)
  static let mirrorPad = Registration(.mirrorPad, versions: 1...3) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    guard case .mirrorPad(let options) = p.operation.options else { throw .options(node: p.node) }
    let skip = options.mode == .reflect ? 1 : 0
    let x = try p.inputBytes(Input.x)
    let (before, after) = try paddings(p)
    for axis in 0..<x.shape.rank {
      let limit = max(x.shape[axis] - skip, 0)
      for amount in [before[axis], after[axis]] where amount > limit {
        throw .option(node: p.node, name: "paddings", value: amount)
      }
    }
    let (border, y) = try prepareBorder(&p, x, before, after)
    return { e in border.mirror(e[x], skip: skip, into: e[y]) }
  }
}

@Sendable private func preparePad(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 2...3)
  let x = try p.inputBytes(Input.x)
  let (before, after) = try paddings(p)
  let (border, y) = try prepareBorder(&p, x, before, after)
  if p.hasInput(Input.filling) {
    let filler = try p.inputBytes(Input.filling, typedAs: Input.x)
    guard filler.shape.elementCount == 1 else {
      throw .elementCount(
        node: p.node, operand: .input(Input.filling), found: filler.shape.elementCount, expected: 1)
    }
    return { e in border.fill(e[x], with: e[filler], into: e[y], workers: e.workers) }
  }
  let zero = try p.zeroElement(ofOutput: 0)
  return { e in
    withUnsafeBytes(of: zero) { bytes in
      guard let filler = bytes.baseAddress else { return }
      border.fill(e[x], with: filler, into: e[y], workers: e.workers)
    }
  }
}

private func prepareBorder(
  _ p: inout Preparation, _ x: ByteOperand, _ before: [Int], _ after: [Int]
) throws(InferenceError) -> (Border, ByteOperand) {
  let extents = (0..<x.shape.rank).map {
    saturatingSum(before[$0], saturatingSum(x.shape[$0], after[$0]))
  }
  let y = try p.outputBytes(0, typedAs: Input.x, shape: try p.shape(extents))
  let border = Border(
    shape: x.shape, before: before, after: after, elementSize: x.elementSize)
  return (border, y)
}

/// The amounts before and after each axis of input 0, each in 0...Int32.max.
private func paddings(_ p: Preparation) throws(InferenceError) -> ([Int], [Int]) {
  let rank = try p.input(Input.x).shape.rank
  let shape = try p.input(Input.paddings).shape
  try p.shape(ofInput: Input.paddings, ranks: 2...2)
  for (axis, expected) in [rank, 2].enumerated() where shape[axis] != expected {
    throw .extent(
      node: p.node, operand: .input(Input.paddings), axis: axis, found: shape[axis],
      expected: expected)
  }
  let amounts = try p.integers(of: Input.paddings)
  for amount in amounts where amount < 0 || amount > Int(Int32.max) {
    throw .option(node: p.node, name: "paddings", value: amount)
  }
  return ((0..<rank).map { amounts[2 * $0] }, (0..<rank).map { amounts[2 * $0 + 1] })
}
