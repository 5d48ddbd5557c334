//===--- MaxPoolWithArgmaxOperator.swift - MaxPoolingWithArgmax2D ---------===//
//
// Inputs   0 x: NHWC, float32.
// Outputs  0 y: NHWC, float32: the maxima.
//          1 taps: of y's shape, float32: the position of each maximum in its window.
// Options  `TfLitePoolParams` in its memory layout.
// Source   MediaPipe `max_pool_argmax.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

extension Registration {
  static let maxPoolWithArgmax = Registration(.custom("MaxPoolingWithArgmax2D"), versions: 1...1) {
    p throws(InferenceError) in
    try p.expect(inputs: 1...1, outputs: 2...2)
    let options = try p.poolParameters()
    let image = try p.shape(ofInput: 0, ranks: 4...4)
    let window = try p.window(
      on: image, height: options.filter.height, width: options.filter.width,
      padding: options.padding, strides: options.strides)
    let range = try p.floatRange(of: options.activation)
    let shape = try p.shape(window.outputExtents(depth: image[3]))
    let x = try p.input(0, as: Float.self)
    let y = try p.output(0, as: Float.self, shape: shape)
    let taps = try p.output(1, as: Float.self, shape: shape)
    p.state(
      work: saturatingProduct(
        y.count, min(window.rows.filter, image[1]), min(window.columns.filter, image[2])))
    return { e in
      Reference.maxPoolWithArgmax(
        e[x], window, depth: image[3], clampedTo: range, into: e[y], taps: e[taps],
        workers: e.workers)
    }
  }
}
