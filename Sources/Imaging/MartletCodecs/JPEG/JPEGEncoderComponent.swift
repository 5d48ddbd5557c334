//===--- JPEGEncoderComponent.swift - quantizing and coding blocks --------===//
//
// The quantization table and the Huffman codes of a component, and the codes of its blocks.
//
// Contract  Quotients are rounded to nearest. Coefficients other than zero are found by words of four.
// Source    ITU-T T.81 annexes C, F, K; quality scale of the Independent JPEG Group
// Checked   Tests/MartletCodecsTests/JPEGEncoderTests.swift
//===----------------------------------------------------------------------===//

/// The tables that encode one component.
final class JPEGEncoderComponent: Sendable {
  /// The quantization table in natural order.
  let divisors: [Int32]
  /// Half of each divisor, and 2^20 / divisor rounded up, in transposed order.
  private let halves: JPEGBlockRows
  private let reciprocals: JPEGBlockRows
  let dc: JPEGEncoderCodes
  let ac: JPEGEncoderCodes

  init(
    _ table: JPEGStandardDivisors, quality: Int, dc: JPEGHuffmanTable.Definition,
    ac: JPEGHuffmanTable.Definition
  ) {
    let percent = Int32(quality < 50 ? 5000 / quality : 200 - 2 * quality)
    divisors = table.values.map { min(max((Int32($0) * percent + 50) / 100, 1), 255) }
    var (halves, reciprocals) = (JPEGBlockRows(), JPEGBlockRows())
    for (index, divisor) in divisors.enumerated() {
      halves.rows[index % 8][index / 8] = divisor / 2
      reciprocals.rows[index % 8][index / 8] = (1 << 20 + divisor - 1) / divisor
    }
    (self.halves, self.reciprocals) = (halves, reciprocals)
    self.dc = JPEGEncoderCodes(dc)
    self.ac = JPEGEncoderCodes(ac)
  }

  /// Divides each coefficient by its divisor, rounded to nearest. The product with the reciprocal is
  /// exact: a magnitude has at most eleven bits, a divisor eight.
  @inline(__always)
  private func quantize(_ block: inout JPEGBlockRows) {
    for row in 0..<8 {
      let value = block.rows[row]
      let sign = value &>> 31
      let magnitude = (value ^ sign) &- sign &+ halves.rows[row]
      let product = SIMD8<UInt32>(truncatingIfNeeded: magnitude &* reciprocals.rows[row])
      // Baseline has ten bits for AC coefficients, and eleven for the DC difference.
      let quotient = pointwiseMin(
        SIMD8<Int32>(truncatingIfNeeded: product &>> 20), SIMD8(repeating: 1023))
      block.rows[row] = (quotient ^ sign) &- sign
    }
  }

  /// Quantizes and writes a block (T.81, F.1.2): the difference to the previous block's DC
  /// coefficient, then runs of zeros, each with the coefficient after it.
  @inline(__always)
  func write(
    _ block: inout JPEGBlockRows, _ prediction: inout Int32, to writer: inout JPEGBitWriter
  ) {
    quantize(&block)
    // The coefficients other than zero, in coding order.
    var coefficients = InlineArray<64, Int16>(repeating: 0)
    var places: UInt64 = 0
    for row in 0..<8 {
      let values = SIMD8<Int16>(truncatingIfNeeded: block.rows[row])
      let rest = unsafe unsafeBitCast(values, to: SIMD2<UInt64>.self)
      for half in 0..<2 where rest[half] != 0 {
        for column in 4 * half..<4 * half + 4 where values[column] != 0 {
          let place = Int(JPEGEncoderComponent.codingOrder[8 &* row &+ column])
          coefficients[place] = values[column]
          places |= 1 &<< UInt64(place)
        }
      }
    }
    let mean = Int32(coefficients[0])
    unsafe append(mean - prediction, run: 0, dc, to: &writer)
    prediction = mean
    places &= ~1
    var last = 0
    while places != 0 {
      let place = places.trailingZeroBitCount
      places &= places &- 1
      var zeros = place &- last &- 1
      while zeros > 15 {
        unsafe writer.append(ac[0xF0].bits, count: ac[0xF0].count)
        zeros &-= 16
      }
      unsafe append(Int32(coefficients[place]), run: zeros, ac, to: &writer)
      last = place
    }
    if last < 63 { unsafe writer.append(ac[0].bits, count: ac[0].count) }
  }

  /// The place in coding order of each coefficient of a transposed block.
  private static let codingOrder: InlineArray<64, UInt8> = {
    var order = InlineArray<64, UInt8>(repeating: 0)
    for (place, natural) in JPEGZigzag.natural.enumerated() {
      order[Int(natural % 8 * 8 + natural / 8)] = UInt8(place)
    }
    return order
  }()

  /// Writes a symbol and the bits of the value, whose number is in the symbol.
  @inline(__always)
  private func append(
    _ value: Int32, run: Int, _ codes: JPEGEncoderCodes, to writer: inout JPEGBitWriter
  ) {
    let size = 32 - abs(value).leadingZeroBitCount
    let code = codes[run << 4 | size]
    let bits = UInt32(bitPattern: value &+ value &>> 31) & (1 &<< UInt32(size) &- 1)
    unsafe writer.append(code.bits &<< UInt32(size) | bits, count: code.count &+ size)
  }
}

/// The codes of a Huffman table, indexed by symbol.
struct JPEGEncoderCodes {
  let definition: JPEGHuffmanTable.Definition
  private var codes = [(bits: UInt32, count: Int)](repeating: (0, 0), count: 256)

  /// Assigns the codes (T.81, C.2). Codes of one length are consecutive; the first code of a length
  /// is twice the code after the last one of the previous length.
  init(_ definition: JPEGHuffmanTable.Definition) {
    self.definition = definition
    var code: UInt32 = 0
    var symbols = definition.symbols[...]
    for (index, count) in definition.lengths.enumerated() {
      for symbol in symbols.prefix(count) {
        codes[Int(symbol)] = (code, index + 1)
        code += 1
      }
      symbols = symbols.dropFirst(count)
      code <<= 1
    }
  }

  subscript(symbol: Int) -> (bits: UInt32, count: Int) { codes[symbol] }
}

/// The quantization tables K.1 and K.2 of T.81, in natural order.
struct JPEGStandardDivisors {
  let values: [UInt8]

  static let luminance = JPEGStandardDivisors(values: [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ])
  static let chrominance = JPEGStandardDivisors(values: [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
    24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  ])
}
