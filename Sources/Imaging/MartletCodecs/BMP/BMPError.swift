//===--- BMPError.swift - errors of the BMP decoder -----------------------===//

/// Why bytes could not be decoded as BMP. Offsets count bytes from the start of the file.
@nonexhaustive
public enum BMPError: Error, Equatable, Sendable {
  /// Decoding needs more memory than the limit.
  case memory(MemoryExcess)
  /// Decoding was interrupted, or takes more work than the file may.
  case stopped(DecodingStop)
  /// The file does not begin with "BM".
  case badSignature
  /// `count` bytes at `offset` exceed the file.
  case truncated(offset: Int, count: Int, fileSize: Int)
  /// No version of the format has an information header of `size` bytes.
  case unknownHeader(size: UInt32)
  /// A side is zero, the width is negative, or there are more pixels than the decoder's limit.
  case badSize(width: Int, height: Int)
  /// The format has no such bit depth, or not with this compression, or the file embeds a JPEG or
  /// PNG image.
  case unsupportedFormat(bitDepth: Int, compression: UInt32)
  /// Run-length coded rows are top-down, which the format does not allow.
  case compressedFromTheTop(height: Int)
  /// The bits of a color mask are not contiguous, or exceed the pixel.
  case badMask(UInt32, bitDepth: Int)
  /// The offset of the pixels is inside the headers, which end at `minimum`.
  case badDataOffset(UInt32, minimum: Int)
  /// An indexed image has no palette.
  case missingPalette
}

extension BMPError: RecoverableError {
  var warning: DecodingWarning { .bmp(self) }

  var kind: Int {
    switch self {
    case .memory: 0
    case .stopped: 10
    case .badSignature: 1
    case .truncated: 2
    case .unknownHeader: 3
    case .badSize: 4
    case .unsupportedFormat: 5
    case .compressedFromTheTop: 6
    case .badMask: 7
    case .badDataOffset: 8
    case .missingPalette: 9
    }
  }
}

extension BMPError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .memory(let excess): "The BMP image \(excess)."
    case .stopped(let stop): "The BMP image \(stop)."
    case .badSignature:
      "The file does not begin as a BMP file does."
    case .truncated(let offset, let count, let fileSize):
      "The BMP file of \(fileSize) bytes ends before the \(count) bytes at \(offset)."
    case .unknownHeader(let size):
      "BMP has no header of \(size) bytes."
    case .badSize(let width, let height):
      "A BMP image of \(width) x \(height) pixels is empty or over the limit."
    case .unsupportedFormat(let bitDepth, let compression):
      "BMP pixels of \(bitDepth) bits with compression \(compression) cannot be read."
    case .compressedFromTheTop(let height):
      "Invalid height of a run-length coded BMP image: \(height)."
    case .badMask(let mask, let bitDepth):
      "The BMP color mask \(mask) does not fit pixels of \(bitDepth) bits."
    case .badDataOffset(let offset, let minimum):
      "The BMP pixels are said to begin at byte \(offset), before the headers end at \(minimum)."
    case .missingPalette:
      "The BMP image has no palette."
    }
  }
}
