//===--- SegmentSumOperator.swift - SEGMENT_SUM, UNSORTED_SEGMENT_MAX... --===//
//
// SEGMENT_SUM       Inputs 0 x: float32 or int32; 1 ids: int32, one for each of x's outermost
//                   slices, from 0 in steps of 0 or 1. Output 0 y: for each id the sum of its
//                   slices; its extents depend on the ids' values.
// UNSORTED_SEGMENT  Inputs 0 x: float32 or int32; 1 ids: int32, of x's outermost extents; 2 the
//                   number of segments: one int32. Output 0 y: for each segment the largest,
//                   smallest, product or sum of its slices; slices with negative ids are ignored.
// Source            LiteRT 2.3.0 `segment_sum.cc`, `unsorted_segment.cc`. Integers wrap.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs; SEGMENT_SUM has no count.
private enum Input {
  static let x = 0
  static let ids = 1
  static let segmentCount = 2
}

extension Registration {
  static let segmentSum = Registration(.segmentSum, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    try p.shape(ofInput: Input.x, ranks: 1...Shape.maximumRank)
    try p.shape(ofInput: Input.ids, ranks: 1...1)
    let ids = try p.values(of: Input.ids, as: Int32.self)
    var last: Int32 = -1
    for id in ids {
      // The first id is 0: one more than -1.
      guard id == last &+ 1 || (id == last && id >= 0) else {
        throw .indexOutOfRange(
          node: p.node, operand: .input(Input.ids), found: Int(id), limit: Int(last) + 2)
      }
      last = id
    }
    return try prepareSum(&p, segments: Int(last) + 1)
  }

  static let unsortedSegmentMax = Registration(
    .unsortedSegmentMax, versions: 1...1
  ) { p throws(InferenceError) in
    let segments = try p.segments()
    // Keeps the first operand if both are equal or either is NaN, as `std::max`.
    switch try p.input(Input.x).type {
    case .int32: return try prepareSegments(&p, segments, Int32.min) { $0 < $1 ? $1 : $0 }
    default:
      return try prepareSegments(&p, segments, -Float.greatestFiniteMagnitude) { $0 < $1 ? $1 : $0 }
    }
  }

  static let unsortedSegmentMin = Registration(
    .unsortedSegmentMin, versions: 1...1
  ) { p throws(InferenceError) in
    let segments = try p.segments()
    switch try p.input(Input.x).type {
    case .int32: return try prepareSegments(&p, segments, Int32.max) { $1 < $0 ? $1 : $0 }
    default:
      return try prepareSegments(&p, segments, Float.greatestFiniteMagnitude) { $1 < $0 ? $1 : $0 }
    }
  }

  static let unsortedSegmentProd = Registration(
    .unsortedSegmentProd, versions: 1...1
  ) { p throws(InferenceError) in
    let segments = try p.segments()
    switch try p.input(Input.x).type {
    case .int32: return try prepareSegments(&p, segments, Int32(1)) { $0 &* $1 }
    default: return try prepareSegments(&p, segments, Float(1)) { $0 * $1 }
    }
  }

  static let unsortedSegmentSum = Registration(
    .unsortedSegmentSum, versions: 1...1
  ) { p throws(InferenceError) in
    try prepareSum(&p, segments: try p.segments())
  }
}

extension Preparation {
  /// The number of segments in input 2.
  fileprivate func segments() throws(InferenceError) -> Int {
    try expect(inputs: 3...3)
    try shape(ofInput: Input.segmentCount, ranks: 0...1)
    try expectCount(1, input: Input.segmentCount)
    let segments = Int(try values(of: Input.segmentCount, as: Int32.self)[0])
    guard segments >= 0 else {
      throw .option(node: node, name: "num_segments", value: segments)
    }
    return segments
  }
}

private func prepareSum(
  _ p: inout Preparation, segments: Int
) throws(InferenceError) -> Evaluate {
  switch try p.input(Input.x).type {
  case .int32: return try prepareSegments(&p, segments, Int32(0)) { $0 &+ $1 }
  default: return try prepareSegments(&p, segments, Float(0)) { $0 + $1 }
  }
}

private func prepareSegments<Scalar: Element>(
  _ p: inout Preparation, _ segments: Int, _ initial: Scalar,
  _ combine: @escaping @Sendable (Scalar, Scalar) -> Scalar
) throws(InferenceError) -> Evaluate {
  let x = try p.input(Input.x, as: Scalar.self)
  let ids = try p.input(Input.ids, as: Int32.self)
  try p.shape(ofInput: Input.ids, ranks: 0...x.shape.rank)
  for axis in 0..<ids.shape.rank {
    try p.expect(ids.shape, ofInput: Input.ids, axis: axis, extent: x.shape[axis])
  }
  let inner = x.shape.dimensions[ids.shape.rank...]
  let y = try p.output(0, as: Scalar.self, shape: try p.shape([segments] + inner))
  let run = x.shape.product(ids.shape.rank..<x.shape.rank)
  return p.evaluation(withIndicesIn: Input.ids) { e throws(IndexOutOfRange) in
    try Reference.combineSegments(
      e[x], ids: e[ids], run: run, segments: segments, initial: initial, into: e[y], combine)
  }
}
