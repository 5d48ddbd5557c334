//===--- MeanOperator.swift - MEAN ----------------------------------------===//
//
// Inputs  0 x: float32, uint8, int8, int16, int32 or int64 of any shape
//         1 axes: int32, counted from the end if negative, repeats allowed.
// Output  0 y: as x; the reduced axes are dropped or kept as 1. Eight- and 16-bit tensors are
//         quantized.
// Source  LiteRT 2.3.0 `reduce.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let axes = 1
}

extension Registration {
  package static let mean = Registration(
    .mean, versions: 1...3, traits: OperatorTraits(cost: OperatorCost(.slow))
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    guard case .reducer(let options) = p.operation.options else { throw .options(node: p.node) }
    let (reduction, shape) = try p.reduction(keepingDimensions: options.keepDimensions)
    switch try p.input(Input.x).type {
    case .float32:
      let x = try p.input(Input.x, as: Float.self)
      let y = try p.output(0, as: Float.self, shape: shape)
      if let kernel = p.pooling(reduction) {
        let all = -Float.infinity...Float.infinity
        return { e in
          kernel.average(e[x], clampedTo: all, into: e[y], workers: e.workers)
        }
      }
      return { e in Reference.mean(e[x], reduction, into: e[y]) }
    case .uint8: return try prepareQuantized(&p, reduction, shape, as: UInt8.self)
    case .int8: return try prepareQuantized(&p, reduction, shape, as: Int8.self)
    case .int16:
      try p.expectSymmetric(inputs: [0], outputs: [0])
      return try prepareQuantized(&p, reduction, shape, as: Int16.self)
    case .int32: return try prepareInteger(&p, reduction, shape, as: Int32.self)
    case .int64: return try prepareInteger(&p, reduction, shape, as: Int64.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(Input.x), found: found)
    }
  }
}

extension Preparation {
  /// A mean along adjacent axes as an average pool of images one pixel high, whose window is the
  /// whole image.
  fileprivate func pooling(_ reduction: Reduction) -> Pooling? {
    guard kernels == .fast, let run = reduction.run, run.depth > 1,
      let rows = WindowAxis(input: 1, filter: 1, stride: 1, isSame: false),
      let columns = WindowAxis(input: run.count, filter: run.count, stride: 1, isSame: false)
    else { return nil }
    let window = SlidingWindow(batches: run.batches, rows: rows, columns: columns)
    return Pooling(window, depth: run.depth, workers: workerCount)
  }

  /// The reduction of input 0 along the axes in input 1, and the result's shape.
  fileprivate func reduction(
    keepingDimensions: Bool
  ) throws(InferenceError) -> (Reduction, Shape) {
    let input = try input(Input.x).shape
    var axes = Set<Int>()
    for index in try values(of: Input.axes, as: Int32.self) {
      axes.insert(try axis(Int(index), of: input))
    }
    let reduction = Reduction(of: input, along: axes)
    guard !keepingDimensions else { return (reduction, reduction.kept) }
    let extents = (0..<input.rank).filter { !axes.contains($0) }.map { input[$0] }
    return (reduction, try shape(extents))
  }
}

private func prepareQuantized<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ reduction: Reduction, _ shape: Shape, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(Input.x, as: Scalar.self)
  let y = try p.output(0, as: Scalar.self, shape: shape)
  let sums = try p.scratch(shape.elementCount, as: Int32.self)
  let mean = QuantizedMean(
    of: reduction.count, input: try p.perTensorQuantization(input: Input.x),
    output: try p.perTensorQuantization(output: 0),
    range: Int32(Scalar.min)...Int32(Scalar.max))
  return { e in Reference.mean(e[x], reduction, mean, sums: e[sums], into: e[y]) }
}

private func prepareInteger<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ reduction: Reduction, _ shape: Shape, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(Input.x, as: Scalar.self)
  let y = try p.output(0, as: Scalar.self, shape: shape)
  let sums = try p.scratch(shape.elementCount, as: Int64.self)
  return { e in Reference.mean(e[x], reduction, sums: e[sums], into: e[y]) }
}
