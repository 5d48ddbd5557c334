//===--- PNMError.swift - errors of the PNM decoder -----------------------===//

/// Why bytes could not be decoded as PNM or PAM. Offsets count bytes from the start of the file.
@nonexhaustive
public enum PNMError: Error, Equatable, Sendable {
  /// Decoding needs more memory than the limit.
  case memory(MemoryExcess)
  /// Decoding was interrupted, or takes more work than the file may.
  case stopped(DecodingStop)
  /// The file does not begin with "P" and a digit from 1 to 7.
  case badSignature
  /// `count` bytes at `offset` exceed the file.
  case truncated(offset: Int, count: Int, fileSize: Int)
  /// There is no number at `offset`, or it has more than nine digits.
  case badNumber(offset: Int)
  /// A side is zero, or the image has more pixels than the decoder's limit.
  case badSize(width: Int, height: Int)
  /// The maximum sample value is not 1 to 65535.
  case badMaximum(Int)
  /// A PAM pixel does not have 1 to 4 samples.
  case badDepth(Int)
  /// A line of a PAM header is unknown, or the header ends too early.
  case badHeaderLine(offset: Int)
  /// The sample at `offset` exceeds the file's maximum.
  case sampleTooLarge(offset: Int, value: Int, maximum: Int)
}

extension PNMError: RecoverableError {
  var warning: DecodingWarning { .pnm(self) }

  var kind: Int {
    switch self {
    case .truncated: 0
    case .sampleTooLarge: 1
    default: 2
    }
  }
}

extension PNMError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .memory(let excess): "the image \(excess)"
    case .stopped(let stop): "the image \(stop)"
    case .badSignature:
      "the file does not begin with the signature of PNM"
    case .truncated(let offset, let count, let fileSize):
      "expected \(count) bytes at byte \(offset), found the end of the file at \(fileSize)"
    case .badNumber(let offset):
      "expected a number at byte \(offset)"
    case .badSize(let width, let height):
      "invalid image size \(width) x \(height): a side is 0, or the limit of pixels is exceeded"
    case .badMaximum(let maximum):
      "invalid maximum \(maximum) of samples, expected 1 to 65535"
    case .badDepth(let depth):
      "unsupported number of samples per pixel: \(depth)"
    case .badHeaderLine(let offset):
      "invalid line of the PAM header at byte \(offset)"
    case .sampleTooLarge(let offset, let value, let maximum):
      "the sample at byte \(offset) is \(value), expected at most \(maximum)"
    }
  }
}
