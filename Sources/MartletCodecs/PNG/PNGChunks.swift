//===--- PNGChunks.swift - the chunks of a PNG file -----------------------===//
//
// signature ▶ chunks (length, type, content, CRC-32) ▶ what decoding needs
//
// Contract  Every chunk up to IEND is inside the file, has the right checksum
//           and stands where it may. Ancillary chunks other than tRNS and eXIf
//           are skipped (gamma, profiles, text, animation); critical ones that
//           the standard does not know are refused. Bytes after IEND are not
//           looked at.
// Cost      One pass for the checksums, one copy of the compressed data.
// Source    PNG (third edition) sections 5 and 11
// Checked   Tests/MartletCodecsTests/PNGDecoderTests.swift
//===----------------------------------------------------------------------===//

import MartletDigest

/// The contents of a PNG file's chunks.
struct PNGChunks {
  let header: PNGHeader
  /// Red, green and blue of each palette entry; empty without a palette.
  private(set) var palette: [UInt8] = []
  /// The content of tRNS.
  private(set) var transparency: [UInt8]?
  /// The contents of all IDAT chunks, in order.
  private(set) var imageData: [UInt8] = []
  /// The orientation of eXIf, or 1.
  private(set) var orientation = 1
  /// Whether the last chunk was an IDAT.
  private var isInsideImageData = false

  /// Reads all chunks of a file.
  init(_ bytes: [UInt8]) throws(PNGError) {
    guard bytes.starts(with: Self.signature) else { throw .badSignature }
    var chunk = try PNGChunk(bytes, at: Self.signature.count)
    guard chunk.type == .header else {
      throw .misplacedChunk(chunk.type, offset: chunk.offset)
    }
    guard chunk.content.count == PNGHeader.byteCount else { throw chunk.badLength }
    header = try PNGHeader(bytes, at: chunk.content.lowerBound)
    while chunk.type != .end {
      chunk = try PNGChunk(bytes, at: chunk.end)
      try add(chunk, of: bytes)
    }
    guard !imageData.isEmpty else { throw .missingImageData }
    guard header.colorType != .palette || !palette.isEmpty else { throw .missingPalette }
  }

  /// The bytes with which every PNG file begins.
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private mutating func add(_ chunk: PNGChunk, of bytes: [UInt8]) throws(PNGError) {
    switch chunk.type {
    case .imageData:
      guard imageData.isEmpty || isInsideImageData else { throw chunk.misplaced }
      imageData += bytes[chunk.content]
    case .palette: try addPalette(chunk, of: bytes)
    case .transparency: try addTransparency(chunk, of: bytes)
    case .exif: orientation = EXIF.orientation(in: bytes, range: chunk.content) ?? 1
    case .end: break
    case .header: throw chunk.misplaced
    default:
      guard chunk.isAncillary else {
        throw .unknownCriticalChunk(chunk.type, offset: chunk.offset)
      }
    }
    isInsideImageData = chunk.type == .imageData
  }

  private mutating func addPalette(_ chunk: PNGChunk, of bytes: [UInt8]) throws(PNGError) {
    guard palette.isEmpty, transparency == nil, imageData.isEmpty else { throw chunk.misplaced }
    let length = chunk.content.count
    guard length > 0, length % 3 == 0, length <= 256 * 3 else { throw chunk.badLength }
    palette = Array(bytes[chunk.content])
  }

  /// Takes tRNS; beside an alpha channel it has no meaning and is skipped.
  private mutating func addTransparency(_ chunk: PNGChunk, of bytes: [UInt8]) throws(PNGError) {
    guard transparency == nil, imageData.isEmpty else { throw chunk.misplaced }
    let length = chunk.content.count
    switch header.colorType {
    case .gray: guard length == 2 else { throw chunk.badLength }
    case .rgb: guard length == 6 else { throw chunk.badLength }
    case .palette:
      guard !palette.isEmpty else { throw chunk.misplaced }
      guard length <= palette.count / 3 else { throw chunk.badLength }
    case .grayAlpha, .rgba: return
    }
    transparency = Array(bytes[chunk.content])
  }
}

/// One chunk, whose bytes are inside the file and have the right checksum.
private struct PNGChunk {
  /// Where the chunk begins, with its length.
  let offset: Int
  let type: PNGError.ChunkType
  let content: Range<Int>

  init(_ bytes: [UInt8], at offset: Int) throws(PNGError) {
    guard let size = bytes.uint32(at: offset, .big), let type = bytes.uint32(at: offset + 4, .big)
    else {
      throw .truncated(offset: offset, count: 12, fileSize: bytes.count)
    }
    guard let length = Int(exactly: size), length <= bytes.count - offset - 12 else {
      let count = Int(clamping: UInt64(size) + 12)
      throw .truncated(offset: offset, count: count, fileSize: bytes.count)
    }
    self.offset = offset
    self.type = PNGError.ChunkType(rawValue: type)
    content = offset + 8..<offset + 8 + length
    let stored = bytes.uint32(at: content.upperBound, .big) ?? 0
    let computed = CRC32.checksum(bytes, range: offset + 4..<content.upperBound)
    guard stored == computed else {
      throw .checksumMismatch(
        chunk: self.type, offset: offset, stored: stored, computed: computed)
    }
  }

  /// Where the next chunk begins.
  var end: Int { content.upperBound + 4 }
  /// Whether a decoder may skip the chunk: its first letter is small.
  var isAncillary: Bool { type.rawValue & 0x2000_0000 != 0 }
  var misplaced: PNGError { .misplacedChunk(type, offset: offset) }
  var badLength: PNGError { .badChunkLength(type, offset: offset, length: content.count) }
}

extension PNGError.ChunkType {
  static let header = Self("IHDR")
  static let palette = Self("PLTE")
  static let imageData = Self("IDAT")
  static let end = Self("IEND")
  static let transparency = Self("tRNS")
  static let exif = Self("eXIf")

  private init(_ letters: StaticString) {
    var value: UInt32 = 0
    letters.withUTF8Buffer { for letter in $0 { value = value << 8 | UInt32(letter) } }
    self.init(rawValue: value)
  }
}
