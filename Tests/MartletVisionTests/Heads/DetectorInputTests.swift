import MartletTestSupport
import Testing

@testable import MartletVision

/// How images become the inputs of detectors.
@Suite struct DetectorInputTests {
  /// By hand: 810 x 1080 at 640 / 1080 is 480 x 640, with 80 columns on each side.
  @Test func placementsKeepTheAspectRatio() {
    let input = ImageSize(width: 640, height: 640)
    let centered = InputPlacement(.centered, width: 810, height: 1080, in: input)
    #expect(centered.content == PixelRectangle(x: 80, y: 0, width: 480, height: 640))
    let corner = InputPlacement(.topLeft, width: 320, height: 213, in: input)
    #expect(corner.content == PixelRectangle(x: 0, y: 0, width: 640, height: 426))
    // An odd rest of 427 rows: 106 above and 107 below.
    let odd = InputPlacement(.centered, width: 640, height: 427, in: input)
    #expect(odd.content == PixelRectangle(x: 0, y: 106, width: 640, height: 427))
    let box = RelativeBox(minX: 0, minY: 0.25, maxX: 0.5, maxY: 1)
    #expect(
      centered.pixels(of: box, in: input, image: ImageSize(width: 810, height: 1080))
        == Box(x: 0, y: 270, width: 405, height: 810))
  }

  @Test(arguments: [
    // A range of about 0...1, of an asymmetric calibration, of 0...255, and of -1...1.
    (ElementType.uint8, Float(1.0 / 255), 0, DetectorInput.letterboxed, [0, 128, 255]),
    (.int8, 0.0187, -14, .letterboxed, [-14, 13, 39]),
    (.int8, 1, -128, .yolox, [-128, 0, 127]),
    (.int8, 1.0 / 255, -128, .yolox, [-128, 0, 127]),
    (.uint8, 1.0 / 128, 128, .stretched, [0, 128, 255]),
  ])
  func quantizesPixels(
    _ type: ElementType, _ scale: Float, _ zeroPoint: Int, _ family: DetectorInput,
    _ expected: [Int]
  ) throws {
    let tensor = InterfaceTensor(
      name: "image", type: type, shape: Shape(1, 1, 3, 3),
      quantization: Quantization(scale: scale, zeroPoint: zeroPoint))
    let tables = try PixelTables(ImageLayout(tensor), tensor, family, given: nil, range: nil)
    let bytes = try fill(tables, count: 9)
    #expect(
      stride(from: 0, to: 9, by: 3).map {
        type == .int8 ? Int(Int8(bitPattern: bytes[$0])) : Int(bytes[$0])
      } == expected)
  }

  @Test func planesAndBlueFirst() throws {
    let tensor = InterfaceTensor(
      name: "image", type: .uint8, shape: Shape(1, 3, 1, 4), quantization: nil)
    var family = DetectorInput.stretched
    family.isBGR = true
    let tables = try PixelTables(ImageLayout(tensor), tensor, family, given: nil, range: nil)
    let image = try RGBImage(width: 4, height: 1, pixels: (0..<12).map { UInt8($0) })
    #expect(try fill(tables, image, count: 12) == [2, 5, 8, 11, 1, 4, 7, 10, 0, 3, 6, 9])
  }

  @Test func grayIsTheLuma() throws {
    let tensor = InterfaceTensor(
      name: "image", type: .int8, shape: Shape(1, 1, 1, 1), quantization: nil)
    let tables = try PixelTables(
      ImageLayout(tensor), tensor, .stretched, given: nil, range: nil)
    // 0.299 · 100 + 0.587 · 200 + 0.114 · 50 = 153
    let image = try RGBImage(width: 1, height: 1, pixels: [100, 200, 50])
    #expect(try fill(tables, image, count: 1) == [153 - 128])
  }

  /// The bytes that a gray image of 0, 128 and 255 becomes.
  private func fill(_ tables: PixelTables, count: Int) throws -> [UInt8] {
    let pixels: [UInt8] = [0, 0, 0, 128, 128, 128, 255, 255, 255]
    return try fill(tables, RGBImage(width: 3, height: 1, pixels: pixels), count: count)
  }

  private func fill(_ tables: PixelTables, _ image: RGBImage, count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try bytes.withUnsafeMutableBytes { try tables.fill($0, with: image) }
    return bytes
  }
}
