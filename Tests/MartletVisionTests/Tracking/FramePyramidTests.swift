import MartletImage
import Testing

@testable import MartletVision

@Suite struct FramePyramidTests {
  @Test func halvesByAveragingFourPixels() throws {
    var image = try RGBImage(width: 33, height: 32, filledWith: .init(red: 10, green: 20, blue: 30))
    image[0, 0] = .init(red: 11, green: 22, blue: 30)
    image[1, 1] = .init(red: 11, green: 21, blue: 31)
    let pyramid = FramePyramid(image)
    #expect(pyramid.levels.map(\.width) == [33, 16])
    #expect(pyramid.levels.map(\.height) == [32, 16])
    // 42 / 4 = 10.5 and 83 / 4 = 20.75 round up, 121 / 4 = 30.25 rounds down.
    #expect(pyramid.levels[1].pixels[0] == [11, 21, 30, 0])
    #expect(pyramid.levels[1].pixels[5 * 16 + 5] == [10, 20, 30, 0])
  }

  @Test func firstLevelIsTheFrame() throws {
    var image = try RGBImage(width: 7, height: 5, filledWith: .init(red: 0, green: 0, blue: 255))
    for y in 0..<5 {
      for x in 0..<7 { image[x, y].red = UInt8(10 * y + x) }
    }
    let level = FramePyramid(image).levels[0]
    #expect((level.width, level.height) == (7, 5))
    for y in 0..<5 {
      for x in 0..<7 { #expect(level.pixels[y * 7 + x] == [UInt8(10 * y + x), 0, 255, 0]) }
    }
  }

  @Test func smallFrameHasOneLevel() throws {
    let image = try RGBImage(width: 1, height: 400, filledWith: .init(red: 1, green: 2, blue: 3))
    #expect(FramePyramid(image).levels.count == 1)
  }

  @Test(arguments: [(0.1, 0), (1.0, 0), (1.99, 0), (2.0, 1), (3.9, 1), (4.0, 2), (100.0, 3)])
  func selectsLevelForStep(step: Double, level: Int) throws {
    let image = try RGBImage(width: 128, height: 128, filledWith: .init(red: 0, green: 0, blue: 0))
    #expect(FramePyramid(image).level(forStep: Float(step)) == level)
  }
}
