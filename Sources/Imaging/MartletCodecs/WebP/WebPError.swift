//===--- WebPError.swift - errors of the WebP decoder ---------------------===//
//
// Checked   Tests/MartletCodecsTests/WebPDamageTests.swift
//===----------------------------------------------------------------------===//

/// Why bytes could not be decoded as WebP. Offsets count bytes from the start of the file.
@nonexhaustive
public enum WebPError: Error, Equatable, Sendable {
  /// Decoding needs more memory than the limit.
  case memory(MemoryExcess)
  /// Decoding was interrupted, or takes more work than the file may.
  case stopped(DecodingStop)
  /// The file does not begin with `RIFF`, a size of at least 12, and `WEBP`.
  case badSignature
  /// The file of `fileSize` bytes ends before the `count` bytes at `offset`.
  case truncated(offset: Int, count: Int, fileSize: Int)
  /// The coded image ends early: only the first `rows` of `height` rows are decoded.
  case missingRows(rows: Int, height: Int)
  /// The chunk at `offset` cannot have this length.
  case badChunkLength(offset: Int, length: Int)
  /// The file has no VP8 or VP8L chunk.
  case missingImage
  /// The canvas has more pixels than the decoder's limit.
  case badSize(width: Int, height: Int)
  /// The image differs in size from the canvas, or the frame from its own header.
  case sizeMismatch(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int)
  /// The frame of an animation is not inside the canvas.
  case frameOutsideCanvas(offset: Int)
  /// The VP8 data at `offset` do not begin with the header of a visible key frame.
  case badFrameHeader(offset: Int)
  /// The VP8L data at `offset` do not begin with 0x2F and version 0.
  case badLosslessHeader(offset: Int)
  /// A transform is listed twice.
  case repeatedTransform(Int)
  /// A color cache with an index of `bits` bits; 1 to 11 are allowed.
  case badColorCache(bits: Int)
  /// The code lengths of a prefix code are not those of a complete code.
  case badPrefixCode
  /// The reference at `pixel` leaves the image.
  case badReference(pixel: Int)
  /// The lossless data end inside a header.
  case unfinishedHeader
  /// The alpha chunk has an unknown method or filter, or too few bytes.
  case badAlpha(offset: Int, length: Int)
}

extension WebPError: RecoverableError {
  var warning: DecodingWarning { .webp(self) }

  var kind: Int {
    switch self {
    case .truncated: 0
    case .missingRows: 1
    default: 2
    }
  }
}

extension WebPError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .memory(let excess): "The WebP image \(excess)."
    case .stopped(let stop): "The WebP image \(stop)."
    case .badSignature: "The file does not begin as a WebP file does."
    case .truncated(let offset, let count, let fileSize):
      "The WebP file of \(fileSize) bytes ends before the \(count) bytes at \(offset)."
    case .missingRows(let rows, let height):
      "The WebP image data end early: \(rows) of \(height) rows are decoded."
    case .badChunkLength(let offset, let length):
      "The chunk at byte \(offset) of the WebP file cannot have \(length) bytes."
    case .missingImage: "The WebP file has no image."
    case .badSize(let width, let height):
      "A WebP image of \(width) x \(height) pixels is over the limit."
    case .sizeMismatch(let width, let height, let expectedWidth, let expectedHeight):
      """
      The WebP image has \(width) x \(height) pixels instead of \
      \(expectedWidth) x \(expectedHeight).
      """
    case .frameOutsideCanvas(let offset):
      "The WebP frame at byte \(offset) is not inside the canvas."
    case .badFrameHeader(let offset):
      "The VP8 data at byte \(offset) do not begin with a visible key frame."
    case .badLosslessHeader(let offset):
      "The VP8L data at byte \(offset) do not begin with 0x2F and version 0."
    case .repeatedTransform(let type): "The VP8L transform \(type) is listed twice."
    case .badColorCache(let bits):
      "The VP8L color cache has \(bits) bits instead of 1 to 11."
    case .badPrefixCode: "A VP8L prefix code is incomplete or has too many codes."
    case .badReference(let pixel): "The VP8L reference at pixel \(pixel) leaves the image."
    case .unfinishedHeader: "The VP8L data end inside a header."
    case .badAlpha(let offset, let length):
      "The WebP alpha data at byte \(offset), \(length) bytes, are damaged."
    }
  }
}
