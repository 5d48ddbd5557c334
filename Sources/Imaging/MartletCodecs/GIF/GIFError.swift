//===--- GIFError.swift - errors of the GIF decoder -----------------------===//

public import enum MartletImage.ImageError

/// Why bytes could not be decoded as GIF. Offsets count bytes from the start of the file, frames
/// from zero.
@nonexhaustive
public enum GIFError: Error, Equatable, Sendable {
  /// Decoding needs more memory than the limit.
  case memory(MemoryExcess)
  /// Decoding was interrupted, or takes more work than the file may.
  case stopped(DecodingStop)
  /// The file does not begin with "GIF87a" or "GIF89a".
  case badSignature
  /// The file ends before the `count` bytes at `offset`.
  case truncated(offset: Int, count: Int)
  /// A side of an image is zero, or it has more pixels than the decoder's limit.
  case badSize(width: Int, height: Int)
  /// The file has no image.
  case missingImage
  /// The byte at `offset` begins no block: an extension (33), an image (44) or the end (59).
  case unknownBlock(UInt8, offset: Int)
  /// A graphic control extension has `length` bytes instead of 4.
  case badControl(offset: Int, length: Int)
  /// The codes of an image cannot begin with `bits` bits: at most 11, usually 2 to 8.
  case badCodeSize(frame: Int, bits: Int)
  /// The codes of an image end after `count` of its pixels.
  case missingPixels(frame: Int, count: Int, expected: Int)
  /// The code after `count` pixels of an image is not in the table.
  case badCode(frame: Int, count: Int)
  /// The decoded image exceeds a limit.
  case image(ImageError)
}

extension GIFError: RecoverableError {
  var warning: DecodingWarning { .gif(self) }

  var kind: Int {
    switch self {
    case .memory: 0
    case .stopped: 11
    case .badSignature: 1
    case .truncated: 2
    case .badSize: 3
    case .missingImage: 4
    case .unknownBlock: 5
    case .badControl: 6
    case .badCodeSize: 7
    case .missingPixels: 8
    case .badCode: 9
    case .image: 10
    }
  }
}

extension GIFError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .memory(let excess): "the image \(excess)"
    case .stopped(let stop): "the image \(stop)"
    case .badSignature: "the file does not begin with the signature of GIF"
    case .truncated(let offset, let count):
      "expected \(count) bytes at byte \(offset), found the end of the file"
    case .badSize(let width, let height):
      "invalid image size \(width) x \(height): a side is 0, or the limit of pixels is exceeded"
    case .missingImage: "the file contains no image"
    case .unknownBlock(let byte, let offset):
      "unknown block type \(byte) at byte \(offset), expected 33, 44 or 59"
    case .badControl(let offset, let length):
      "the control block at byte \(offset) has \(length) bytes, expected 4"
    case .badCodeSize(let frame, let bits):
      "frame \(frame) has an initial code length of \(bits) bits, expected at most 11"
    case .missingPixels(let frame, let count, let expected):
      "frame \(frame) ends after \(count) of \(expected) pixels"
    case .badCode(let frame, let count):
      "frame \(frame) has an invalid code after \(count) pixels"
    case .image(let error): "\(error)"
    }
  }
}
