//===--- WebPError.swift - errors of the WebP decoder ---------------------===//

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
    case .memory(let excess): "the image \(excess)"
    case .stopped(let stop): "the image \(stop)"
    case .badSignature: "the file does not begin with the signature of WebP"
    case .truncated(let offset, let count, let fileSize):
      "expected \(count) bytes at byte \(offset), found the end of the file at \(fileSize)"
    case .missingRows(let rows, let height):
      "the image data end after \(rows) of \(height) rows"
    case .badChunkLength(let offset, let length):
      "the chunk at byte \(offset) has the invalid length \(length)"
    case .missingImage: "the file contains no image"
    case .badSize(let width, let height):
      "the image size \(width) x \(height) exceeds the limit of pixels"
    case .sizeMismatch(let width, let height, let expectedWidth, let expectedHeight):
      """
      the image has \(width) x \(height) pixels, expected \
      \(expectedWidth) x \(expectedHeight)
      """
    case .frameOutsideCanvas(let offset):
      "the frame at byte \(offset) is not inside the canvas"
    case .badFrameHeader(let offset):
      "the VP8 data at byte \(offset) do not begin with a visible key frame"
    case .badLosslessHeader(let offset):
      "the VP8L data at byte \(offset) do not begin with 0x2F and version 0"
    case .repeatedTransform(let type): "duplicate VP8L transform \(type)"
    case .badColorCache(let bits):
      "the VP8L color cache has \(bits) bits, expected 1 to 11"
    case .badPrefixCode: "a VP8L prefix code is incomplete or has too many codes"
    case .badReference(let pixel): "the VP8L reference at pixel \(pixel) points outside the image"
    case .unfinishedHeader: "the VP8L data end inside a header"
    case .badAlpha(let offset, let length):
      "the alpha data at byte \(offset), \(length) bytes, are damaged"
    }
  }
}
