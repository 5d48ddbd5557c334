import MartletImage
import MartletTestSupport
import Testing

@testable import MartletVision

@Suite struct ColorRangeTests {
  private func image(
    _ width: Int, _ height: Int, _ color: (Int, Int) -> RGBImage.Color
  ) throws -> RGBImage {
    var image = try RGBImage(
      width: width, height: height, filledWith: .init(red: 0, green: 0, blue: 0))
    for y in 0..<height {
      for x in 0..<width { image[x, y] = color(x, y) }
    }
    return image
  }

  private func frame(_ image: RGBImage) -> MotionFrame { MotionFrame(FramePyramid(image)) }

  /// Reference votes per pixel, for a shift by whole pixels.
  private func expected(
    _ now: RGBImage, _ before: RGBImage, row: Int, shift: (x: Int, y: Int), margin: Int
  ) -> [Int8] {
    (0..<now.width).map { x in
      let (column, line) = (x + shift.x, row + shift.y)
      guard column >= 0, line >= 0, column < now.width - 1, line < now.height - 1 else { return 0 }
      func channels(_ image: RGBImage, _ x: Int, _ y: Int) -> [Int] {
        [Int(image[x, y].red), Int(image[x, y].green), Int(image[x, y].blue)]
      }
      var near: [[Int]] = []
      for y in max(row - 1, 0)...min(row + 1, now.height - 1) {
        for x in max(x - 1, 0)...min(x + 1, now.width - 1) { near.append(channels(now, x, y)) }
      }
      let isOut = (0..<3).contains { channel in
        let value = channels(before, column, line)[channel]
        let range = near.map { $0[channel] }
        return value < range.reduce(255, min) - margin || value > range.reduce(0, max) + margin
      }
      return isOut ? 1 : -1
    }
  }

  @Test(arguments: [(0, 0), (3, -2), (-5, 4), (1, 0), (-30, 0)], [22, 21, 3])
  func votesMatchReference(_ shift: (Int, Int), _ width: Int) throws {
    var random = SplitMix64(seed: 11)
    func level(_ range: UInt64) -> UInt8 { UInt8(random.next() % range) }
    let now = try image(width, 12) { _, _ in
      .init(red: level(200), green: level(90) + 160, blue: level(40))
    }
    let before = try image(width, 12) { _, _ in
      .init(red: level(255), green: level(120) + 130, blue: level(70))
    }
    let range = ColorRange(frame(now), margin: 14)
    let motion = MotionModel(across: [Float(shift.0), 1, 0], down: [Float(shift.1), 0, 1])
    for row in 0..<12 {
      var votes = [Int8](repeating: 0, count: width)
      range.vote(frame(before), row: row, by: motion, &votes)
      let expected = expected(now, before, row: row, shift: shift, margin: 14)
      #expect(votes == expected, "row \(row)")
    }
  }

  @Test func interpolatesBetweenPixels() throws {
    // Halfway between black and white is gray, which is in the gray frame's range; black and white
    // are not.
    let now = try image(16, 8) { _, _ in .init(red: 128, green: 128, blue: 128) }
    let before = try image(16, 8) { x, _ in
      let level: UInt8 = x % 2 == 0 ? 0 : 255
      return .init(red: level, green: level, blue: level)
    }
    let range = ColorRange(frame(now), margin: 14)
    var betweenPixels = [Int8](repeating: 0, count: 16)
    range.vote(
      frame(before), row: 3, by: MotionModel(across: [0.5, 1, 0], down: [0, 0, 1]), &betweenPixels)
    #expect(betweenPixels == [Int8](repeating: -1, count: 15) + [0])
    var onPixels = [Int8](repeating: 0, count: 16)
    range.vote(frame(before), row: 3, by: .identity, &onPixels)
    #expect(onPixels == [Int8](repeating: 1, count: 15) + [0])
  }
}
