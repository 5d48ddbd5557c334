import MartletTestSupport
import Testing

@testable import MartletVision

@Suite struct OneEuroFilterTests {
  @Test func firstFrameAndNewPointCountAreUnchanged() {
    var filter = OneEuroFilter()
    #expect(filter.smooth([[1, 2, 3]], size: 10) == [[1, 2, 3]])
    #expect(filter.smooth([[1, 2, 3], [4, 5, 6]], size: 10) == [[1, 2, 3], [4, 5, 6]])
  }

  @Test func restingPointsAreUnchanged() {
    var filter = OneEuroFilter()
    for _ in 0..<20 { #expect(filter.smooth([[7, 8, 9]], size: 10) == [[7, 8, 9]]) }
  }

  /// Jitter of a hundredth of a face is reduced to less than half.
  @Test func reducesJitter() {
    var filter = OneEuroFilter()
    var out: [Float] = []
    for frame in 0..<60 {
      let x = 50 + (frame % 2 == 0 ? 0.5 : -0.5) as Float
      out.append(filter.smooth([[x, 0, 0]], size: 100)[0].x)
    }
    let late = out.suffix(20)
    #expect((late.max() ?? 0) - (late.min() ?? 0) < 0.5)
  }

  /// The error for a face that moves by its own size per second is below a fiftieth of that size.
  @Test func followsMotionWithoutLag() {
    var filter = OneEuroFilter()
    for frame in 0..<60 {
      let x = Float(frame) * 100 / 30
      let found = filter.smooth([[x, 0, 0]], size: 100)[0].x
      if frame > 10 { #expect((found - x).magnitude < 2) }
    }
  }

  @Test func zeroSizeDisablesSmoothing() {
    var filter = OneEuroFilter()
    _ = filter.smooth([[0, 0, 0]], size: 0)
    #expect(filter.smooth([[5, 0, 0]], size: 0) == [[5, 0, 0]])
  }
}
