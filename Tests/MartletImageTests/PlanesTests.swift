import Testing

@testable import MartletImage

@Suite struct PlanesTests {
  /// An image with many colors.
  private func gradient(_ width: Int, _ height: Int) throws -> RGBImage {
    let pixels = (0..<(width * height * 3)).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 11) }
    return try RGBImage(width: width, height: height, pixels: pixels)
  }

  @Test(arguments: LumaRange.allCases, [(6, 4), (5, 3), (1, 1)])
  func halvedChromaMatchesI420(_ range: LumaRange, _ size: (Int, Int)) throws {
    let (width, height) = size
    let count = width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 61) }
    let planar = RGBImage(
      size: ImageSize(width: width, height: height), planes: bytes, columnShift: 1, rowShift: 1,
      range: range)
    let buffer = try PixelBuffer(width: width, height: height, format: .i420(range), bytes: bytes)
    #expect(planar == RGBImage(buffer))
  }

  @Test(arguments: [(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)])
  func eachPixelUsesTheChromaOfItsBlock(_ columnShift: Int, _ rowShift: Int) {
    let size = ImageSize(width: 9, height: 5)
    let columns = (9 + (1 << columnShift) - 1) >> columnShift
    let rows = (5 + (1 << rowShift) - 1) >> rowShift
    let luma = (0..<45).map { UInt8($0 * 5) }
    let blue = (0..<(columns * rows)).map { UInt8(90 + $0 % 80) }
    let red = (0..<(columns * rows)).map { UInt8(170 - $0 % 80) }
    let image = RGBImage(
      size: size, planes: luma + blue + red, columnShift: columnShift, rowShift: rowShift,
      range: .full)
    for y in 0..<5 {
      for x in 0..<9 {
        let index = (y >> rowShift) * columns + x >> columnShift
        let (l, b, r) = (Double(luma[y * 9 + x]), Double(blue[index]), Double(red[index]))
        let wanted = [
          l + 1.402 * (r - 128), l - 0.344136 * (b - 128) - 0.714136 * (r - 128),
          l + 1.772 * (b - 128),
        ]
        let color = image[x, y]
        for (value, exact) in zip([color.red, color.green, color.blue], wanted) {
          #expect((Double(value) - min(max(exact, 0), 255)).magnitude <= 0.51)
        }
      }
    }
  }

  @Test func planesMatchBT601() throws {
    let image = try gradient(8, 6)
    let planes = image.halvedChromaPlanes
    #expect(planes.count == 48 + 2 * 12)
    for index in 0..<48 {
      let color = image[index % 8, index / 8]
      let luma =
        0.299 * Double(color.red) + 0.587 * Double(color.green) + 0.114 * Double(color.blue)
      #expect((Double(planes[index]) - (16 + luma * 219 / 255)).magnitude < 0.51)
    }
    for index in 0..<12 {
      var sum: SIMD3<Double> = .zero
      for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let color = image[index % 4 * 2 + dx, index / 4 * 2 + dy]
        sum += [Double(color.red), Double(color.green), Double(color.blue)]
      }
      sum /= 4
      let scale = 224.0 / 255
      let blue = 128 + scale * (-0.168736 * sum[0] - 0.331264 * sum[1] + 0.5 * sum[2])
      let red = 128 + scale * (0.5 * sum[0] - 0.418688 * sum[1] - 0.081312 * sum[2])
      // The mean is first rounded to an integer.
      #expect((Double(planes[48 + index]) - blue).magnitude < 1.01)
      #expect((Double(planes[60 + index]) - red).magnitude < 1.01)
    }
  }

  @Test(arguments: [(255, 255, 255), (0, 0, 0), (255, 0, 0), (0, 255, 0), (0, 0, 255), (9, 80, 7)])
  func plainColorsRoundTrip(_ red: UInt8, _ green: UInt8, _ blue: UInt8) throws {
    let image = try RGBImage(
      width: 3, height: 3, filledWith: .init(red: red, green: green, blue: blue))
    let back = RGBImage(
      size: image.size, planes: image.halvedChromaPlanes, columnShift: 1, rowShift: 1,
      range: .video)
    for (a, b) in zip(image.pixels, back.pixels) { #expect(abs(Int(a) - Int(b)) <= 2) }
  }
}
