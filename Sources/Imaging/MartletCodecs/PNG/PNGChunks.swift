//===--- PNGChunks.swift - the chunks of a PNG file -----------------------===//
//
// signature ▶ chunks (length, type, content, CRC-32) ▶ header, palette and image data
//
// Contract  A chunk up to IEND is damaged if it exceeds the file, has a wrong checksum or is out of
//           place; a damaged ancillary chunk is skipped. The file is rejected if IHDR, or the
//           palette of an indexed image, is damaged, or if it ends before the image data. An indexed
//           image without a palette is black. Ancillary chunks other than tRNS, iCCP and eXIf are
//           skipped (gamma, text, animation). Bytes after IEND are ignored.
// Cost      One pass for the checksums.
// Source    PNG (third edition) sections 5 and 11
//===----------------------------------------------------------------------===//

import MartletBase

/// The contents of the chunks that decoding needs.
struct PNGChunks {
  let file: [UInt8]
  let header: PNGHeader
  /// Red, green and blue of each palette entry; empty without a palette.
  private(set) var palette: [UInt8] = []
  /// The content of tRNS; `nil` without one.
  private(set) var transparency: [UInt8]?
  /// The places of the contents of all IDAT chunks that are not empty, in order.
  private(set) var imageData: [Range<Int>] = []
  /// The orientation in eXIf; 1 without one.
  private(set) var orientation = 1
  /// The content of the first iCCP; empty without one.
  private var profileContent: [UInt8] = []
  /// Whether the last chunk was an IDAT.
  private var isInsideImageData = false

  /// Reads all chunks of a file up to IEND.
  init(
    _ bytes: [UInt8], _ work: DecodingWork, _ damage: inout PNGDamage
  ) throws(PNGError) {
    guard bytes.starts(with: Self.signature) else { throw .badSignature }
    let first = try Self.header(bytes, &damage)
    guard first.content.count == PNGHeader.byteCount else { throw first.badLength }
    header = try PNGHeader(bytes, at: first.content.lowerBound)
    file = bytes
    if let unknown = header.unknownInterlace { try damage.report(unknown) }
    var offset: Int? = first.end
    while let next = offset {
      offset = try read(bytes, at: next, &damage)
      try work.charge((offset ?? next) - next, PNGError.stopped)
    }
    guard !imageData.isEmpty else { throw .missingImageData }
    if header.colorType == .palette, palette.isEmpty { try damage.report(.missingPalette) }
  }

  /// The first eight bytes of every PNG file.
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The IHDR chunk, which must be the first, or the first after ancillary chunks.
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

  /// Reads the chunk at `offset`; returns the offset of the next one, or `nil` after the last.
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
      if !chunk.content.isEmpty { imageData.append(chunk.content) }
    case .palette: try addPalette(chunk, of: bytes, &damage)
    case .transparency: try addTransparency(chunk, of: bytes, &damage)
    case .exif: orientation = EXIF.orientation(in: bytes, range: chunk.content) ?? 1
    case .profile: if profileContent.isEmpty { profileContent = Array(bytes[chunk.content]) }
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

  /// The color profile; `nil` without one, or if it is damaged or has more than a mebibyte. In iCCP, it
  /// follows a name that ends with a zero, and the compression method 0.
  func colorProfile(_ work: DecodingWork) -> [UInt8]? {
    let content = profileContent
    guard let end = content.firstIndex(of: 0), content.count - end > 2, content[end + 1] == 0
    else { return nil }
    return try? Inflate.zlib(Array(content[(end + 2)...]), limit: 1 << 20, work)
  }

  /// Stores PLTE. The last one before the image data counts; only an indexed image needs a valid
  /// one.
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

  /// Stores the first tRNS if its length is valid; alphas beyond the palette's entries are dropped.
  /// An image with an alpha channel ignores it.
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

/// One chunk, clipped to the file.
private struct PNGChunk {
  /// The offset of the chunk, which begins with its length.
  let offset: Int
  let type: PNGError.ChunkType
  let content: Range<Int>
  /// The length stored in the file.
  private let statedLength: UInt32

  init(_ bytes: [UInt8], at offset: Int) {
    self.offset = offset
    type = PNGError.ChunkType(rawValue: bytes.uint32(at: offset + 4, .big) ?? 0)
    statedLength = bytes.uint32(at: offset, .big) ?? 0
    let start = min(offset + 8, bytes.count)
    content = start..<start + min(Int(clamping: statedLength), bytes.count - start)
  }

  /// The error if the chunk exceeds the file; otherwise `nil`.
  func truncation(_ bytes: [UInt8]) -> PNGError? {
    guard content.count != statedLength || content.upperBound + 4 > bytes.count else { return nil }
    let count = Int(clamping: UInt64(statedLength) + 12)
    return .truncated(offset: offset, count: count, fileSize: bytes.count)
  }

  /// The error if the chunk's checksum is wrong; otherwise `nil`.
  func mismatch(_ bytes: [UInt8]) -> PNGError? {
    let stored = bytes.uint32(at: content.upperBound, .big) ?? 0
    let computed = CRC32.checksum(bytes, range: offset + 4..<content.upperBound)
    guard stored != computed else { return nil }
    return .checksumMismatch(chunk: type, offset: offset, stored: stored, computed: computed)
  }

  /// The offset of the next chunk.
  var end: Int { content.upperBound + 4 }
  /// Whether a decoder may skip the chunk: the first letter is in lower case.
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
  static let profile = Self("iCCP")
  static let appleVariant = Self("CgBI")

  private init(_ letters: String) {
    self.init(rawValue: letters.utf8.reduce(0) { $0 << 8 | UInt32($1) })
  }
}
