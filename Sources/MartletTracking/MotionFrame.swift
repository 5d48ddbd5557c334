//===--- MotionFrame.swift - a frame as motion is looked for in -----------===//
//
// A level of the pyramid whose longer side is at most 256 pixels: its colors, and a luma of a quarter
// red, half green and a quarter blue for matching blocks.
//
// Contract  Blocks overlap by half, and are searched for within `reach` pixels of where they are
//           expected.
// Cost      That of a match for each block, 266 of them at 160 x 120.
// Checked   Tests/MartletTrackingTests/MotionFrameTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// A small frame.
struct MotionFrame {
  static let longestSide = 256
  /// How far from where it is expected a block is searched for, along each axis.
  static let reach = 7

  let width: Int
  let height: Int
  /// The frame's pixels for each of this one's.
  let reduction: Float
  /// Red, green, blue and zero, with `margin` pixels of nothing before the first and behind the last.
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

  /// The shifts of this frame's blocks since an earlier frame of the same size; `expected` is about
  /// how the camera moved.
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

  /// The nearest whole shift, no further than a frame of any size is wide; 0 for no number.
  private static func whole(_ shift: Float) -> Int {
    shift.isNaN ? 0 : Int(min(max(shift.rounded(), -Float(longestSide)), Float(longestSide)))
  }
}
