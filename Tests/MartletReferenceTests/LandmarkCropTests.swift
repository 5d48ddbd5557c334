import Foundation
import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct LandmarkCropTests {
  private func matrix(_ landmarks: [Float], _ crop: LandmarkCrop) -> [Float] {
    filled(16, with: Float.nan) { y in
      withBuffer(landmarks) { Reference.landmarkMatrix($0, crop, into: y) }
    }
  }

  private func crop(
    angle: Float = 0, subset: [Int] = [0, 1, 2, 3], scale: Float = 1
  ) -> LandmarkCrop {
    LandmarkCrop(
      subset: subset, left: 0, right: 1, targetAngle: angle, width: 10, height: 20, scaleX: scale,
      scaleY: scale)
  }

  /// Corners of a box from (10, 20) to (30, 60), upper side first; depths have no effect.
  static let upright: [Float] = [10, 20, 5, 30, 20, -5, 30, 60, 1, 10, 60, 2]

  private func place(_ m: [Float], _ x: Float, _ y: Float) -> SIMD2<Float> {
    SIMD2(m[0] * x + m[1] * y + m[3], m[4] * x + m[5] * y + m[7])
  }

  @Test func scalesAndShiftsUprightBox() {
    let m = matrix(LandmarkCropTests.upright, crop())
    #expect(m == [2, 0, 0, 10, 0, 2, 0, 20, 0, 0, 1, 0, 0, 0, 0, 1])
  }

  @Test func scalesEnlargeTheCropAroundItsCenter() {
    let m = matrix(LandmarkCropTests.upright, crop(scale: 1.5))
    #expect(place(m, 0, 0) == SIMD2(5, 10))
    #expect(place(m, 10, 20) == SIMD2(35, 70))
  }

  @Test func rotatedBoxHasRotatedCrop() {
    // A quarter turn: the line from left to right points down.
    let m = matrix([60, 10, 0, 60, 30, 0, 20, 30, 0, 20, 10, 0], crop())
    for (corner, expected) in [
      ((0, 0), SIMD2<Float>(60, 10)), ((10, 0), SIMD2(60, 30)), ((10, 20), SIMD2(20, 30)),
    ] as [((Float, Float), SIMD2<Float>)] {
      let found = place(m, corner.0, corner.1)
      #expect(abs(found.x - expected.x) < 1e-4 && abs(found.y - expected.y) < 1e-4)
    }
  }

  @Test func coincidentLandmarksHaveZeroSize() {
    let m = matrix([1, 2, 0, 1, 2, 0], crop(subset: [0, 1]))
    #expect(m == [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 1])
  }

  @Test(arguments: [0.25, -1, 1.6, 3.2, -6.5, 1e6] as [Float])
  func lineFromLeftToRightHasTargetAngle(_ angle: Float) {
    let m = matrix(LandmarkCropTests.upright, crop(angle: angle))
    // The matrix maps the crop to the image, so it rotates the other way. The length of its first
    // column is the width of a crop pixel.
    let length = (m[0] * m[0] + m[4] * m[4]).squareRoot()
    #expect(abs(m[0] / length - Float(cos(Double(angle)))) < 1e-6)
    #expect(abs(m[4] / length + Float(sin(Double(angle)))) < 1e-6)
  }
}
