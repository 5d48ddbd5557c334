//===--- Y4MError.swift - errors of the Y4M reader ------------------------===//

/// Why bytes could not be read as a YUV4MPEG2 video. Offsets count bytes from the video's start.
@nonexhaustive
public enum Y4MError: Error, Equatable, Sendable {
  /// The video does not begin with "YUV4MPEG2".
  case badSignature
  /// The line at `offset` does not end within `limit` bytes.
  case lineTooLong(offset: Int, limit: Int)
  /// The header's parameter at `offset`, with this letter, has an invalid value.
  case badParameter(offset: Int, letter: UInt8)
  /// The header lacks the width or the height.
  case missingSize
  /// A side is zero, or a frame has more pixels than the decoder's limit.
  case badSize(width: Int, height: Int)
  /// Reading a frame needs more memory than the limit.
  case memory(MemoryExcess)
  /// Reading was interrupted.
  case stopped(DecodingStop)
  /// The sample layout is not supported.
  case unsupportedChroma(name: String)
  /// There is no "FRAME" at `offset`.
  case missingFrame(offset: Int)
  /// The video ends `missing` bytes before the end of the frame whose samples begin at `offset`.
  case truncated(offset: Int, missing: Int)
}

extension Y4MError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .badSignature: "the video does not begin with YUV4MPEG2"
    case .lineTooLong(let offset, let limit):
      "the line at byte \(offset) does not end within \(limit) bytes"
    case .badParameter(let offset, let letter):
      "the parameter \(Character(Unicode.Scalar(letter))) at byte \(offset) has an invalid value"
    case .missingSize: "the header has no frame size; expected the parameters W and H"
    case .badSize(let width, let height):
      "invalid frame size \(width) x \(height): a side is 0, or the limit of pixels is exceeded"
    case .memory(let excess): "a frame of the video \(excess)"
    case .stopped(let stop): "a frame of the video \(stop)"
    case .unsupportedChroma(let name): "unsupported sample layout \(name)"
    case .missingFrame(let offset): "expected FRAME at byte \(offset)"
    case .truncated(let offset, let missing):
      "the video ends \(missing) bytes before the end of the frame at byte \(offset)"
    }
  }
}
