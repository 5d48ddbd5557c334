import Foundation
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct ImageFileTests {
  /// An image of 2 by 1 pixels, red and blue, in several formats.
  let pixels: [UInt8] = [255, 0, 0, 0, 0, 255]

  @Test func detectsFormatByFirstBytes() throws {
    let raster = Raster(width: 2, height: 1, channels: 3, samples: pixels)
    #expect(try ImageFile(decoding: PNG.encode(raster)).image.pixels == pixels)
    #expect(try ImageFile(decoding: PNM.encode(raster)).image.pixels == pixels)
    let bmp = try Fixtures.files(in: "BMP", withExtension: "bmp").prefix(1).map(Fixtures.bytes)
    #expect(throws: Never.self) { for file in bmp { _ = try ImageFile(decoding: file) } }
  }

  @Test(arguments: [
    ([] as [UInt8]), [0x47, 0x4A, 0x46, 0x38, 0x39], [0x50, 0x39], [0xFF], [0x89],
  ])
  func rejectsUnknownFormats(_ bytes: [UInt8]) {
    #expect(throws: ImageFileError.unknownFormat(firstBytes: Array(bytes.prefix(16)))) {
      try ImageFile(decoding: bytes)
    }
  }

  @Test(
    arguments: [
      ([0xFF, 0x0A, 0, 0], "a JPEG XL image", "djxl FILE out.png"),
      (
        [0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 10], "a JPEG XL image",
        "djxl FILE out.png"
      ),
      (
        [0xFF, 0x4F, 0xFF, 0x51, 0, 0x2F], "a JPEG 2000 image",
        "opj_decompress -i FILE -o out.png"
      ),
      (
        [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 10], "a JPEG 2000 image",
        "opj_decompress -i FILE -o out.png"
      ),
      (
        Array("FUJIFILMCCD-RAW 0201".utf8), "a Fujifilm raw image (RAF)",
        "darktable-cli FILE out.jpg"
      ),
      (
        Array("RIFF\u{24}\0\0\0AVI LIST".utf8), "an AVI video", "ffmpeg -i FILE out%04d.png"
      ),
      (Array("8BPS\0\u{1}".utf8), "a Photoshop image (PSD)", "magick 'FILE[0]' out.png"),
      ([0, 0, 1, 0, 1, 0, 16, 16], "an icon (ICO)", "magick 'FILE[0]' out.png"),
      ([0, 0, 2, 0, 1, 0, 16, 16], "a cursor (CUR) or a TGA image", "magick 'FILE[0]' out.png"),
    ] as [([UInt8], String, String)])
  func errorExplainsHowToConvertOtherFormats(_ bytes: [UInt8], _ name: String, _ command: String) {
    let error = #expect(throws: ImageFileError.self) { try ImageFile(decoding: bytes) }
    #expect(
      error.map { "\($0)" } == """
        expected a \(ImageCodec.names) image, found \(name); convert it to PNG or JPEG, \
        e.g. with \(command)
        """)
  }

  @Test func errorNamesHTMLPage() {
    let page = Array("\n<!doctype html><html><head>".utf8)
    let error = #expect(throws: ImageFileError.self) { try ImageFile(decoding: page) }
    #expect(error.map { "\($0)" }?.contains("an HTML page (download the file itself") == true)
  }

  /// A PPM file of 1,050,000 bytes and its pixels: 2,100,000 bytes.
  @Test func fileSizeCountsTowardMemoryLimit() throws {
    let file = Array("P6 700 500 255\n".utf8) + [UInt8](repeating: 0, count: 1_050_000)
    #expect(throws: Never.self) {
      try ImageFile(decoding: file, limits: ImageLimits(memory: 2_100_015))
    }
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile(decoding: file, limits: ImageLimits(memory: 2_100_014))
    }
    #expect(
      error.map { "\($0)" }?.contains("limit to 3 MiB (ImageLimits.memory = 2100015)")
        == true)
  }

  @Test func checksFirstBytesAndSize() throws {
    let limits = ImageLimits(memory: 1000)
    let beginnings: [[UInt8]] = [
      [0xFF, 0xD8], [0x89, 0x50], [0x42, 0x4D], [0x50, 0x37], Array("RIFF\0\0\0\0WEBP".utf8),
    ]
    for beginning in beginnings {
      #expect(throws: Never.self) {
        try ImageFile.check(beginning: beginning, byteCount: 1000, limits: limits)
        try ImageFile.check(beginning: beginning, byteCount: nil, limits: limits)
      }
      #expect(throws: ImageFileError.memory(MemoryExcess(needed: 1001, limit: 1000))) {
        try ImageFile.check(beginning: beginning, byteCount: 1001, limits: limits)
      }
    }
    #expect(throws: ImageFileError.unknownFormat(firstBytes: [1, 2])) {
      try ImageFile.check(beginning: [1, 2], byteCount: 2, limits: limits)
    }
  }

  @Test(arguments: [
    (1, [UInt8(9)], [UInt8(9), 9, 9]), (2, [9, 100], [9, 9, 9]),
    (4, [1, 2, 3, 100], [1, 2, 3]),
  ])
  func grayBecomesRGBAndAlphaIsDropped(_ channels: Int, _ samples: [UInt8], _ rgb: [UInt8]) throws {
    let raster = Raster(width: 1, height: 1, channels: channels, samples: samples)
    #expect(try ImageFile(decoding: PNG.encode(raster)).image.pixels == rgb)
  }

  @Test func uprightImageFollowsFileOrientation() throws {
    // Orientation 6: the first stored column, from bottom to top, is the first upright row.
    let raster = Raster(width: 2, height: 1, channels: 3, samples: pixels, orientation: 6)
    let file = try ImageFile(decoding: PNG.encode(raster))
    #expect(file.orientation == .right)
    #expect(file.upright.width == 1 && file.upright.height == 2)
    #expect(file.upright.pixels == pixels)
  }
}
