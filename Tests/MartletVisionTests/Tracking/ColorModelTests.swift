import MartletImage
import Testing

@testable import MartletVision

@Suite struct ColorModelTests {
  /// A 16-pixel red square centered at (x, y) in a 64-pixel blue frame.
  private func patch(_ x: Int, _ y: Int) throws -> Patch {
    var image = try RGBImage(width: 64, height: 64, filledWith: .init(red: 0, green: 0, blue: 200))
    for row in (y - 8)..<(y + 8) {
      for column in (x - 8)..<(x + 8) { image[column, row] = .init(red: 200, green: 0, blue: 0) }
    }
    var patch = Patch(width: 64, height: 64)
    patch.read(Box(x: 0, y: 0, width: 64, height: 64), of: FramePyramid(image))
    return patch
  }

  private func response(_ model: inout ColorModel, to patch: Patch) -> [Float] {
    var response = [Float](repeating: 0, count: 15 * 15)
    model.respond(to: patch, width: 16, height: 16, step: 4, count: 15, into: &response)
    return response
  }

  @Test func respondsMostAtTheTarget() throws {
    var model = ColorModel(learningRate: 0.1)
    model.learn(try patch(32, 32), width: 16, height: 16)
    let result = response(&model, to: try patch(32, 32))
    #expect(result[7 * 15 + 7] == 1)
    #expect(result[0] == 0)
    // Half of the window, shifted by eight samples, belongs to the target.
    #expect(result[7 * 15 + 9] == 0.5)
  }

  @Test func findsShiftedTarget() throws {
    var model = ColorModel(learningRate: 0.1)
    model.learn(try patch(32, 32), width: 16, height: 16)
    let result = response(&model, to: try patch(40, 24))
    #expect(result[(7 - 2) * 15 + 7 + 2] == 1)
  }

  @Test func unseenColorScoresOneHalf() throws {
    var model = ColorModel(learningRate: 0.1)
    model.learn(try patch(32, 32), width: 16, height: 16)
    let green = try RGBImage(width: 64, height: 64, filledWith: .init(red: 0, green: 200, blue: 0))
    var other = Patch(width: 64, height: 64)
    other.read(Box(x: 0, y: 0, width: 64, height: 64), of: FramePyramid(green))
    #expect(response(&model, to: other).allSatisfy { $0 == 0.5 })
  }

  /// Beside the target, in its rows.
  @Test func colorBesideTheTargetIsOutside() throws {
    var image = try RGBImage(width: 64, height: 64, filledWith: .init(red: 0, green: 0, blue: 200))
    for row in 24..<40 {
      for column in 0..<12 { image[column, row] = .init(red: 0, green: 200, blue: 0) }
    }
    var strip = Patch(width: 64, height: 64)
    strip.read(Box(x: 0, y: 0, width: 64, height: 64), of: FramePyramid(image))
    var model = ColorModel(learningRate: 0.1)
    model.learn(strip, width: 16, height: 16)
    let green = try RGBImage(width: 64, height: 64, filledWith: .init(red: 0, green: 200, blue: 0))
    strip.read(Box(x: 0, y: 0, width: 64, height: 64), of: FramePyramid(green))
    #expect(response(&model, to: strip).allSatisfy { $0 == 0 })
  }
}
