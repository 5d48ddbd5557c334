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
    case .memory(let excess): "The TIFF image \(excess)."
    case .stopped(let stop): "The TIFF image \(stop)."
    case .badSignature: "The file does not begin as a TIFF file does."
    case .truncated(let offset, let count, let fileSize):
      "The TIFF file of \(fileSize) bytes ends before the \(count) bytes at \(offset)."
    case .missingTag(let tag): "The TIFF image has no \(TIFFTag.name(tag))."
    case .badTag(let tag, let value):
      "The \(TIFFTag.name(tag)) of a TIFF image cannot be \(value)."
    case .unsupported(let tag, let value):
      """
      TIFF images with \(TIFFTag.name(tag)) \(TIFFTag.name(of: value, tag)) are not supported: \
      convert the file to PNG, e.g. with magick 'FILE[0]' out.png
      """
    case .badSize(let width, let height):
      "A TIFF image of \(width) x \(height) pixels is empty or over the limit."
    case .missingSegments(let count, let expected):
      "The TIFF image has \(count) strips or tiles instead of \(expected)."
    case .badSegmentSize(let segment, let width, let height, let samples):
      "The JPEG image in TIFF segment \(segment) has \(width) x \(height) pixels of \(samples) "
        + "samples, which are not those of the segment."
    case .missingData(let segment, let count, let expected):
      "TIFF segment \(segment) ends after \(count) of \(expected) bytes."
    case .badCode(let segment, let count):
      "TIFF segment \(segment) has an unknown code after \(count) bytes."
    case .deflate(let segment, let error): "TIFF segment \(segment): \(error)"
    case .jpeg(let segment, let error): "TIFF segment \(segment): \(error)"
    }
  }
}
