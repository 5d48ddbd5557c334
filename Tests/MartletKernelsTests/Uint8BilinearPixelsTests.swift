import MartletLevels
import MartletMicrokernels
import MartletTestSupport
import Testing

@Suite struct Uint8BilinearPixelsTests {
  @Test(arguments: [1, 2, 3, 4, 5, 8, 17])
  func allInstructionSetsGiveTheDefinedBits(count: Int) {
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
}
