//===--- VP8Coefficients.swift - coefficients of macroblocks --------------===//
//
// A macroblock has 16 luma blocks, 8 chroma blocks and, without subblock modes, a block of the luma
// blocks' first coefficients. The contexts of a block are whether the blocks above and to the left
// have coefficients.
//
// Contract  Products keep their low 16 bits, as in libwebp. A block has 16 coefficients at most, so
//           every index is inside the tables.
// Source    RFC 6386, sections 13 and 14.3
//===----------------------------------------------------------------------===//

import MartletBase

/// Reads the coefficients of a frame.
final class VP8CoefficientReader {
  /// What a block contains.
  enum Content {
    static let nothing: UInt8 = 0
    static let firstOnly: UInt8 = 1
    static let all: UInt8 = 2
  }

  /// The number of blocks: luma, then chroma.
  static let blockCount = 24

  /// The coefficients of the last macroblock, 16 a block in rows, then those of the block of first
  /// coefficients.
  let coefficients = UnmanagedMemory<Int16>(zeros: 16 * (blockCount + 1))
  /// The content of each block of the last macroblock.
  let contents = UnmanagedMemory<UInt8>(zeros: blockCount)
  private let file: [UInt8]
  private let quantizers: [VP8Quantizer]
  /// Probabilities by kind, position (with one more after the last), context and branch.
  private let probabilities: UnmanagedMemory<UInt8>
  /// For each macroblock of the row above, whether its lowest blocks have coefficients: four of
  /// luma, two and two of chroma, one of first coefficients.
  private let above: UnmanagedMemory<UInt8>
  private let left = UnmanagedMemory<UInt8>(zeros: contexts)

  private static let contexts = 9
  private static let branches = VP8Probabilities.branches
  private static let positionStride = VP8Probabilities.contexts * branches
  private static let kindStride = 17 * positionStride

  init(_ file: [UInt8], _ header: VP8Header, columns: Int) {
    self.file = file
    quantizers = header.quantizers
    above = UnmanagedMemory(zeros: Self.contexts * columns)
    probabilities = UnmanagedMemory(zeros: 4 * Self.kindStride)
    for kind in 0..<4 {
      for (position, band) in Self.bands.enumerated() {
        let source = (kind * VP8Probabilities.bands + band) * Self.positionStride
        for index in 0..<Self.positionStride {
          probabilities[kind * Self.kindStride + position * Self.positionStride + index] =
            header.coefficients[source + index]
        }
      }
    }
  }

  /// The memory is used only by this object and the decoder that owns it.
  deinit {
    unsafe coefficients.deallocate()
    unsafe contents.deallocate()
    unsafe probabilities.deallocate()
    unsafe above.deallocate()
    unsafe left.deallocate()
  }

  /// Begins a row of macroblocks.
  func startRow() {
    for index in 0..<Self.contexts { left[index] = 0 }
  }

  /// Notes that the macroblock in a column has no coefficients.
  func skip(_ macroblock: VP8Macroblock, column: Int) {
    // The context of the block of first coefficients passes a macroblock without it.
    for index in 0..<Self.contexts - (macroblock.isSplit ? 1 : 0) {
      left[index] = 0
      above[Self.contexts * column + index] = 0
    }
    unsafe contents.base.update(repeating: Content.nothing, count: Self.blockCount)
  }

  /// Reads the coefficients of the macroblock in a column; returns whether there are any.
  func read(_ macroblock: VP8Macroblock, column: Int, _ reader: inout VP8BoolReader) -> Bool {
    unsafe coefficients.base.update(repeating: 0, count: coefficients.count)
    let quantizer = quantizers[macroblock.segment]
    let contexts = unsafe above.base + Self.contexts * column
    let left = unsafe left.base
    var first = 0
    if !macroblock.isSplit {
      let count = unsafe readBlock(
        &reader, kind: 1, 0, Self.blockCount, contexts + 8, left + 8, quantizer.second)
      spreadFirst(count: count)
      first = 1
    }
    var hasAny = false
    for block in 0..<16 {
      let count = unsafe readBlock(
        &reader, kind: macroblock.isSplit ? 3 : 0, first, block, contexts + block & 3,
        left + block &>> 2, quantizer.luma)
      hasAny = note(block, count) || hasAny
    }
    for block in 16..<Self.blockCount {
      // Two rows of two blocks of each chroma plane.
      let plane = 4 &+ (block &- 16) &>> 2 &* 2
      let count = unsafe readBlock(
        &reader, kind: 2, 0, block, contexts + (plane &+ block & 1),
        left + (plane &+ (block &>> 1) & 1), quantizer.chroma)
      hasAny = note(block, count) || hasAny
    }
    return hasAny
  }

  /// Notes the content of a block with coefficients before position `count`.
  @inline(__always) private func note(_ block: Int, _ count: Int) -> Bool {
    let content =
      count > 1
      ? Content.all
      : unsafe coefficients.base[16 &* block] != 0 ? Content.firstOnly : Content.nothing
    unsafe contents.base[block] = content
    return content != Content.nothing
  }

  /// Reads a block from position `first`, updates its contexts, and returns the position after its
  /// last coefficient.
  @inline(__always)
  private func readBlock(
    _ reader: inout VP8BoolReader, kind: Int, _ first: Int, _ block: Int,
    _ above: UnsafeMutablePointer<UInt8>, _ left: UnsafeMutablePointer<UInt8>,
    _ factors: (dc: Int32, ac: Int32)
  ) -> Int {
    let (file, context) = unsafe (file, Int(above.pointee &+ left.pointee))
    let count = unsafe Self.readBlock(
      &reader, file.span, probabilities.base + kind &* Self.kindStride, context, first, factors,
      to: coefficients.base + 16 &* block)
    let hasCoefficients: UInt8 = count > first ? 1 : 0
    unsafe above.pointee = hasCoefficients
    unsafe left.pointee = hasCoefficients
    return count
  }

  /// Section 13.2. `probabilities` are those of a kind, and `target` holds 16 coefficients.
  @inline(never)
  private static func readBlock(
    _ source: inout VP8BoolReader, _ file: Span<UInt8>, _ probabilities: UnsafePointer<UInt8>,
    _ context: Int, _ first: Int, _ factors: (dc: Int32, ac: Int32),
    to target: UnsafeMutablePointer<Int16>
  ) -> Int {
    var reader = source
    defer { source = reader }
    var position = first
    var branches = unsafe probabilities + (position &* positionStride &+ context &* Self.branches)
    while position < 16 {
      guard reader.bit(unsafe branches[0], from: file) else { return position }
      while !reader.bit(unsafe branches[1], from: file) {
        position &+= 1
        unsafe branches = probabilities + position &* positionStride
        if position == 16 { return 16 }
      }
      var value: Int32 = 1
      let next = unsafe probabilities + (position &+ 1) &* positionStride
      if reader.bit(unsafe branches[2], from: file) {
        value = unsafe readLarge(&reader, file, branches)
        unsafe branches = next + 2 &* Self.branches
      } else {
        unsafe branches = next + Self.branches
      }
      let product = reader.signed(value, from: file) &* (position > 0 ? factors.ac : factors.dc)
      let place = Int(truncatingIfNeeded: zigzag &>> UInt64(4 &* position)) & 15
      unsafe target[place] = Int16(truncatingIfNeeded: product)
      position &+= 1
    }
    return 16
  }

  /// A magnitude of 2 or more.
  @inline(__always)
  private static func readLarge(
    _ reader: inout VP8BoolReader, _ file: Span<UInt8>, _ branches: UnsafePointer<UInt8>
  ) -> Int32 {
    func bit(_ probability: UInt8) -> Int32 { reader.bit(probability, from: file) ? 1 : 0 }
    if bit(unsafe branches[3]) == 0 {
      if bit(unsafe branches[4]) == 0 { return 2 }
      return 3 &+ bit(unsafe branches[5])
    }
    if bit(unsafe branches[6]) == 0 {
      if bit(unsafe branches[7]) == 0 { return 5 &+ bit(159) }
      let high = bit(165)
      return 7 &+ 2 &* high &+ bit(145)
    }
    let high = bit(unsafe branches[8])
    let category = Int(2 &* high &+ bit(unsafe branches[9 &+ Int(high)]))
    var extra: Int32 = 0
    for index in extraStarts[category]..<extraStarts[category &+ 1] {
      extra = 2 &* extra &+ bit(extraProbabilities[index])
    }
    return extra &+ 3 &+ 8 &<< Int32(truncatingIfNeeded: category)
  }

  /// The probabilities of the extra bits of categories 3 to 6.
  private static let extraProbabilities: [UInt8] = [
    173, 148, 140, 176, 155, 140, 135, 180, 157, 141, 134, 130, 254, 254, 243, 230, 196, 177, 153,
    140, 133, 130, 129,
  ]
  private static let extraStarts = [0, 3, 7, 12, 23]

  /// The place of each position in a block, from the lowest four bits.
  private static let zigzag: UInt64 = 0xFEB7_ADC9_6325_8410

  /// The band of each position; the last is that after the end.
  private static let bands = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0]

  /// Transforms the block of first coefficients and moves its values to the luma blocks (section
  /// 14.3).
  private func spreadFirst(count: Int) {
    let input = unsafe coefficients.base + 16 * Self.blockCount
    guard count > 1 else {
      let value = unsafe Int16(truncatingIfNeeded: (Int32(input[0]) + 3) >> 3)
      for block in 0..<16 { unsafe coefficients.base[16 * block] = value }
      return
    }
    func row(_ y: Int) -> SIMD4<Int32> {
      SIMD4(
        truncatingIfNeeded: unsafe UnsafeRawPointer(input + 4 * y).loadUnaligned(
          as: SIMD4<Int16>.self))
    }
    let (outer, inner) = (row(0) &+ row(3), row(1) &+ row(2))
    let (outerDifference, innerDifference) = (row(0) &- row(3), row(1) &- row(2))
    spreadRow(outer &+ inner, 0)
    spreadRow(outerDifference &+ innerDifference, 1)
    spreadRow(outer &- inner, 2)
    spreadRow(outerDifference &- innerDifference, 3)
  }

  /// Transforms a row and moves its values to the luma blocks of a row.
  @inline(__always) private func spreadRow(_ row: SIMD4<Int32>, _ y: Int) {
    let first = row[0] &+ 3
    let (a0, a1, a2, a3) = (first &+ row[3], row[1] &+ row[2], row[1] &- row[2], first &- row[3])
    let target = unsafe coefficients.base + 64 * y
    unsafe target[0] = Int16(truncatingIfNeeded: (a0 &+ a1) &>> 3)
    unsafe target[16] = Int16(truncatingIfNeeded: (a3 &+ a2) &>> 3)
    unsafe target[32] = Int16(truncatingIfNeeded: (a0 &- a1) &>> 3)
    unsafe target[48] = Int16(truncatingIfNeeded: (a3 &- a2) &>> 3)
  }
}
