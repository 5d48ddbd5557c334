//===--- MotionFrame.swift - small frame for motion estimation ------------===//
//
// The pyramid's level whose longer side is at most 256 pixels: its colors, and a luma of a quarter
// red, half green and a quarter blue for block matching.
//
// Contract  Blocks overlap by half; each is searched for within `reach` pixels of its expected
//           position.
// Cost      One match per block; 266 blocks at 160 x 120.
// Checked   Tests/MartletVisionTests/Tracking/MotionFrameTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// A small frame.
struct MotionFrame {
  static let longestSide = 256
  /// The largest distance from the expected position along each axis, in pixels.
  static let reach = 7

  let width: Int
  let height: Int
  /// The side of this frame's pixels in the original frame's pixels.
  let reduction: Float
  /// Red, green, blue and zero, with `margin` zero pixels before the first and after the last.
  let pixels: [SIMD4<UInt8>]
  static let margin = 4
  private let luma: LumaPlane

  init(_ pyramid: FramePyramid) {
    let index =
      pyramid.levels.firstIndex { max($0.width, $0.height) <= MotionFrame.longestSide }
      ?? pyramid.levels.count - 1
    let level = pyramid.levels[index]
    width = level.width
    height = level.height
    reduction = Float(1 << index)
    let margin = [SIMD4<UInt8>](repeating: .zero, count: MotionFrame.margin)
    pixels = margin + level.pixels + margin
    luma = LumaPlane(
      width: width, height: height,
      levels: level.pixels.map { pixel in
        let (red, green, blue) = (UInt16(pixel[0]), UInt16(pixel[1]), UInt16(pixel[2]))
        return UInt8(truncatingIfNeeded: (red &+ 2 &* green &+ blue) >> 2)
      })
  }

  /// Returns the shifts of this frame's blocks since an earlier frame of the same size; `expected`
  /// is an estimate of the camera motion.
  func shifts(since earlier: MotionFrame, expected: MotionModel) -> [MotionModel.Shift] {
    let size = LumaPlane.blockSize
    var shifts: [MotionModel.Shift] = []
    for top in stride(from: 0, through: height - size, by: size / 2) {
      for left in stride(from: 0, through: width - size, by: size / 2) {
        let x = Float(left + size / 2) - Float(width) / 2
        let y = Float(top + size / 2) - Float(height) / 2
        let place = expected(x, y)
        let match = luma.match(
          left: left, top: top, in: earlier.luma, reach: MotionFrame.reach,
          expectedX: MotionFrame.whole(place.x - x), expectedY: MotionFrame.whole(place.y - y))
        guard let match else { continue }
        shifts.append(
          .init(
            x: x, y: y, dx: match.dx, dy: match.dy, acrossWeight: match.acrossWeight,
            downWeight: match.downWeight))
      }
    }
    return shifts
  }

  /// The nearest integer within ±`longestSide`; 0 for NaN.
  private static func whole(_ shift: Float) -> Int {
    shift.isNaN ? 0 : Int(min(max(shift.rounded(), -Float(longestSide)), Float(longestSide)))
  }
}
