import MartletImage
import MartletTestSupport
import Testing

@testable import MartletVision

extension TargetTracker {
  /// Finds the target in the next frame, and learns from it.
  fileprivate mutating func update(_ pyramid: FramePyramid) {
    find(in: pyramid)
    if !isLost { learn(from: pyramid) }
  }
}

@Suite struct TargetTrackerTests {
  /// A frame of smooth noise with a checkered target in `box`, rotated by `angle`.
  private func frame(_ box: Box, angle: Float = 0, seed: UInt64 = 1) throws -> FramePyramid {
    let back = Rotation(-angle)
    var random = SplitMix64(seed: seed)
    let coarse = (0..<400).map { _ in UInt8(truncatingIfNeeded: random.next() >> 57) }
    var image = try RGBImage(width: 160, height: 120, filledWith: .init(red: 0, green: 0, blue: 0))
    for y in 0..<120 {
      for x in 0..<160 {
        let value = coarse[(y / 8) * 20 + x / 8]
        image[x, y] = .init(red: value, green: value + 60, blue: 80)
        let place = back(Float(x) + 0.5 - box.center.x, Float(y) + 0.5 - box.center.y)
        let across = place.x / box.width + 0.5
        let down = place.y / box.height + 0.5
        guard across >= 0, across < 1, down >= 0, down < 1 else { continue }
        let isDark = (Int(across * 3) + Int(down * 4)) % 2 == 0
        image[x, y] = .init(red: isDark ? 30 : 220, green: 80, blue: isDark ? 160 : 40)
      }
    }
    return FramePyramid(image)
  }

  /// The target's box, which moves along a curve and grows.
  private func box(at step: Int) -> Box {
    let time = Float(step)
    return Box(
      center: Point(x: 40 + 2.5 * time, y: 40 + time + 0.02 * time * time),
      width: 24 * (1 + 0.01 * time), height: 32 * (1 + 0.01 * time))
  }

  @Test func tracksMovingAndGrowingTarget() throws {
    var tracker = try #require(TargetTracker(box(at: 0), in: frame(box(at: 0))))
    for step in 1..<35 {
      tracker.update(try frame(box(at: step)))
      #expect(tracker.box.intersectionOverUnion(with: box(at: step)) > 0.6, "frame \(step)")
    }
  }

  /// The rotation per frame in radians. From 0.3 on, the angle filter alone loses the target.
  @Test(arguments: [0.08, 0.3, 0.5, -0.5] as [Float])
  func tracksTurningTarget(by step: Float) throws {
    let box = { (step: Int) in
      Box(center: Point(x: 50 + Float(step), y: 60), width: 24, height: 48)
    }
    let angle = { (frame: Int) in step * Float(frame) }
    var tracker = try #require(TargetTracker(box(0), in: frame(box(0))))
    for step in 1..<40 {
      tracker.update(try frame(box(step), angle: angle(step)))
      let truth = OrientedBox(upright: box(step), rotation: Rotation(angle(step))).bounds
      #expect(tracker.box.intersectionOverUnion(with: truth) > 0.6, "frame \(step)")
    }
  }

  @Test func secondRunReturnsSameBoxes() throws {
    func run() throws -> [Box] {
      var tracker = try #require(TargetTracker(box(at: 0), in: frame(box(at: 0))))
      return try (1..<6).map { step in
        tracker.update(try frame(box(at: step)))
        return tracker.box
      }
    }
    #expect(try run() == run())
  }

  @Test func confidenceDropsIfTargetIsAbsent() throws {
    var tracker = try #require(TargetTracker(box(at: 0), in: frame(box(at: 0))))
    tracker.update(try frame(box(at: 0)))
    let present = tracker.confidence
    tracker.update(try frame(Box(x: 500, y: 0, width: 1, height: 1)))
    #expect(present > 0.5)
    #expect(tracker.confidence < present / 2)
  }

  @Test(arguments: [
    Box(x: 200, y: 10, width: 10, height: 10), Box(x: 10, y: 10, width: 0, height: 10),
    Box(x: .nan, y: 10, width: 10, height: 10), Box(x: 10, y: 10, width: 10, height: .nan),
  ])
  func rejectsBoxOutsideTheFrame(_ box: Box) throws {
    #expect(TargetTracker(box, in: try frame(Box(x: 0, y: 0, width: 9, height: 9))) == nil)
  }

  @Test(arguments: [
    Box(x: -50, y: -50, width: 1e9, height: 1e9), Box(x: 159.5, y: 119.5, width: 9, height: 9),
    Box(x: 10, y: 10, width: 0.01, height: 100),
  ])
  func extremeBoxesStayInTheFrame(_ box: Box) throws {
    let frame = try frame(Box(x: 20, y: 20, width: 30, height: 30))
    var tracker = try #require(TargetTracker(box, in: frame))
    for _ in 0..<5 {
      tracker.update(frame)
      #expect(frame.size.width >= Int(tracker.box.center.x) && tracker.box.center.x >= 0)
    }
  }
}
