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
    case .memory(let excess): "the image \(excess)"
    case .stopped(let stop): "the image \(stop)"
    case .badSignature:
      "the file does not begin with the signature of BMP"
    case .truncated(let offset, let count, let fileSize):
      "expected \(count) bytes at byte \(offset), found the end of the file at \(fileSize)"
    case .unknownHeader(let size):
      "expected a known header size, found \(size) bytes"
    case .badSize(let width, let height):
      "invalid image size \(width) x \(height): a side is 0, or the limit of pixels is exceeded"
    case .unsupportedFormat(let bitDepth, let compression):
      "unsupported pixels of \(bitDepth) bits with compression \(compression)"
    case .compressedFromTheTop(let height):
      "invalid height \(height) of a run-length coded image"
    case .badMask(let mask, let bitDepth):
      "the color mask \(mask) does not fit pixels of \(bitDepth) bits"
    case .badDataOffset(let offset, let minimum):
      "the pixels begin at byte \(offset), expected \(minimum) or more, the end of the headers"
    case .missingPalette:
      "the image has no palette"
    }
  }
}
