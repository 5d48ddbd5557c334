import MartletImage
import Testing

@testable import MartletVision

@Suite struct BoxMotionTests {
  private let box = Box(x: 10, y: 20, width: 30, height: 40)

  /// Moves a box by 6 pixels per frame for some frames.
  private func moved(_ frames: Int) -> BoxMotion {
    var motion = BoxMotion(box)
    for step in 0..<frames {
      motion.advance()
      motion.update(box.offset(x: 6 * Float(step + 1), y: 0), afterGap: false)
    }
    return motion
  }

  @Test func newBoxIsExpectedToStay() {
    var motion = BoxMotion(box)
    motion.advance()
    #expect(motion.expected == box && motion.still == box && motion.moving == box)
  }

  @Test func movingBoxIsExpectedToMoveOn() {
    var motion = moved(6)
    motion.advance()
    // After six halvings of its error, the velocity is 6 · (1 - 2⁻⁶) pixels per frame.
    let expected = box.x + 36 + 6 * (1 - 1 / 64)
    #expect(abs(motion.expected.x - expected) < 1e-4)
    #expect(motion.still.x == box.x + 36)
  }

  @Test func bestOfBothPredictionsCounts() {
    var motion = moved(6)
    motion.advance()
    #expect(motion.overlap(with: motion.still) == 1)
    #expect(motion.overlap(with: motion.moving) == 1)
    #expect(motion.nearest(to: motion.still.offset(x: -2, y: 0)) == motion.still)
    #expect(motion.nearest(to: motion.moving.offset(x: 2, y: 0)) == motion.moving)
  }

  @Test func velocityCountsFramesWithoutDetector() {
    var motion = BoxMotion(box)
    for _ in 0..<3 { motion.advance() }
    motion.update(box.offset(x: 12, y: 0), afterGap: false)
    motion.advance()
    // 4 pixels per frame, half of which is learned from the first step.
    #expect(abs(motion.moving.x - (box.x + 14)) < 1e-4)
  }

  @Test func velocityIsUnknownAfterGap() {
    var motion = moved(6)
    for _ in 0..<3 {
      motion.advance()
      motion.lose()
    }
    motion.update(box, afterGap: true)
    motion.advance()
    #expect(motion.moving == box)
  }

  @Test func lostBoxSlowsDown() {
    var motion = moved(8)
    motion.advance()
    let first = motion.moving.x - motion.still.x
    for _ in 0..<60 {
      motion.lose()
      motion.advance()
    }
    // The sum of the geometric series with ratio 0.8.
    #expect(abs(motion.moving.x - motion.still.x - 5 * first) < 0.01 * first)
  }
}
