//===--- PNGChunks.swift - the chunks of a PNG file -----------------------===//
//
// signature ▶ chunks (length, type, content, CRC-32) ▶ what decoding needs
//
// Contract  A chunk up to IEND that is not inside the file, has the wrong checksum
//           or stands where it must not is damage; an ancillary one is skipped
//           then. The file is refused if IHDR, or the palette of an image of
//           indices, is damaged, or the file ends before the image data. Ancillary
//           chunks other than tRNS and eXIf are skipped (gamma, profiles, text,
//           animation). Bytes after IEND are not looked at.
// Cost      One pass for the checksums, one copy of the compressed data.
// Source    PNG (third edition) sections 5 and 11
// Checked   Tests/MartletCodecsTests/PNGDecoderTests.swift, Tests/MartletCodecsTests/PNGDamageTests.swift
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
  init(_ bytes: [UInt8], _ damage: inout PNGDamage) throws(PNGError) {
    guard bytes.starts(with: Self.signature) else { throw .badSignature }
    let first = try Self.header(bytes, &damage)
    guard first.content.count == PNGHeader.byteCount else { throw first.badLength }
    header = try PNGHeader(bytes, at: first.content.lowerBound)
    if let unknown = header.unknownInterlace { try damage.report(unknown) }
    var offset: Int? = first.end
    while let next = offset { offset = try read(bytes, at: next, &damage) }
    guard !imageData.isEmpty else { throw .missingImageData }
    guard header.colorType != .palette || !palette.isEmpty else { throw .missingPalette }
  }

  /// The bytes with which every PNG file begins.
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The first chunk, or the first after ancillary ones, which must be IHDR.
  private static func header(
    _ bytes: [UInt8], _ damage: inout PNGDamage
  ) throws(PNGError) -> PNGChunk {
    var offset = signature.count
    while true {
      let chunk = PNGChunk(bytes, at: offset)
      if let truncation = chunk.truncation(bytes) { throw truncation }
      guard chunk.type != .appleVariant else { throw .appleVariant }
      if let mismatch = chunk.mismatch(bytes) { throw mismatch }
      guard chunk.type != .header else { return chunk }
      guard chunk.isAncillary else { throw chunk.misplaced }
      try damage.report(chunk.misplaced)
      offset = chunk.end
    }
  }

  /// Reads the chunk at `offset`; returns where the next begins, or nil after the last.
  private mutating func read(
    _ bytes: [UInt8], at offset: Int, _ damage: inout PNGDamage
  ) throws(PNGError) -> Int? {
    let chunk = PNGChunk(bytes, at: offset)
    if let truncation = chunk.truncation(bytes) {
      guard chunk.type == .imageData || !imageData.isEmpty else { throw truncation }
      try damage.report(truncation)
      if chunk.type == .imageData { try add(chunk, of: bytes, &damage) }
      return nil
    }
    if let mismatch = chunk.mismatch(bytes) {
      guard chunk.type != .palette, chunk.type != .header else { throw mismatch }
      try damage.report(mismatch)
      if chunk.isAncillary { return chunk.end }
    }
    try add(chunk, of: bytes, &damage)
    return chunk.type == .end ? nil : chunk.end
  }

  private mutating func add(
    _ chunk: PNGChunk, of bytes: [UInt8], _ damage: inout PNGDamage
  ) throws(PNGError) {
    switch chunk.type {
    case .imageData:
      if !imageData.isEmpty, !isInsideImageData { try damage.report(chunk.misplaced) }
      imageData += bytes[chunk.content]
    case .palette: try addPalette(chunk, of: bytes, &damage)
    case .transparency: try addTransparency(chunk, of: bytes, &damage)
    case .exif: orientation = EXIF.orientation(in: bytes, range: chunk.content) ?? 1
    case .end: break
    case .header: throw chunk.misplaced
    case .appleVariant: throw .appleVariant
    default:
      if !chunk.isAncillary {
        try damage.report(.unknownCriticalChunk(chunk.type, offset: chunk.offset))
      }
    }
    isInsideImageData = chunk.type == .imageData
  }

  /// Takes PLTE, the last one before the image data; only an image of indices needs it to be whole.
  private mutating func addPalette(
    _ chunk: PNGChunk, of bytes: [UInt8], _ damage: inout PNGDamage
  ) throws(PNGError) {
    if !palette.isEmpty || transparency != nil || !imageData.isEmpty {
      try damage.report(chunk.misplaced)
    }
    guard imageData.isEmpty else { return }
    let length = chunk.content.count
    let isUsable = (1...256).contains(length / 3)
    if !isUsable || length % 3 != 0 { try damage.report(chunk.badLength) }
    guard isUsable || header.colorType != .palette else { throw chunk.badLength }
    if isUsable { palette = Array(bytes[chunk.content].prefix(length / 3 * 3)) }
  }

  /// Takes tRNS, the first one, if it has the length that it needs, and of more alphas than the
  /// palette has entries the first; beside an alpha channel it has no meaning and is skipped.
  private mutating func addTransparency(
    _ chunk: PNGChunk, of bytes: [UInt8], _ damage: inout PNGDamage
  ) throws(PNGError) {
    guard transparency == nil, imageData.isEmpty else {
      return try damage.report(chunk.misplaced)
    }
    var content = bytes[chunk.content]
    switch header.colorType {
    case .gray, .rgb:
      guard content.count == 2 * header.colorType.samples else {
        return try damage.report(chunk.badLength)
      }
    case .palette where palette.isEmpty: try damage.report(chunk.misplaced)
    case .palette:
      if content.count > palette.count / 3 { try damage.report(chunk.badLength) }
      content = content.prefix(palette.count / 3)
    case .grayAlpha, .rgba: return
    }
    transparency = Array(content)
  }
}

/// One chunk; what of it is not inside the file is left out.
private struct PNGChunk {
  /// Where the chunk begins, with its length.
  let offset: Int
  let type: PNGError.ChunkType
  let content: Range<Int>
  /// The length that the file states.
  private let statedLength: UInt32

  init(_ bytes: [UInt8], at offset: Int) {
    self.offset = offset
    type = PNGError.ChunkType(rawValue: bytes.uint32(at: offset + 4, .big) ?? 0)
    statedLength = bytes.uint32(at: offset, .big) ?? 0
    let start = min(offset + 8, bytes.count)
    content = start..<start + min(Int(clamping: statedLength), bytes.count - start)
  }

  /// The error of a chunk that is not wholly inside the file.
  func truncation(_ bytes: [UInt8]) -> PNGError? {
    guard content.count != statedLength || content.upperBound + 4 > bytes.count else { return nil }
    let count = Int(clamping: UInt64(statedLength) + 12)
    return .truncated(offset: offset, count: count, fileSize: bytes.count)
  }

  /// The error of a chunk whose checksum is wrong.
  func mismatch(_ bytes: [UInt8]) -> PNGError? {
    let stored = bytes.uint32(at: content.upperBound, .big) ?? 0
    let computed = CRC32.checksum(bytes, range: offset + 4..<content.upperBound)
    guard stored != computed else { return nil }
    return .checksumMismatch(chunk: type, offset: offset, stored: stored, computed: computed)
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
  static let appleVariant = Self("CgBI")

  private init(_ letters: StaticString) {
    var value: UInt32 = 0
    letters.withUTF8Buffer { for letter in $0 { value = value << 8 | UInt32(letter) } }
    self.init(rawValue: value)
  }
}
