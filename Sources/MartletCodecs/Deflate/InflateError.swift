//===--- InflateError.swift - why a zlib stream could not be inflated -----===//

/// Why a zlib stream could not be inflated. Offsets count bytes from the start of the stream.
public enum InflateError: Error, Equatable, Sendable {
  /// The stream of `count` bytes ends before its last block or its checksum does.
  case truncated(count: Int)
  /// The two bytes of the header are not zlib's: method 8, a window of at most 32 KiB, and a
  /// multiple of 31.
  case badHeader(UInt16)
  /// The stream needs a preset dictionary, which no image format provides.
  case presetDictionary
  /// A block of type 3, which is reserved.
  case reservedBlockType(offset: Int)
  /// The length of a stored block and its complement do not agree.
  case storedLengthMismatch(offset: Int, length: Int, complement: Int)
  /// A dynamic block announces more codes than the alphabets have (286 and 30).
  case tooManyCodes(offset: Int, literals: Int, distances: Int)
  /// A dynamic block's code lengths are not those of a prefix code, or repeat past their end.
  case badCodeLengths(offset: Int)
  /// A dynamic block has no code for the end of the block.
  case noEndOfBlock(offset: Int)
  /// Bits that are no code of the block's alphabet.
  case badCode(offset: Int)
  /// A match begins `distance` bytes back where only `produced` bytes exist.
  case distanceTooFar(offset: Int, distance: Int, produced: Int)
  /// The stream holds more than the `expected` bytes.
  case tooLong(offset: Int, expected: Int)
  /// The stream ends after `produced` of the `expected` bytes, or is too short to hold them.
  case tooShort(produced: Int, expected: Int)
  /// The Adler-32 checksum of the bytes is not the one stored.
  case checksumMismatch(stored: UInt32, computed: UInt32)
}

extension InflateError {
  /// Whether the stream is right as far as it goes.
  var isEarlyEnd: Bool {
    switch self {
    case .truncated, .tooShort: true
    default: false
    }
  }
}

extension InflateError: CustomStringConvertible {
  /// The failure as one sentence.
  public var description: String {
    switch self {
    case .truncated(let count):
      "The compressed stream ends early, after \(count) bytes."
    case .badHeader(let header):
      "The compressed stream begins with \(header), which is no zlib header."
    case .presetDictionary:
      "The compressed stream needs a preset dictionary."
    case .reservedBlockType(let offset):
      "The compressed block at byte \(offset) is of the reserved type 3."
    case .storedLengthMismatch(let offset, let length, let complement):
      "The stored block at byte \(offset) has length \(length) and complement \(complement)."
    case .tooManyCodes(let offset, let literals, let distances):
      "The block at byte \(offset) has \(literals) literal and \(distances) distance codes."
    case .badCodeLengths(let offset):
      "The code lengths before byte \(offset) form no prefix code."
    case .noEndOfBlock(let offset):
      "The block before byte \(offset) has no code for its end."
    case .badCode(let offset):
      "The bits before byte \(offset) are no code of the block."
    case .distanceTooFar(let offset, let distance, let produced):
      "A match before byte \(offset) begins \(distance) bytes back, after \(produced) bytes."
    case .tooLong(let offset, let expected):
      "The compressed stream holds more than \(expected) bytes at byte \(offset)."
    case .tooShort(let produced, let expected):
      "The compressed stream holds \(produced) bytes instead of \(expected)."
    case .checksumMismatch(let stored, let computed):
      "The compressed stream's checksum is \(computed) instead of \(stored)."
    }
  }
}
