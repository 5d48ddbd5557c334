//===--- BMPHeader.swift - the headers of a BMP file ----------------------===//
//
// The file header contains the offset of the pixels. The information header has several versions,
// identified by their size:
//
//   12 bytes         OS/2 1: 16-bit sides, palette entries of three bytes
//   16, 64           OS/2 2
//   40               Windows: compression; masks, if any, follow the header
//   52, 56           with the masks of red, green and blue; and of alpha
//   108, 124         with a color space (not applied); read of larger ones, too, with a warning
//
// Source    Windows: BITMAPFILEHEADER, BITMAPCOREHEADER, BITMAPINFOHEADER,
//           BITMAPV4HEADER, BITMAPV5HEADER; OS/2: BITMAPINFOHEADER2
//===----------------------------------------------------------------------===//

/// The contents of a BMP file's headers.
struct BMPHeader {
  /// The storage of the pixels.
  enum Compression: UInt32 {
    case plain = 0
    case runLength8 = 1
    case runLength4 = 2
    case masks = 3
    case masksWithAlpha = 6
  }

  let width: Int
  let height: Int
  /// Whether the file's first row is the top one.
  let isTopDown: Bool
  let bitDepth: Int
  let compression: Compression
  /// The offset of the pixels.
  let dataOffset: Int
  /// The masks of red, green, blue and, if present, alpha; empty if the format has fixed masks.
  let masks: [UInt32]
  /// Blue, green and red of each palette entry.
  let palette: [(blue: UInt8, green: UInt8, red: UInt8)]

  /// Parses the headers at the start of a file.
  init(_ bytes: [UInt8], _ damage: inout Damage<BMPError>) throws(BMPError) {
    guard bytes.starts(with: [0x42, 0x4D]) else { throw .badSignature }
    let size = try Self.word(bytes, 14)
    guard [12, 16, 40, 52, 56, 64, 108].contains(size) || size >= 124 else {
      throw .unknownHeader(size: size)
    }
    let offset = try Self.word(bytes, 10)
    // Where `Int` has 32 bits, it does not hold every size.
    let headerBytes = min(Int(clamping: size), .max - 14)
    var end = 14 + headerBytes
    if size > 124 {
      try damage.report(.unknownHeader(size: size))
      // A damaged size may reach beyond the offset of the pixels.
      if offset >= 54 { end = min(end, Int(clamping: offset)) }
    }
    guard end <= bytes.count else {
      throw .truncated(offset: 14, count: headerBytes, fileSize: bytes.count)
    }
    let sides = Self.sides(bytes, isCore: size == 12)
    (width, height, isTopDown) = (sides.width, abs(sides.height), sides.height < 0)
    guard Limits.allow(width: width, height: height) else {
      throw .badSize(width: sides.width, height: sides.height)
    }
    bitDepth = bytes.uint16(at: size == 12 ? 24 : 28, .little) ?? 0
    let method = size < 40 ? 0 : try Self.word(bytes, 30)
    compression = try Self.compression(method, bitDepth: bitDepth, headerSize: size)
    let isRunLength = compression == .runLength4 || compression == .runLength8
    if isRunLength, isTopDown { try damage.report(.compressedFromTheTop(height: sides.height)) }
    masks = try Self.masks(bytes, compression, bitDepth: bitDepth, headerSize: size)
    // A header of 40 bytes is followed by the masks, then by the palette.
    let paletteStart = size == 40 ? end + masks.count * 4 : end
    guard offset >= paletteStart, let start = Int(exactly: offset) else {
      throw .badDataOffset(offset, minimum: paletteStart)
    }
    let stated = size < 40 ? 0 : try Self.word(bytes, 46)
    let (entryBytes, limit) = (size == 12 ? 3 : 4, 1 << min(bitDepth, 8))
    let colors = min(stated == 0 ? limit : Int(clamping: stated), limit)
    // The pixels of an indexed image cannot begin where its palette does. They follow it.
    let isCorrected = bitDepth <= 8 && start == paletteStart
    dataOffset = isCorrected ? start + entryBytes * colors : start
    if isCorrected { try damage.report(.badDataOffset(offset, minimum: dataOffset)) }
    palette =
      bitDepth > 8
      ? []
      : Self.palette(
        bytes[min(paletteStart, bytes.count)..<min(dataOffset, bytes.count)], count: colors,
        entryBytes: entryBytes)
    guard bitDepth > 8 || !palette.isEmpty else { throw .missingPalette }
  }

  /// The distance between rows in bytes, unless they are run-length coded.
  var rowBytes: Int { (width * bitDepth + 31) / 32 * 4 }

  private static func word(_ bytes: [UInt8], _ offset: Int) throws(BMPError) -> UInt32 {
    guard let value = bytes.uint32(at: offset, .little) else {
      throw .truncated(offset: offset, count: 4, fileSize: bytes.count)
    }
    return value
  }

  private static func sides(_ bytes: [UInt8], isCore: Bool) -> (width: Int, height: Int) {
    guard !isCore else {
      return (bytes.uint16(at: 18, .little) ?? 0, bytes.uint16(at: 20, .little) ?? 0)
    }
    let width = Int32(bitPattern: bytes.uint32(at: 18, .little) ?? 0)
    let height = Int32(bitPattern: bytes.uint32(at: 22, .little) ?? 0)
    return (Int(width), height == .min ? 0 : Int(height))
  }

  private static func compression(
    _ method: UInt32, bitDepth: Int, headerSize: UInt32
  ) throws(BMPError) -> Compression {
    let compression = Compression(rawValue: method)
    let depths: [Int] =
      switch compression {
      case .plain: [1, 2, 4, 8, 16, 24, 32]
      case .runLength8: [8]
      case .runLength4: [4]
      case .masks where headerSize == 64: []  // OS/2 has a facsimile code under this number.
      case .masks, .masksWithAlpha: [16, 32]
      case nil: []
      }
    guard let compression, depths.contains(bitDepth) else {
      throw .unsupportedFormat(bitDepth: bitDepth, compression: method)
    }
    return compression
  }

  private static func masks(
    _ bytes: [UInt8], _ compression: Compression, bitDepth: Int, headerSize: UInt32
  ) throws(BMPError) -> [UInt32] {
    guard compression == .masks || compression == .masksWithAlpha else { return [] }
    let hasAlpha = compression == .masksWithAlpha || headerSize >= 56
    var masks: [UInt32] = []
    for index in 0..<(hasAlpha ? 4 : 3) {
      let mask = try word(bytes, 54 + 4 * index)
      guard BMPMask.isValid(mask, bitDepth: bitDepth) else {
        throw .badMask(mask, bitDepth: bitDepth)
      }
      masks.append(mask)
    }
    return masks
  }

  private static func palette(
    _ bytes: ArraySlice<UInt8>, count: Int, entryBytes: Int
  ) -> [(blue: UInt8, green: UInt8, red: UInt8)] {
    (0..<min(count, bytes.count / entryBytes)).map { index in
      let start = bytes.startIndex + index * entryBytes
      return (bytes[start], bytes[start + 1], bytes[start + 2])
    }
  }
}
