import MartletImage
import MartletTestSupport
import Testing

@testable import MartletVision

@Suite struct GradientHistogramTests {
  private func cells(of image: RGBImage) -> GradientHistogram {
    var patch = Patch(width: image.width, height: image.height)
    patch.read(
      Box(x: 0, y: 0, width: Float(image.width), height: Float(image.height)),
      of: FramePyramid(image))
    var histogram = GradientHistogram(width: image.width, height: image.height)
    histogram.read(patch)
    return histogram
  }

  @Test func flatPatchHasOnlyColor() throws {
    let image = try RGBImage(width: 16, height: 8, filledWith: .init(red: 255, green: 0, blue: 51))
    let histogram = cells(of: image)
    #expect(histogram.columns == 4)
    #expect(histogram.rows == 2)
    for cell in histogram.cells {
      #expect(cell.low == .zero)
      for channel in 0..<11 { #expect(cell.high[channel] == 0) }
      #expect((cell.high[11] - 0.5).magnitude < 1e-6)
      #expect(cell.high[12] == -0.5)
      #expect((cell.high[13] + 0.3).magnitude < 1e-6)
    }
  }

  @Test func edgeVotesForItsDirection() throws {
    // Dark left, bright right: the gradient points along x, so both directions are 0.
    var image = try RGBImage(width: 16, height: 16, filledWith: .init(red: 0, green: 0, blue: 0))
    for y in 0..<16 {
      for x in 8..<16 { image[x, y] = .init(red: 200, green: 200, blue: 200) }
    }
    let cell = cells(of: image).cells[1 * 4 + 1]
    #expect(cell.low[0] > 0.3)
    #expect(cell.high[2] > 0.3)
    for direction in 1..<16 { #expect(cell.low[direction] == 0) }
  }

  @Test func swappedColorsTurnOnlyTheSignedDirection() throws {
    var image = try RGBImage(width: 16, height: 16, filledWith: .init(red: 200, green: 0, blue: 0))
    for y in 0..<16 {
      for x in 8..<16 { image[x, y] = .init(red: 0, green: 0, blue: 0) }
    }
    let cell = cells(of: image).cells[1 * 4 + 1]
    #expect(cell.low[0] == 0)
    #expect(cell.low[9] > 0.3)
    #expect(cell.high[2] > 0.3)
  }

  @Test func brightnessDoesNotMatter() throws {
    func edge(_ value: UInt8) throws -> Cell {
      var image = try RGBImage(width: 16, height: 16, filledWith: .init(red: 0, green: 0, blue: 0))
      for y in 0..<16 {
        for x in 8..<16 { image[x, y] = .init(red: value, green: value, blue: value) }
      }
      return cells(of: image).cells[5]
    }
    #expect((try edge(60).low[0] - edge(240).low[0]).magnitude < 0.001)
  }

  @Test func readingAgainForgetsTheLastPatch() throws {
    let flat = try RGBImage(width: 8, height: 8, filledWith: .init(red: 9, green: 9, blue: 9))
    var noisy = flat
    for index in 0..<8 { noisy[index, index] = .init(red: 255, green: 0, blue: 255) }
    var patch = Patch(width: 8, height: 8)
    var histogram = GradientHistogram(width: 8, height: 8)
    for image in [noisy, flat] {
      patch.read(Box(x: 0, y: 0, width: 8, height: 8), of: FramePyramid(image))
      histogram.read(patch)
    }
    #expect(histogram.cells.map(\.low) == cells(of: flat).cells.map(\.low))
  }

  @Test func rangeMatchesThatPartOfTheWhole() throws {
    var random = SplitMix64(seed: 8)
    var image = try RGBImage(width: 40, height: 32, filledWith: .init(red: 0, green: 0, blue: 0))
    for y in 0..<32 {
      for x in 0..<40 {
        image[x, y] = .init(
          red: UInt8(truncatingIfNeeded: random.next()), green: UInt8(5 * x), blue: UInt8(7 * y))
      }
    }
    var patch = Patch(width: 40, height: 32)
    patch.read(Box(x: 0, y: 0, width: 40, height: 32), of: FramePyramid(image))
    var whole = GradientHistogram(width: 40, height: 32)
    whole.read(patch)
    var part = GradientHistogram(width: 40, height: 32)
    part.read(patch, CellRange(rows: 1..<6, columns: 2..<9))
    // The outermost cells of the crop have fewer neighbors.
    for row in 2..<5 {
      for column in 3..<8 {
        #expect(part.cells[row * 10 + column].low == whole.cells[row * 10 + column].low)
        #expect(part.cells[row * 10 + column].high == whole.cells[row * 10 + column].high)
      }
    }
    #expect(part.cells[0].low == .zero)
  }
}
