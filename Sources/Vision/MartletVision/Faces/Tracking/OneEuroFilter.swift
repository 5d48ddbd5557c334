//===--- OneEuroFilter.swift - speed-adaptive smoothing -------------------===//
//
// A low-pass filter whose cutoff frequency rises with the speed. It removes jitter at rest and adds
// little lag in motion.
//
// Contract  Assumes 30 frames per second; no clock is read. The first frame is returned unchanged,
//           and so is a frame with another number of points.
// Source    Casiez, Roussel, Vogel, "1€ Filter", CHI 2012; the constants of MediaPipe's face
//           landmarker.
//===----------------------------------------------------------------------===//

/// Smooths points from frame to frame.
package struct OneEuroFilter: Sendable {
  private static let frameRate: Float = 30
  /// In hertz: the minimum cutoff, the cutoff for speeds, and the cutoff's increase per unit of
  /// speed.
  private static let (minimumCutoff, speedCutoff, slope): (Float, Float, Float) = (0.05, 1, 80)

  private var points: [SIMD3<Float>] = []
  /// In face sizes per second.
  private var speeds: [SIMD3<Float>] = []

  package init() {}

  /// Returns the next frame's points, smoothed. Speeds are measured in units of `size`, the face's
  /// size.
  package mutating func smooth(_ next: [SIMD3<Float>], size: Float) -> [SIMD3<Float>] {
    guard next.count == points.count, size > 0 else {
      points = next
      speeds = next.map { _ in .zero }
      return next
    }
    let smoothingFactor = OneEuroFilter.smoothingFactor(SIMD3(repeating: OneEuroFilter.speedCutoff))
    for index in next.indices {
      let way = next[index] - points[index]
      speeds[index] += (way * (OneEuroFilter.frameRate / size) - speeds[index]) * smoothingFactor
      let cutoff = OneEuroFilter.minimumCutoff + OneEuroFilter.slope * speeds[index].magnitudes
      points[index] += way * OneEuroFilter.smoothingFactor(cutoff)
    }
    return points
  }

  /// The weight of a new value in a low-pass filter with this cutoff frequency.
  private static func smoothingFactor(_ cutoff: SIMD3<Float>) -> SIMD3<Float> {
    cutoff / (cutoff + frameRate / (2 * .pi))
  }
}

extension SIMD3<Float> {
  fileprivate var magnitudes: SIMD3<Float> { pointwiseMax(self, -self) }
}
