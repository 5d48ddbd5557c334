import MartletBase

@testable import MartletCodecs

extension JPEG {
  /// Decodes the image at `offset`.
  static func decodeFrame(
    of bytes: [UInt8], at offset: Int, workers: Workers = .serial
  ) throws(JPEGError) -> JPEGImage {
    try decodeFrame(of: bytes, at: offset, work: DecodingWork(byteCount: bytes.count, workers))
  }
}

/// Builds JPEG files.
enum JPEGFile {
  static let start: [UInt8] = [0xFF, 0xD8]
  static let end: [UInt8] = [0xFF, 0xD9]

  /// A segment with its marker and length.
  static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + word(body.count + 2) + body
  }

  static func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }

  /// Quantization steps of 8, so a DC coefficient is the mean's difference from 128.
  static func steps(_ index: UInt8 = 0) -> [UInt8] {
    segment(0xDB, [index] + Array(repeating: 8, count: 64))
  }

  /// A frame of components with these identifiers, sampling factors and tables.
  static func frame(
    _ marker: UInt8 = 0xC0, width: Int = 8, height: Int = 8, bits: UInt8 = 8,
    components: [[UInt8]] = [[1, 0x11, 0]]
  ) -> [UInt8] {
    segment(
      marker,
      [bits] + word(height) + word(width) + [UInt8(components.count)] + components.joined())
  }

  /// A Huffman table with one code of each length from 1 on.
  static func table(_ selector: UInt8, _ symbols: [UInt8]) -> [UInt8] {
    let lengths = (0..<16).map { UInt8($0 < symbols.count ? 1 : 0) }
    return segment(0xC4, [selector] + lengths + symbols)
  }

  /// DC: 0 is no difference, 10 a difference of 4 bits. AC: 0 ends the block, 10 is a coefficient
  /// of 1 bit.
  static let tables = table(0x00, [0, 4]) + table(0x10, [0, 1])

  static func scan(
    _ components: [[UInt8]] = [[1, 0]], start: UInt8 = 0, end: UInt8 = 63, bits: UInt8 = 0
  ) -> [UInt8] {
    segment(0xDA, [UInt8(components.count)] + components.joined() + [start, end, bits])
  }

  /// One gray block: a difference of 10 and no coefficient, 10 1010 0, padded with ones.
  static let block: [UInt8] = [0b1010_1001]

  /// The error that decoding throws, if any.
  static func error(_ bytes: [UInt8]) -> JPEGError? {
    do throws(JPEGError) {
      _ = try JPEG.decode(bytes, isStrict: true)
      return nil
    } catch {
      return error
    }
  }
}
