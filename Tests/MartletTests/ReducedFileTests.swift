import MartletCodecs
import MartletTestSupport
import Testing

@testable import Martlet
@testable import MartletMLKit

/// Large files, which detectors examine at a part of their size.
@Suite struct ReducedFileTests {
  private static let fullSize = ImageSize(width: 1920, height: 1440)

  /// A scene of 640 x 480 pixels, enlarged.
  private static let bytes: [UInt8] = {
    guard let scene = try? ObjectDetectorTests.image("fruit.jpg"),
      let large = try? scene.resized(to: fullSize),
      let bytes = try? JPEG.encode(
        Raster(width: 1920, height: 1440, channels: 3, samples: large.pixels, orientation: 3))
    else { return [] }
    return bytes
  }()

  @Test func pixelsAreThoseOfTheFullImage() throws {
    let reduced = try InputImage(encoded: Self.bytes)
    let full = try InputImage(encoded: Self.bytes, isFullResolution: true)
    #expect(reduced.size == Self.fullSize && full.size == Self.fullSize)
    #expect(reduced.detectionImage().size == Self.fullSize)
    #expect(reduced.detectionImage().pixels.size == ImageSize(width: 960, height: 720))
    #expect(full.detectionImage().pixels == full.upright)
    #expect(reduced.pixels == full.pixels)
    #expect(reduced.imageOrientation == .down)
    #expect(reduced.byteCount == Self.bytes.count + 960 * 720 * 3)
    #expect(reduced == (try InputImage(encoded: Self.bytes)))
  }

  @Test func pixelsOfPNGAreAveraged() throws {
    let image = try RGBImage(
      width: 1440, height: 1439, pixels: (0..<1440 * 1439).flatMap { [UInt8($0 % 2), 0, 9] })
    let bytes = PNG.encode(
      Raster(width: 1440, height: 1439, channels: 3, samples: image.pixels))
    let file = try InputImage(encoded: bytes)
    #expect(file.size == image.size && file.pixels == image)
    let reduced = file.detectionImage()
    #expect(reduced.size == image.size)
    #expect(reduced.pixels.size == ImageSize(width: 720, height: 720))
    // The mean of 0 and 1 is rounded up.
    #expect(reduced.pixels[3, 719] == RGBImage.Color(red: 1, green: 0, blue: 9))
  }

  @Test func smallImagesAreNotReduced() throws {
    let bytes = try Fixtures.bytes(of: VisionImageTests.scene)
    let image = try InputImage(encoded: bytes)
    #expect(image == (try InputImage(encoded: bytes, isFullResolution: true)))
    #expect(image.detectionImage().pixels == image.upright)
  }

  @Test func imageBeyondMemoryLimitIsDetectedReduced() throws {
    let limits = ImageLimits(memory: 4 << 20)
    #expect(throws: VisionError.self) {
      _ = try InputImage(encoded: Self.bytes, limits: limits, isFullResolution: true)
    }
    let image = try InputImage(encoded: Self.bytes, limits: limits)
    #expect(image.pixels.size == Self.fullSize)
    #expect(image.detectionImage().pixels.size == ImageSize(width: 960, height: 720))
  }

  @Test func boxesAreInFullResolution() throws {
    let detector = try ObjectDetectorTests.detector { $0.minimumObjectScore = 0.6 }
    let reduced = try detector.results(in: VisionImage(encoded: Self.bytes))
    let full = try detector.results(in: VisionImage(encoded: Self.bytes, isFullResolution: true))
    #expect(reduced.count == 3 && full.count == 3)
    for a in reduced {
      let box = Box(a.frame)
      let b = try #require(full.first { box.intersectionOverUnion(with: Box($0.frame)) > 0.95 })
      #expect(Box(a.uprightFrame).intersectionOverUnion(with: Box(b.uprightFrame)) > 0.95)
      #expect(a.category == b.category)
    }
  }

  @Test func regionIsExaminedInFullResolution() throws {
    let detector = try ObjectDetectorTests.detector {
      $0.regionOfInterest = .init(x: 0, y: 0, width: 960, height: 1440)
    }
    let image = try InputImage(encoded: Self.bytes)
    let full = InputImage(image.pixels, orientation: image.imageOrientation)
    #expect(try detector.results(in: image) == detector.results(in: full))
  }

  @Test func annotatedImageHasAllPixels() throws {
    let annotated = try AnnotatedImage(InputImage(encoded: Self.bytes))
    #expect(annotated.image.size == Self.fullSize)
  }
}
