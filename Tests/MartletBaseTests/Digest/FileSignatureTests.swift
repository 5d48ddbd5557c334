import Testing

@testable import MartletBase

@Suite struct FileSignatureTests {
  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], "a JPEG image"),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a PNG image"),
      (
        [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A],
        "an HDF5 file (Keras; TFLiteConverter converts it)"
      ),
      (Array("GIF89a".utf8), "a GIF image"),
      (Array("RIFF".utf8) + [0x24, 0, 0, 0] + Array("WEBPVP8 ".utf8), "a WebP image"),
      ([0, 0, 0, 0x18] + Array("ftypheic".utf8), "a HEIC image"),
      ([0, 0, 0, 0x1C] + Array("ftypavif".utf8), "an AVIF image"),
      ([0, 0, 0, 0x20] + Array("ftypisom".utf8), "an MP4 video"),
      (Array("II*\0".utf8), "a TIFF image"),
      (Array("II*\0\u{10}\0\0\0CR".utf8), "a Canon raw image (CR2)"),
      ([0, 0, 0, 0x18] + Array("ftypcrx ".utf8), "a Canon raw image (CR3)"),
      (Array("FUJIFILMCCD-RAW 0".utf8), "a Fujifilm raw image (RAF)"),
      ([0xFF, 0x0A, 0xFA, 0x7F], "a JPEG XL image"),
      ([0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 0x0A], "a JPEG XL image"),
      ([0xFF, 0x4F, 0xFF, 0x51, 0], "a JPEG 2000 image"),
      ([0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0A], "a JPEG 2000 image"),
      (Array("8BPS\0\u{1}".utf8), "a Photoshop image (PSD)"),
      ([0, 0, 1, 0, 2, 0], "an icon (ICO)"), ([0, 0, 2, 0, 1, 0], "a cursor (CUR) or a TGA image"),
      ([0x1F, 0x8B, 8], "a gzip file"),
      ([0x1C, 0, 0, 0] + Array("TFL3".utf8), "a TensorFlow Lite model"),
    ] as [([UInt8], String)])
  func detectsTheFormat(_ bytes: [UInt8], _ name: String) {
    #expect(FileSignature.of(bytes)?.name == name)
  }

  @Test(
    arguments: [
      (Array("hello\n".utf8), "a text that begins with \"hello\""),
      (Array("a\nb".utf8), "a text that begins with \"a\""),
      ([0, 5, 22, 7, 0], "a file that begins with the bytes 00 05 16 07"),
    ] as [([UInt8], String)])
  func describesUnknownFiles(_ bytes: [UInt8], _ words: String) {
    #expect(FileSignature.words(of: bytes) == words)
  }

  @Test(
    arguments: [
      ([0, 0, 0, 0x18] + Array("ftypheic".utf8), "HEIC", true),
      ([0xFF, 0xD8, 0xFF], "JPEG", true), (Array("8BPS".utf8), "Photoshop (PSD)", true),
      (Array("%PDF-1".utf8), "PDF document", true), ([0x1F, 0x8B], "gzip file", false),
    ] as [([UInt8], String, Bool)])
  func namesPictures(_ bytes: [UInt8], _ name: String, isPicture: Bool) {
    let format = FileSignature.of(bytes)
    #expect(format?.shortName == name && format?.isPicture == isPicture)
  }

  /// Files mistaken for TensorFlow Lite models: protocol buffers of onnx, coremltools and
  /// TensorFlow.
  @Test(
    arguments: [
      (Array("version https://git-lfs.github.com/spec/v1\n".utf8), "a Git LFS pointer"),
      (Array("\n<!doctype html><html>".utf8), "an HTML page"),
      (Array("<!DOCTYPE html>".utf8), "an HTML page"),
      ([8, 8, 0x12, 7] + Array("pytorch".utf8), "an ONNX model"),
      ([8, 14, 58, 51, 10, 12, 10, 1, 120, 18, 1, 121], "an ONNX model"),
      ([8, 14, 18, 0, 58, 51, 10, 12, 10, 1, 120, 18], "an ONNX model"),
      ([8, 4, 0x12, 0x8A, 1, 0x0A, 5, 0x0A, 3], "a Core ML model"),
      ([8, 1, 18, 9, 10, 7, 10, 5, 105, 109, 97, 103, 101], "a Core ML model"),
      ([8, 8, 18, 6, 162, 6, 3, 10, 1, 120], "a Core ML model"),
      ([8, 1, 0x12, 0xD3, 0xC2, 1, 0x0A, 0x20], "a TensorFlow SavedModel"),
      ([0x0A, 0x20, 0x0A, 1, 0x78, 0x12, 11] + Array("Placeholder".utf8), "a TensorFlow graph"),
      ([0x80, 2, 0x8A, 0x0A, 0x6C, 0xFC, 0x9C], "a PyTorch model"),
      (zip("archive/data.pkl"), "a PyTorch model"), (zip("metadata.json"), "a Keras model"),
      (zip("a.txt"), "a zip archive"),
    ] as [([UInt8], String)])
  func detectsFilesMistakenForModels(_ bytes: [UInt8], _ name: String) {
    #expect(FileSignature.of(bytes)?.name.hasPrefix(name) == true)
  }

  /// The beginning of a ZIP archive with a file of this name.
  static func zip(_ name: String) -> [UInt8] {
    Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [
      UInt8(name.utf8.count), 0, 0, 0,
    ]
      + Array(name.utf8)
  }

  @Test(arguments: [[], [0xFF], [0x89, 0x50], Array("RIFF".utf8), Array(repeating: 0, count: 16)])
  func returnsNilForUnknownFormats(_ bytes: [UInt8]) {
    #expect(FileSignature.of(bytes) == nil)
  }
}
