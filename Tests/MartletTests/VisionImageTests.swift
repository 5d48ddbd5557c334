import Foundation
import MartletTestSupport
import Testing

@testable import Martlet
@testable import MartletFirebase
@testable import MartletMLKit

/// Images for a detector: their sources and their orientation.
@Suite struct VisionImageTests {
  static let scene = Fixtures.folder("Scenes").appending(path: "fruit.jpg")

  /// Two pixels in a row, from `bytes`.
  static func buffer(_ format: PixelFormat, _ bytes: [UInt8]) throws -> PixelBuffer {
    try PixelBuffer(width: 2, height: 1, format: format, bytes: bytes)
  }

  @Test func orientationDefaultsToUp() throws {
    let pixels = try RGBImage(width: 2, height: 1, pixels: [255, 0, 0, 0, 0, 255])
    let image = InputImage(pixels, orientation: .left)
    let vision = VisionImage(image: image)
    #expect(vision.orientation == .up)
    #expect(try vision.image().imageOrientation == .up)
    vision.orientation = image.imageOrientation
    #expect(try vision.image() == image)
    #expect(vision.metadata == nil)
  }

  @Test(arguments: ImageOrientation.allCases)
  func metadataOverridesOrientation(_ orientation: ImageOrientation) throws {
    let vision = VisionImage(
      buffer: SampleBuffer(try VisionImageTests.buffer(.rgb, [1, 2, 3, 4, 5, 6])))
    vision.orientation = .down
    let metadata = VisionImageMetadata()
    #expect(metadata.orientation == .topLeft)
    metadata.orientation = VisionDetectorImageOrientation(orientation)
    vision.metadata = metadata
    #expect(try vision.image().imageOrientation == orientation)
    vision.metadata = nil
    #expect(try vision.image().imageOrientation == .down)
  }

  @Test(arguments: [
    (PixelFormat.bgra, [UInt8]([0, 0, 255, 9, 255, 0, 0, 9])),
    (.rgba, [255, 0, 0, 9, 0, 0, 255, 9]), (.argb, [9, 255, 0, 0, 9, 0, 0, 255]),
    (.rgb, [255, 0, 0, 0, 0, 255]), (.bgr, [0, 0, 255, 255, 0, 0]),
  ])
  func buffersOfAnyFormatReturnSameImage(_ format: PixelFormat, _ bytes: [UInt8]) throws {
    let buffer = try VisionImageTests.buffer(format, bytes)
    let vision = VisionImage(buffer: SampleBuffer(buffer))
    let image = try vision.image()
    #expect(image.size == ImageSize(width: 2, height: 1))
    #expect(image.pixels.pixels == [255, 0, 0, 0, 0, 255])
    vision.orientation = .down
    #expect(try vision.image().upright.pixels == [0, 0, 255, 255, 0, 0])
  }

  @Test func urlNamesFileAndIsNeverDownloaded() throws {
    let file = VisionImageTests.scene
    let image = try InputImage(contentsOfFile: file.path)
    #expect(try InputImage(contentsOf: file) == image)
    #expect(try VisionImage(contentsOf: file).image() == image)
    let web = try #require(URL(string: "https://example.org/a.jpg"))
    #expect(throws: VisionError.file(path: "https://example.org/a.jpg", .notFound)) {
      try VisionImage(contentsOf: web)
    }
  }

  #if !canImport(SwiftUI)
    @Test func imageIsAnAliasOfInputImage() {
      #expect(Image.self == InputImage.self)
      #expect(Image.Orientation.allCases.count == 8)
    }
  #endif

  @Test func readsCameraFormats() throws {
    // Luma only: chroma 128 is gray.
    let gray = try PixelBuffer(
      width: 2, height: 2, format: .nv12(.full), bytes: [0, 50, 100, 255, 128, 128])
    let video = try PixelBuffer(
      width: 2, height: 2, format: .nv12(.video), bytes: [16, 16, 235, 235, 128, 128])
    #expect(
      try VisionImage(buffer: SampleBuffer(gray)).image().pixels.pixels
        == [0, 50, 100, 255].flatMap { [UInt8](repeating: $0, count: 3) })
    #expect(
      try VisionImage(buffer: SampleBuffer(video)).image().pixels.pixels
        == [0, 0, 255, 255].flatMap { [UInt8](repeating: $0, count: 3) })
  }

  @Test func filesKeepTheirOrientation() throws {
    let bytes = try Fixtures.bytes(of: VisionImageTests.scene)
    let image = try InputImage(encoded: bytes)
    #expect(image.imageOrientation == .up)
    #expect(try InputImage(encoded: Data(bytes)) == image)
    #expect(try InputImage(contentsOfFile: VisionImageTests.scene.path) == image)
    // An EXIF block with orientation 6, after the first two bytes of the JPEG file.
    let tiff: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
    ]
    let segment = [0xFF, 0xE1, 0, UInt8(8 + tiff.count)] + Array("Exif\0\0".utf8) + tiff
    let turned = try VisionImage(encoded: bytes.prefix(2) + segment + bytes.dropFirst(2))
    #expect(turned.orientation == .right)
    #expect(try turned.image().pixels == image.pixels)
    #expect(try VisionImage(contentsOfFile: VisionImageTests.scene.path).orientation == .up)
  }

  @Test func invalidImageThrowsImmediately() {
    #expect(throws: VisionError.imageFile(.unknownFormat(firstBytes: [1, 2, 3]))) {
      try VisionImage(encoded: [1, 2, 3])
    }
    #expect(throws: VisionError.file(path: "/nowhere.png", .notFound)) {
      try VisionImage(contentsOfFile: "/nowhere.png")
    }
    #expect(throws: VisionError.file(path: "/", .unreadable)) {
      try InputImage(contentsOfFile: "/")
    }
  }

  @Test func damageIsAWarningUnlessStrict() throws {
    let url = Fixtures.folder("PNG/Damaged").appending(path: "rgb-without-adler.png")
    let warning = DecodingWarning.png(.imageData(.truncated(count: 333)))
    let image = try VisionImage(contentsOf: url)
    #expect(image.warnings.count == 1)
    #expect(try image.image().warnings == image.warnings)
    #expect("\(image.warnings[0])".hasPrefix("PNG: the image data is damaged"))
    #expect("\(image.warnings[0])" == "\(warning)")
    #expect(throws: VisionError.imageFile(.png(.imageData(.truncated(count: 333))))) {
      try VisionImage(contentsOf: url, isStrict: true)
    }
    #expect(try VisionImage(contentsOfFile: VisionImageTests.scene.path).warnings.isEmpty)
  }

  @Test func mlImageReportsItsSourceType() throws {
    let buffer = try VisionImageTests.buffer(.rgb, [1, 2, 3, 4, 5, 6])
    for (image, source) in [
      (MLImage(image: InputImage(buffer)), MLImageSourceType.image),
      (MLImage(pixelBuffer: buffer), .pixelBuffer),
      (MLImage(sampleBuffer: SampleBuffer(buffer)), .sampleBuffer),
    ] {
      let image = try #require(image)
      #expect(image.imageSourceType == source)
      #expect(image.width == 2)
      #expect(image.height == 1)
      #expect(image.orientation == .up)
      image.orientation = .rightMirrored
      #expect(try image.image() == InputImage(buffer, orientation: .rightMirrored))
    }
    #expect(MLImageSourceType.allCases.map(\.rawValue) == [0, 1, 2])
  }

  @Test func decodingHonorsTheMemoryLimit() throws {
    let file = Array("P6 10 10 255\n".utf8) + [UInt8](repeating: 7, count: 300)
    // The file has 313 bytes, its pixels have 300.
    #expect(try InputImage(encoded: file, limits: ImageLimits(memory: 613)).size.width == 10)
    #expect(throws: VisionError.self) {
      _ = try InputImage(encoded: file, limits: ImageLimits(memory: 612))
    }
  }
}
