//===--- LocalResponseNormalization.swift - by neighboring channels -------===//
//
// y[i] = x[i] (bias + α Σ x[j]²)^-β over the channels j within `radius` of i, both ends included
//
// Contract  TFLite LOCAL_RESPONSE_NORMALIZATION over the last axis. LiteRT's reference kernel omits
//           the last channel of each window; its other kernels, TensorFlow and this one include it.
//           Order     A window's sum runs in index order.
// Cost      A pass over the window for each element.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  /// - Parameter radius: not negative.
  package static func normalizeLocally(
    _ x: UnsafeMutableBufferPointer<Float>, depth: Int, radius: Int, bias: Float, alpha: Float,
    beta: Float, into y: UnsafeMutableBufferPointer<Float>
  ) {
    for start in stride(from: 0, to: x.count, by: max(depth, 1)) {
      for channel in 0..<depth {
        let first = max(channel - radius, 0)
        let last = channel + min(radius, depth - 1 - channel)
        var sum: Float = 0
        for i in start + first...start + last { sum += x[i] * x[i] }
        y[start + channel] = x[start + channel] * VectorMath.pow(bias + alpha * sum, -beta)
      }
    }
  }
}
