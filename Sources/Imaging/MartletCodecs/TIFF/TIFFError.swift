//===--- TIFFError.swift - errors of the TIFF decoder ---------------------===//

/// Why bytes could not be decoded as TIFF. Offsets count bytes from the start of the file, segments
/// (strips or tiles) from zero.
@nonexhaustive
public enum TIFFError: Error, Equatable, Sendable {
  /// Decoding needs more memory than the limit.
  case memory(MemoryExcess)
  /// Decoding was interrupted, or takes more work than the file may.
  case stopped(DecodingStop)
  /// The file begins with neither "II" nor "MM" and the number 42 or 43.
  case badSignature
  /// `count` bytes at `offset` exceed the file.
  case truncated(offset: Int, count: Int, fileSize: Int)
  /// The directory lacks a tag that the image needs.
  case missingTag(Int)
  /// A tag has a value that the format does not allow.
  case badTag(Int, value: Int)
  /// A tag has a value that this decoder does not support.
  case unsupported(tag: Int, value: Int)
  /// A side is zero, or the image has more pixels than the decoder's limit.
  case badSize(width: Int, height: Int)
  /// The directory has offsets of `count` segments instead of `expected`.
  case missingSegments(count: Int, expected: Int)
  /// The JPEG image in a segment is larger or less wide than the segment, or has other samples.
  case badSegmentSize(segment: Int, width: Int, height: Int, samples: Int)
  /// A segment ends after `count` of `expected` bytes.
  case missingData(segment: Int, count: Int, expected: Int)
  /// A segment has an unknown LZW code after `count` bytes.
  case badCode(segment: Int, count: Int)
  /// A segment cannot be inflated.
  case deflate(segment: Int, InflateError)
  /// A segment, or the tables before all of them, cannot be decoded as JPEG. The offsets of the inner
  /// error count from there.
  case jpeg(segment: Int, JPEGError)
}

extension TIFFError: RecoverableError {
  var warning: DecodingWarning { .tiff(self) }

  var kind: Int {
    switch self {
    case .memory: 0
    case .stopped: 13
    case .badSignature: 1
    case .truncated: 2
    case .missingTag: 3
    case .badTag: 4
    case .unsupported: 5
    case .badSize: 6
    case .missingSegments: 7
    case .badSegmentSize: 8
    case .missingData: 9
    case .badCode: 10
    case .deflate: 11
    case .jpeg: 12
    }
  }
}

extension TIFFError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .memory(let excess): "the image \(excess)"
    case .stopped(let stop): "the image \(stop)"
    case .badSignature: "the file does not begin with the signature of TIFF"
    case .truncated(let offset, let count, let fileSize):
      "expected \(count) bytes at byte \(offset), found the end of the file at \(fileSize)"
    case .missingTag(let tag): "the image has no \(TIFFTag.name(tag))"
    case .badTag(let tag, let value):
      "unsupported \(TIFFTag.name(tag)) \(value)"
    case .unsupported(let tag, let value):
      """
      TIFF images with \(TIFFTag.name(tag)) \(TIFFTag.name(of: value, tag)) are not supported: \
      convert the file to PNG, e.g. with magick 'FILE[0]' out.png
      """
    case .badSize(let width, let height):
      "invalid image size \(width) x \(height): a side is 0, or the limit of pixels is exceeded"
    case .missingSegments(let count, let expected):
      "the image has \(count) strips or tiles, expected \(expected)"
    case .badSegmentSize(let segment, let width, let height, let samples):
      "the JPEG image in segment \(segment) has \(width) x \(height) pixels of \(samples) "
        + "samples, which differ from the segment's"
    case .missingData(let segment, let count, let expected):
      "segment \(segment) ends after \(count) of \(expected) bytes"
    case .badCode(let segment, let count):
      "segment \(segment) has an invalid code after \(count) bytes"
    case .deflate(let segment, let error): "segment \(segment): \(error)"
    case .jpeg(let segment, let error): "segment \(segment): \(error)"
    }
  }
}
