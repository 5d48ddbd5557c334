//===--- PNGError.swift - errors of the PNG decoder -----------------------===//

/// Why bytes could not be decoded as PNG. Offsets count bytes from the start of the file.
@nonexhaustive
public enum PNGError: Error, Equatable, Sendable {
  /// Decoding needs more memory than the limit.
  case memory(MemoryExcess)
  /// Decoding was interrupted, or takes more work than the file may.
  case stopped(DecodingStop)
  /// The file does not begin with the PNG signature of eight bytes.
  case badSignature
  /// `count` bytes at `offset` exceed the file.
  case truncated(offset: Int, count: Int, fileSize: Int)
  /// The computed checksum of a chunk differs from the stored one.
  case checksumMismatch(chunk: ChunkType, offset: Int, stored: UInt32, computed: UInt32)
  /// A chunk is out of place or repeated. IHDR comes first and once, PLTE before tRNS before IDAT,
  /// and IDAT chunks are consecutive.
  case misplacedChunk(ChunkType, offset: Int)
  /// A critical chunk that no standard defines.
  case unknownCriticalChunk(ChunkType, offset: Int)
  /// A chunk's length is invalid for its type.
  case badChunkLength(ChunkType, offset: Int, length: Int)
  /// A side is zero, or the image has more pixels than the decoder's limit.
  case badSize(width: UInt32, height: UInt32)
  /// The standard has no such color type, or not with this bit depth.
  case badFormat(colorType: UInt8, bitDepth: UInt8)
  /// The compression, filter or interlace method is not in the standard (0, 0, and 0 or 1).
  case unknownMethod(compression: UInt8, filter: UInt8, interlace: UInt8)
  /// An indexed image has no palette.
  case missingPalette
  /// The file has no image data.
  case missingImageData
  /// The image data cannot be inflated to the size that the header implies.
  case imageData(InflateError)
  /// A row begins with a filter type other than 0 to 4.
  case badFilter(UInt8, row: Int)
  /// The file is a CgBI PNG, an Apple variant that Xcode writes for iOS. Other decoders do not read
  /// it.
  case appleVariant
}

/// The damage found so far in a PNG file.
typealias PNGDamage = Damage<PNGError>

extension PNGError: RecoverableError {
  var warning: DecodingWarning { .png(self) }

  var kind: Int {
    switch self {
    case .memory: 0
    case .stopped: 15
    case .badSignature: 1
    case .truncated: 2
    case .checksumMismatch: 3
    case .misplacedChunk: 4
    case .unknownCriticalChunk: 5
    case .badChunkLength: 6
    case .badSize: 7
    case .badFormat: 8
    case .unknownMethod: 9
    case .missingPalette: 10
    case .missingImageData: 11
    case .imageData: 12
    case .badFilter: 13
    case .appleVariant: 14
    }
  }
}

extension PNGError {
  /// The type of a chunk: four letters, the first in the highest byte.
  public struct ChunkType: RawRepresentable, Hashable, Sendable {
    /// The four letters as a big-endian number.
    public let rawValue: UInt32

    /// A type from its letters as a big-endian number.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }
  }
}

extension PNGError.ChunkType: CustomStringConvertible {
  /// The four letters.
  public var description: String {
    var letters = ""
    for shift in [24, 16, 8, 0] {
      letters.unicodeScalars.append(Unicode.Scalar(UInt8(rawValue >> shift & 0xFF)))
    }
    return letters
  }
}

extension PNGError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .memory(let excess): "the image \(excess)"
    case .stopped(let stop): "the image \(stop)"
    case .badSignature:
      "the file does not begin with the signature of PNG"
    case .truncated(let offset, let count, let fileSize):
      "expected \(count) bytes at byte \(offset), found the end of the file at \(fileSize)"
    case .checksumMismatch(let chunk, let offset, let stored, let computed):
      "the \(chunk) chunk at byte \(offset) has checksum \(computed), expected \(stored)"
    case .misplacedChunk(let chunk, let offset):
      "the \(chunk) chunk at byte \(offset) is out of place"
    case .unknownCriticalChunk(let chunk, let offset):
      "the \(chunk) chunk at byte \(offset) is critical and unknown"
    case .badChunkLength(let chunk, let offset, let length):
      "the \(chunk) chunk at byte \(offset) has the invalid length \(length)"
    case .badSize(let width, let height):
      "invalid image size \(width) x \(height): a side is 0, or the limit of pixels is exceeded"
    case .badFormat(let colorType, let bitDepth):
      "invalid color type \(colorType) with bit depth \(bitDepth)"
    case .unknownMethod(let compression, let filter, let interlace):
      "unknown method: compression \(compression), filter \(filter) or interlace \(interlace)"
    case .missingPalette:
      "the image has no palette"
    case .missingImageData:
      "the file contains no image data"
    case .imageData(let error):
      "the image data is damaged: \(error)"
    case .badFilter(let filter, let row):
      "row \(row) has the unknown filter \(filter)"
    case .appleVariant:
      """
      the file is a CgBI PNG, made by Xcode for iOS: convert it with \
      xcrun pngcrush -revert-iphone-optimizations IN OUT, or use the image from before the build
      """
    }
  }
}
