//===--- OneEuroFilter.swift - points that tremble less -------------------===//
//
// A low-pass filter whose cutoff frequency rises with the speed: what rests is held still, what moves is
// tracked without delay.
//
// Contract  Frames are counted, 30 to a second; no clock is read. The first frame comes back as it is, and
//           so does one of another number of points.
// Source    Casiez, Roussel, Vogel, "1€ Filter", CHI 2012; the constants of MediaPipe's face landmarker.
// Checked   Tests/MartletFacesTests/OneEuroFilterTests.swift
//===----------------------------------------------------------------------===//

/// Smooths points from frame to frame.
package struct OneEuroFilter: Sendable {
  private static let frameRate: Float = 30
  /// In hertz: of what rests, of speeds, and by how much the former rises with the speed.
  private static let (leastCutoff, speedCutoff, slope): (Float, Float, Float) = (0.05, 1, 80)

  private var points: [SIMD3<Float>] = []
  /// In sizes of the face a second.
  private var speeds: [SIMD3<Float>] = []

  package init() {}

  /// The next frame's points, smoothed. Speeds are measured in `size`s, of the face.
  package mutating func smooth(_ next: [SIMD3<Float>], size: Float) -> [SIMD3<Float>] {
    guard next.count == points.count, size > 0 else {
      points = next
      speeds = next.map { _ in .zero }
      return next
    }
    let share = OneEuroFilter.share(SIMD3(repeating: OneEuroFilter.speedCutoff))
    for index in next.indices {
      let way = next[index] - points[index]
      speeds[index] += (way * (OneEuroFilter.frameRate / size) - speeds[index]) * share
      let cutoff = OneEuroFilter.leastCutoff + OneEuroFilter.slope * speeds[index].magnitudes
      points[index] += way * OneEuroFilter.share(cutoff)
    }
    return points
  }

  /// What a new value counts in a low-pass filter with a cutoff frequency.
  private static func share(_ cutoff: SIMD3<Float>) -> SIMD3<Float> {
    cutoff / (cutoff + frameRate / (2 * .pi))
  }
}

extension SIMD3<Float> {
  fileprivate var magnitudes: SIMD3<Float> { pointwiseMax(self, -self) }
}
