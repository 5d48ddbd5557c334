import MartletImage
import Testing

@testable import MartletVision

@Suite struct MotionFrameTests {
  @Test(arguments: [(160, 120, 160), (256, 40, 256), (320, 240, 160), (1920, 1080, 240)])
  func isAtMost256PixelsLong(_ width: Int, _ height: Int, _ expected: Int) throws {
    let image = try RGBImage(
      width: width, height: height, filledWith: .init(red: 9, green: 8, blue: 7))
    let frame = MotionFrame(FramePyramid(image))
    #expect(frame.width == expected)
    #expect(frame.reduction == Float(width / expected))
    let margin = MotionFrame.margin
    #expect(frame.pixels.count == frame.width * frame.height + 2 * margin)
    #expect(frame.pixels.dropFirst(margin).dropLast(margin).allSatisfy { $0 == [9, 8, 7, 0] })
  }

  @Test(arguments: [(0, 0), (3, 0), (0, -5), (-6, 4)])
  func blocksMeasureTheirShift(_ dx: Int, _ dy: Int) throws {
    let before = MotionFrame(FramePyramid(try Scene().frame))
    let after = MotionFrame(FramePyramid(try Scene(camera: (-dx, -dy)).frame))
    let shifts = after.shifts(since: before, expected: .identity)
    #expect(shifts.count > 100)
    for shift in shifts {
      // A block whose content is outside the earlier frame gets a wrong position.
      guard shift.x.magnitude < 60, shift.y.magnitude < 40 else { continue }
      #expect((shift.dx + Float(dx)).magnitude < 0.5 && (shift.dy + Float(dy)).magnitude < 0.5)
      #expect(shift.acrossWeight > 0 && shift.downWeight > 0)
    }
  }

  @Test func plainBlocksHaveNoWeight() throws {
    let image = try RGBImage(width: 64, height: 64, filledWith: .init(red: 9, green: 8, blue: 7))
    let frame = MotionFrame(FramePyramid(image))
    for shift in frame.shifts(since: frame, expected: .identity) {
      #expect(shift.acrossWeight == 0 && shift.downWeight == 0)
    }
  }

  @Test(arguments: [
    MotionModel(across: [1e9, 1, 0], down: [-1e9, 0, 1]),
    MotionModel(across: [.nan, 1, 0], down: [0, .infinity, 1]),
  ])
  func invalidExpectedMotionDoesNotTrap(_ model: MotionModel) throws {
    let frame = MotionFrame(FramePyramid(try Scene().frame))
    _ = frame.shifts(since: frame, expected: model)
  }
}
