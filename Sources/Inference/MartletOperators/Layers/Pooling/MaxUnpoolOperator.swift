//===--- MaxUnpoolOperator.swift - MaxUnpooling2D, LiteRtMaxUnpooling2D ---===//
//
// Inputs   0 x: NHWC, float32.
//          1 places: of x's shape. float32: taps, as MaxPoolingWithArgmax2D returns them; int32:
//          indices into the image of the result.
// Output   0 y: NHWC, float32. For taps: x's height and width times the filter's. For indices:
//          times the strides (SAME), or the image size of a pool without padding whose result has
//          x's size (VALID).
// Options  `TfLitePoolParams` in its memory layout.
// Source   MediaPipe `max_unpooling.cc` (taps); LiteRT 2.3.0 `perception/max_unpooling_2d.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let places = 1
}

extension Registration {
  static let maxUnpool = Registration(
    .custom("MaxUnpooling2D"), versions: 1...1, prepare: prepareMaxUnpool)
  static let liteRTMaxUnpool = Registration(
    .custom("LiteRtMaxUnpooling2D"), versions: 1...1, prepare: prepareMaxUnpool)
}

@Sendable private func prepareMaxUnpool(
  _ p: inout Preparation
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 2...2)
  let options = try p.poolParameters()
  let image = try p.shape(ofInput: Input.x, ranks: 4...4)
  let places = try p.shape(ofInput: Input.places, ranks: 4...4)
  for axis in 0..<4 { try p.expect(places, ofInput: Input.places, axis: axis, extent: image[axis]) }
  let x = try p.input(Input.x, as: Float.self)
  if try p.input(Input.places).type == .int32 { return try prepareIndices(&p, options, x) }
  let taps = try p.input(Input.places, as: Float.self)
  // Extents and filters are below 2³¹, so the product of two does not overflow.
  let rows = UnpoolAxis(
    input: image[1], filter: options.filter.height, stride: options.strides.height)
  let columns = UnpoolAxis(
    input: image[2], filter: options.filter.width, stride: options.strides.width)
  let shape = try p.shape([image[0], rows.output, columns.output, image[3]])
  let y = try p.output(0, as: Float.self, shape: shape)
  return { e in
    Reference.maxUnpool(
      e[x], taps: e[taps], rows: rows, columns: columns, depth: image[3], into: e[y],
      workers: e.workers)
  }
}

private func prepareIndices(
  _ p: inout Preparation, _ options: PoolParameters, _ x: Operand<Float>
) throws(InferenceError) -> Evaluate {
  func extent(_ input: Int, _ stride: Int, _ filter: Int) -> Int {
    options.padding == .same ? input * stride : max(input - 1, 0) * stride + filter
  }
  let shape = try p.shape([
    x.shape[0], extent(x.shape[1], options.strides.height, options.filter.height),
    extent(x.shape[2], options.strides.width, options.filter.width), x.shape[3],
  ])
  let indices = try p.input(Input.places, as: Int32.self)
  let y = try p.output(0, as: Float.self, shape: shape)
  return p.evaluation(withIndicesIn: Input.places) { e throws(IndexOutOfRange) in
    try Reference.maxUnpool(
      e[x], places: e[indices], batches: shape[0], run: shape.product(1..<4), into: e[y])
  }
}
