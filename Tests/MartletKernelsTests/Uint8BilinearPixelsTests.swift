import MartletKernels
import MartletMicrokernels
import MartletTestSupport
import Testing

@Suite struct Uint8BilinearPixelsTests {
  @Test(arguments: [1, 2, 3, 4, 5, 8, 17])
  func allInstructionSetsHaveDefinedBits(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let width = 30
    var image: [UInt8] = random.integers(8 * width)
    let weights = random.floats(count + 3).map(\.magnitude)
    var columns = weights.map { weight in
      ResizeTap(
        lower: 4 * Int.random(in: 0..<width, using: &random),
        upper: 4 * Int.random(in: 0..<width, using: &random), weight: weight)
    }
    for down in [0, 0.3, 1] as [Float] {
      let expected = columns.prefix(count).flatMap { column in
        (0..<4).map { channel -> UInt32 in
          func level(_ place: Int) -> Float { Float(image[place + channel]) }
          func between(_ a: Float, _ b: Float, _ weight: Float) -> Float { a + (b - a) * weight }
          let above = between(level(column.lower), level(column.upper), column.weight)
          let below = between(
            level(4 * width + column.lower), level(4 * width + column.upper), column.weight)
          return between(above, below, down).bitPattern
        }
      }
      for kernels in Microkernels.available {
        var pixels = [Float](repeating: -1, count: 4 * (count + 3))
        buffer(&image) { image in
          buffer(&columns) { columns in
            buffer(&pixels) { pixels in
              guard let image = image.baseAddress, let columns = columns.baseAddress,
                let pixels = pixels.baseAddress
              else { return }
              kernels.uint8BilinearPixels(
                Uint8BilinearPixels(
                  above: image, below: image + 4 * width, down: down, columns: columns,
                  count: count, y: pixels))
            }
          }
        }
        #expect(pixels.prefix(4 * count).map(\.bitPattern) == expected)
      }
    }
  }

  /// Positions along a line in an image of 30 x 8 pixels: the first one and the step.
  private struct Slope: CustomTestStringConvertible {
    let x, y, stepX, stepY: Float
    var testDescription: String { "(\(x), \(y)) by (\(stepX), \(stepY))" }
  }

  @Test(arguments: [
    Slope(x: 3, y: 2, stepX: 1, stepY: 0), Slope(x: 2.25, y: 6.5, stepX: 0.9, stepY: -0.4),
    Slope(x: 25, y: -3, stepX: -1.3, stepY: 0.7), Slope(x: -9, y: 90, stepX: 0.1, stepY: 5),
    Slope(x: 1e9, y: -1e9, stepX: 0, stepY: 0),
  ])
  private func slopesHaveTheDefinedBits(slope: Slope) {
    let (width, height, count) = (30, 8, 20)
    var random = SplitMix64(seed: 5)
    var image: [UInt8] = random.integers(4 * width * height)
    let expected = (0..<count).flatMap { index in
      let x = min(max(slope.x + Float(index) * slope.stepX, 0), Float(width - 1))
      let y = min(max(slope.y + Float(index) * slope.stepY, 0), Float(height - 1))
      let (left, top) = (Int(x), Int(y))
      let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
      return (0..<4).map { channel -> UInt32 in
        func level(_ row: Int, _ column: Int) -> Float {
          Float(image[4 * (row * width + column) + channel])
        }
        func across(_ row: Int) -> Float {
          level(row, left) + (level(row, right) - level(row, left)) * (x - Float(left))
        }
        let (above, below) = (across(top), across(bottom))
        return (above + (below - above) * (y - Float(top))).bitPattern
      }
    }
    for kernels in Microkernels.available {
      var pixels = [Float](repeating: -1, count: 4 * count)
      buffer(&image) { image in
        buffer(&pixels) { pixels in
          guard let image = image.baseAddress, let pixels = pixels.baseAddress else { return }
          kernels.uint8SlopePixels(
            Uint8SlopePixels(
              pixels: image, width: width, height: height, startX: slope.x, startY: slope.y,
              stepX: slope.stepX, stepY: slope.stepY, count: count, y: pixels))
        }
      }
      #expect(pixels.map(\.bitPattern) == expected)
    }
  }
}
