//===--- VP8LCodes.swift - the prefix codes of an image -------------------===//
//
// An image has one group of five prefix codes, or one for each square tile, chosen by an image of
// group numbers (RFC 9649, sections 3.7 and 6).
//===----------------------------------------------------------------------===//

/// Five prefix codes.
struct VP8LGroup {
  /// Green values (0 to 255), lengths (256 to 279) and indices of the color cache.
  var green = VP8LPrefixCode()
  var red = VP8LPrefixCode()
  var blue = VP8LPrefixCode()
  var alpha = VP8LPrefixCode()
  var distance = VP8LPrefixCode()
  /// Red, blue and alpha of every pixel, if each of their codes has a single symbol.
  var color: UInt32?
  /// The only pixel, if the green code has a single symbol, too.
  var pixel: UInt32?

  /// The sizes of the alphabets without color cache.
  static let alphabets = [256 + 24, 256, 256, 256, 40]
}

/// All prefix codes of an image, and which tile uses which.
struct VP8LCodes {
  /// The number of bits of an index of the color cache; 0 without one.
  let cacheBits: Int
  var tables = VP8LTables()
  var groups: [VP8LGroup] = []
  /// The binary logarithm of the side of a tile.
  var tileBits = 0
  /// The number of tiles in a row; 0 if all pixels use the first group.
  var tileColumns = 0
  /// The group of each tile.
  var tileGroups: [UInt32] = []

  /// Zero in the bits of a column where a tile begins.
  var tileMask: Int { tileColumns == 0 ? -1 : 1 << tileBits - 1 }

  /// The group for the pixel in column `x` and row `y`.
  func group(_ x: Int, _ y: Int) -> VP8LGroup {
    guard tileColumns > 0 else { return groups[0] }
    return groups[Int(tileGroups[(y >> tileBits) * tileColumns + x >> tileBits])]
  }
}

extension VP8LDecoder {
  /// Reads the prefix codes of an image of the given size.
  mutating func readCodes(
    width: Int, height: Int, isMain: Bool
  ) throws(WebPError) -> VP8LCodes {
    var codes = VP8LCodes(cacheBits: try readCacheBits())
    var numbers: [Int: Int] = [0: 0]
    var groupCount = 1
    if isMain, bits(1) == 1 {
      codes.tileBits = 2 + bits(3)
      codes.tileColumns = Self.tileCount(width, codes.tileBits)
      let rows = Self.tileCount(height, codes.tileBits)
      codes.tileGroups = try readImage(width: codes.tileColumns, height: rows)
      groupCount = renumber(&codes.tileGroups, &numbers)
    }
    for group in 0..<groupCount {
      try checkHeader()
      // Codes of groups that no tile uses are only skipped.
      let isUsed = numbers[group] != nil
      let before = codes.tables.entries.count
      var scratch = VP8LTables()
      if isUsed {
        codes.groups.append(try readGroup(codes.cacheBits, &codes.tables))
        try reserve(4 * (codes.tables.entries.count - before))
      } else {
        _ = try readGroup(codes.cacheBits, &scratch)
      }
    }
    return codes
  }

  /// The number of tiles of `1 << bits` pixels that cover `size` pixels.
  static func tileCount(_ size: Int, _ bits: Int) -> Int { (size + 1 << bits - 1) >> bits }

  private mutating func readCacheBits() throws(WebPError) -> Int {
    guard bits(1) == 1 else { return 0 }
    let count = bits(4)
    guard (1...11).contains(count) else { throw .badColorCache(bits: count) }
    return count
  }

  /// Replaces the group of each tile, in red and green, by its index among the used groups; sets
  /// the used groups and returns the number of all groups.
  private func renumber(_ tiles: inout [UInt32], _ numbers: inout [Int: Int]) -> Int {
    var isUsed = [Bool](repeating: false, count: 1 << 16)
    for tile in tiles { isUsed[Int(tile >> 8 & 0xFFFF)] = true }
    var indices = [UInt32](repeating: 0, count: 1 << 16)
    numbers = [:]
    for group in isUsed.indices where isUsed[group] {
      indices[group] = UInt32(numbers.count)
      numbers[group] = numbers.count
    }
    for index in tiles.indices { tiles[index] = indices[Int(tiles[index] >> 8 & 0xFFFF)] }
    return (isUsed.lastIndex(of: true) ?? 0) + 1
  }

  private mutating func readGroup(
    _ cacheBits: Int, _ tables: inout VP8LTables
  ) throws(WebPError) -> VP8LGroup {
    var group = VP8LGroup()
    let cacheSize = cacheBits > 0 ? 1 << cacheBits : 0
    group.green = try readCode(VP8LGroup.alphabets[0] + cacheSize, &tables)
    group.red = try readCode(VP8LGroup.alphabets[1], &tables)
    group.blue = try readCode(VP8LGroup.alphabets[2], &tables)
    group.alpha = try readCode(VP8LGroup.alphabets[3], &tables)
    group.distance = try readCode(VP8LGroup.alphabets[4], &tables)
    // The first entry of a code of a single symbol has a length of zero.
    let (red, blue, alpha) = (
      tables.entries[Int(group.red.start)], tables.entries[Int(group.blue.start)],
      tables.entries[Int(group.alpha.start)]
    )
    if (red | blue | alpha) & 0xFF == 0 {
      let color = alpha << 16 | red << 8 | blue >> 8
      group.color = color
      let green = tables.entries[Int(group.green.start)]
      if green & 0xFF == 0, green >> 8 < 256 { group.pixel = color | green }
    }
    return group
  }

  /// Reads a code of `count` symbols (RFC 9649, section 3.7.2.1).
  private mutating func readCode(
    _ count: Int, _ tables: inout VP8LTables
  ) throws(WebPError) -> VP8LPrefixCode {
    let lengths = bits(1) == 1 ? readSimpleLengths(count) : try readLengths(count)
    try checkHeader()
    let before = tables.entries.count
    guard let code = tables.add(lengths[...]) else { throw .badPrefixCode }
    try work.charge(count + tables.entries.count - before, WebPError.stopped)
    return code
  }

  /// Reads a code of one or two symbols of one bit. Symbols outside the alphabet are ignored.
  private mutating func readSimpleLengths(_ count: Int) -> [UInt8] {
    var lengths = [UInt8](repeating: 0, count: count)
    let hasTwo = bits(1) == 1
    let first = bits(bits(1) == 0 ? 1 : 8)
    if first < count { lengths[first] = 1 }
    if hasTwo {
      let second = bits(8)
      if second < count { lengths[second] = 1 }
    }
    return lengths
  }

  /// Reads lengths that are themselves coded.
  private mutating func readLengths(_ count: Int) throws(WebPError) -> [UInt8] {
    var codeLengths = [UInt8](repeating: 0, count: Self.lengthOrder.count)
    let codeCount = 4 + bits(4)
    for index in 0..<codeCount { codeLengths[Self.lengthOrder[index]] = UInt8(bits(3)) }
    try checkHeader()
    var table = VP8LTables()
    guard let code = table.add(codeLengths[...]) else { throw .badPrefixCode }
    // The number of codes of lengths, which may be less than that of symbols.
    var remaining = count
    if bits(1) == 1 {
      remaining = 2 + bits(2 + 2 * bits(3))
      guard remaining <= count else { throw .badPrefixCode }
    }
    var lengths: [UInt8] = []
    lengths.reserveCapacity(count)
    var previous: UInt8 = 8
    while lengths.count < count, remaining > 0 {
      remaining -= 1
      let symbol = self.symbol(code, table)
      if symbol < 16 {
        lengths.append(UInt8(symbol))
        if symbol > 0 { previous = UInt8(symbol) }
        continue
      }
      let (size, offset) = symbol == 16 ? (2, 3) : symbol == 17 ? (3, 3) : (7, 11)
      let run = offset + bits(size)
      guard run <= count - lengths.count else { throw .badPrefixCode }
      lengths += [UInt8](repeating: symbol == 16 ? previous : 0, count: run)
    }
    lengths += [UInt8](repeating: 0, count: count - lengths.count)
    return lengths
  }

  /// The order in which the code lengths of code lengths are stored.
  private static let lengthOrder = [
    17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  ]
}
