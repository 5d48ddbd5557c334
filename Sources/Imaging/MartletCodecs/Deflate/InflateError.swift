//===--- InflateError.swift - errors of the zlib decoder ------------------===//

/// Why a zlib stream could not be inflated. Offsets count bytes from the start of the stream.
@nonexhaustive
public enum InflateError: Error, Equatable, Sendable {
  /// Decoding was interrupted, or takes more work than the file may.
  case stopped(DecodingStop)
  /// The stream of `count` bytes ends before the end of its last block or of its checksum.
  case truncated(count: Int)
  /// The two bytes of the header are not zlib's: method 8, a window of at most 32 KiB, and a
  /// multiple of 31.
  case badHeader(UInt16)
  /// The stream needs a preset dictionary, which no image format provides.
  case presetDictionary
  /// A block has the reserved type 3.
  case reservedBlockType(offset: Int)
  /// The length of a stored block does not match its complement.
  case storedLengthMismatch(offset: Int, length: Int, complement: Int)
  /// A dynamic block has more codes than the alphabets (286 and 30).
  case tooManyCodes(offset: Int, literals: Int, distances: Int)
  /// The code lengths of a dynamic block form no prefix code, or a run exceeds their number.
  case badCodeLengths(offset: Int)
  /// A dynamic block has no code for the end of the block.
  case noEndOfBlock(offset: Int)
  /// Bits match no code of the block.
  case badCode(offset: Int)
  /// The distance of a match exceeds the `produced` bytes.
  case distanceTooFar(offset: Int, distance: Int, produced: Int)
  /// The stream encodes more than the `expected` bytes.
  case tooLong(offset: Int, expected: Int)
  /// The stream encodes `produced` instead of `expected` bytes, or is too short to encode them.
  case tooShort(produced: Int, expected: Int)
  /// The computed Adler-32 checksum differs from the stored one.
  case checksumMismatch(stored: UInt32, computed: UInt32)
}

extension InflateError {
  /// Whether the stream is valid up to its end.
  var isEarlyEnd: Bool {
    switch self {
    case .truncated, .tooShort: true
    default: false
    }
  }
}

extension InflateError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .stopped(let stop): "the compressed stream \(stop)"
    case .truncated(let count):
      "the compressed stream ends early, after \(count) bytes"
    case .badHeader(let header):
      "expected a zlib header, found \(header)"
    case .presetDictionary:
      "the compressed stream requires a preset dictionary, which is not supported"
    case .reservedBlockType(let offset):
      "the compressed block at byte \(offset) has the reserved type 3"
    case .storedLengthMismatch(let offset, let length, let complement):
      "the stored block at byte \(offset) has length \(length) and complement \(complement)"
    case .tooManyCodes(let offset, let literals, let distances):
      "the block at byte \(offset) has \(literals) literal and \(distances) distance codes"
    case .badCodeLengths(let offset):
      "the code lengths before byte \(offset) are not those of a prefix code"
    case .noEndOfBlock(let offset):
      "the block before byte \(offset) has no end-of-block code"
    case .badCode(let offset):
      "invalid code before byte \(offset)"
    case .distanceTooFar(let offset, let distance, let produced):
      "a match before byte \(offset) begins \(distance) bytes back, after \(produced) bytes"
    case .tooLong(let offset, let expected):
      "the compressed stream has more than the expected \(expected) bytes, at byte \(offset)"
    case .tooShort(let produced, let expected):
      "the compressed stream has \(produced) bytes, expected \(expected)"
    case .checksumMismatch(let stored, let computed):
      "the checksum of the compressed stream is \(computed), expected \(stored)"
    }
  }
}
