//===--- BucketizeOperator.swift - BUCKETIZE ------------------------------===//
//
// Input   0 x: float32, float64, int32 or int64.
// Output  0 y: int32, x's shape; the number of boundaries that are not greater than the element.
// Options BucketizeOptions: the boundaries, ascending.
// Source  LiteRT 2.3.0 `bucketize.cc`: integers are compared as float32.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let bucketize = Registration(.bucketize, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    guard case .bucketize(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let boundaries = options.boundaries
    for (index, pair) in zip(boundaries, boundaries.dropFirst()).enumerated()
    where pair.1 < pair.0 {
      throw .option(node: p.node, name: "boundaries", value: index + 1)
    }
    switch try p.input(0).type {
    case .float32: return try prepareBucketize(&p, boundaries) { (x: Float, y) in x < y }
    case .float64: return try prepareBucketize(&p, boundaries) { (x: Double, y) in x < Double(y) }
    case .int32: return try prepareBucketize(&p, boundaries) { (x: Int32, y) in Float(x) < y }
    case .int64: return try prepareBucketize(&p, boundaries) { (x: Int64, y) in Float(x) < y }
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func prepareBucketize<Scalar: Element>(
  _ p: inout Preparation, _ boundaries: [Float],
  _ isBelow: @escaping @Sendable (Scalar, Float) -> Bool
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Scalar.self)
  let y = try p.output(0, as: Int32.self, shape: x.shape)
  return { e in Reference.bucketize(e[x], boundaries: boundaries, into: e[y], isBelow) }
}
