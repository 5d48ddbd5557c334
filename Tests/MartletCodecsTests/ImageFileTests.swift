import Foundation
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct ImageFileTests {
  /// A picture of 2 by 1 pixels, red and blue, in several formats.
  let pixels: [UInt8] = [255, 0, 0, 0, 0, 255]

  @Test func formatsAreToldApartByTheirFirstBytes() throws {
    let raster = Raster(width: 2, height: 1, channels: 3, samples: pixels)
    #expect(try ImageFile(decoding: PNG.encode(raster)).image.pixels == pixels)
    #expect(try ImageFile(decoding: PNM.encode(raster)).image.pixels == pixels)
    let bmp = try Fixtures.files(in: "BMP", withExtension: "bmp").prefix(1).map(Fixtures.bytes)
    #expect(throws: Never.self) { for file in bmp { _ = try ImageFile(decoding: file) } }
  }

  @Test(arguments: [
    ([] as [UInt8]), [0x47, 0x49, 0x46, 0x38, 0x39], [0x50, 0x39], [0xFF], [0x89],
  ])
  func otherFilesAreRefusedByTheirFirstBytes(_ bytes: [UInt8]) {
    #expect(throws: ImageFileError.unknownFormat(firstBytes: Array(bytes.prefix(16)))) {
      try ImageFile(decoding: bytes)
    }
  }

  @Test func theErrorSaysHowToConvertOtherFormats() {
    let error = ImageFileError.unknownFormat(firstBytes: [0xFF, 0x0A, 0, 0])
    #expect(
      "\(error)" == """
        the file is a JPEG XL picture, a JPEG, PNG, BMP or PNM picture expected: convert it to PNG \
        or JPEG, e.g. with djxl FILE out.png
        """)
  }

  @Test(arguments: [
    (1, [UInt8(9)], [UInt8(9), 9, 9]), (2, [9, 100], [9, 9, 9]),
    (4, [1, 2, 3, 100], [1, 2, 3]),
  ])
  func greyIsSpreadAndAlphaIsDropped(_ channels: Int, _ samples: [UInt8], _ rgb: [UInt8]) throws {
    let raster = Raster(width: 1, height: 1, channels: channels, samples: samples)
    #expect(try ImageFile(decoding: PNG.encode(raster)).image.pixels == rgb)
  }

  @Test func thePictureIsTurnedAsTheFileAsks() throws {
    // Orientation 6: the stored first column, bottom up, is the upright first row.
    let raster = Raster(width: 2, height: 1, channels: 3, samples: pixels, orientation: 6)
    let file = try ImageFile(decoding: PNG.encode(raster))
    #expect(file.orientation == .right)
    #expect(file.upright.width == 1 && file.upright.height == 2)
    #expect(file.upright.pixels == pixels)
  }
}
