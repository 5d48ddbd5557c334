//===--- JPEGEncoderComponent.swift - coding blocks -----------------------===//
//
// The quantization table and the Huffman codes of a component, and the codes of its blocks.
//
// Contract  Coefficients other than zero are found by words of four.
// Source    ITU-T T.81 annexes C, F, K; quality scale of the Independent JPEG Group
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletMicrokernels

/// The tables that encode one component.
final class JPEGEncoderComponent: Sendable {
  /// The quantization table in natural order.
  let divisors: [UInt8]
  /// Half of each divisor, and 2^20 / divisor rounded up, in columns.
  let halves: [Int16]
  let reciprocals: [Int32]
  let dc: JPEGEncoderCodes
  let ac: JPEGEncoderCodes
  private let order: JPEGColumnOrder

  /// The Huffman tables of a component.
  enum Codes {
    case luminance, chrominance
  }

  /// A component with a quantization table of 1 to 255.
  init(_ codes: Codes, _ divisors: [UInt8], order: JPEGColumnOrder) {
    let columns = (0..<64).map { Int32(divisors[$0 % 8 * 8 + $0 / 8]) }
    self.divisors = divisors
    halves = columns.map { Int16($0 / 2) }
    reciprocals = columns.map { (1 << 20 + $0 - 1) / $0 }
    let isLuminance = codes == .luminance
    dc = JPEGEncoderCodes(
      isLuminance ? JPEGHuffmanTable.luminanceDC : JPEGHuffmanTable.chrominanceDC)
    ac = JPEGEncoderCodes(
      isLuminance ? JPEGHuffmanTable.luminanceAC : JPEGHuffmanTable.chrominanceAC)
    self.order = order
  }

  /// Transforms and quantizes `count` adjacent blocks of samples.
  func transform(
    _ samples: UnsafePointer<UInt8>, stride: Int, count: Int,
    to coefficients: UnsafeMutablePointer<Int16>
  ) {
    unsafe halves.withUnsafeBufferPointer { halves in
      unsafe reciprocals.withUnsafeBufferPointer { reciprocals in
        guard let halves = halves.baseAddress, let reciprocals = reciprocals.baseAddress else {
          return
        }
        unsafe Microkernels.pixels.int16ForwardDCT(
          Int16ForwardDCT(
            samples: samples, stride: stride, count: count, halves: halves,
            reciprocals: reciprocals, coefficients: coefficients))
      }
    }
  }

  /// Writes the component's blocks while this component lives.
  var encoder: JPEGBlockEncoder {
    unsafe JPEGBlockEncoder(dc: dc.start, ac: ac.start, order: order.start)
  }
}

/// Writes blocks with the tables of a component, which have entries for every symbol and place.
@unsafe
struct JPEGBlockEncoder {
  let dc, ac: UnsafePointer<JPEGEncoderCodes.Code>
  let order: UnsafeRawPointer

  /// Writes a block of 64 quantized coefficients (T.81, F.1.2): the difference to the previous block's
  /// DC coefficient, then runs of zeros, each with the coefficient after it.
  @inline(__always)
  func write(
    _ block: UnsafePointer<Int16>, _ prediction: inout Int32, to writer: inout JPEGBitWriter
  ) {
    _ = unsafe writeMean(Int32(block[0]), &prediction, to: &writer)
    var places = unsafe JPEGColumnOrder.occupied(block, order) & ~1
    var last = 0
    while places != 0 {
      let place = places.trailingZeroBitCount
      places &= places &- 1
      var zeros = place &- last &- 1
      while zeros > 15 {
        unsafe writer.append(ac[0xF0])
        zeros &-= 16
      }
      let index = unsafe Int(order.load(fromByteOffset: place, as: UInt8.self))
      unsafe append(Int32(block[index]), run: zeros, ac, to: &writer)
      last = place
    }
    if last < 63 { unsafe writer.append(ac[0]) }
  }

  /// Writes the difference of a DC coefficient to the one before; returns whether it has a code.
  @inline(__always)
  func writeMean(
    _ mean: Int32, _ prediction: inout Int32, to writer: inout JPEGBitWriter
  ) -> Bool {
    let difference = mean &- prediction
    prediction = mean
    guard -2047...2047 ~= difference else { return false }
    unsafe append(difference, run: 0, dc, to: &writer)
    return true
  }

  /// Writes an AC symbol and the lowest bits of `bits`, whose number is in the symbol; returns whether
  /// it has a code.
  @inline(__always)
  func copy(_ symbol: Int, _ bits: UInt32, to writer: inout JPEGBitWriter) -> Bool {
    let code = unsafe ac[symbol & 0xFF]
    let size = symbol & 15
    unsafe writer.append(code, bits & (1 &<< UInt32(size) &- 1), count: size)
    return code != 0
  }

  /// Writes a symbol and the bits of the value, whose number is in the symbol.
  @inline(__always)
  private func append(
    _ value: Int32, run: Int, _ codes: UnsafePointer<JPEGEncoderCodes.Code>,
    to writer: inout JPEGBitWriter
  ) {
    let size = 32 &- abs(value).leadingZeroBitCount
    let bits = UInt32(bitPattern: value &+ value &>> 31) & (1 &<< UInt32(size) &- 1)
    unsafe writer.append(codes[run &<< 4 | size], bits, count: size)
  }
}

/// The coding order of coefficients that are stored in columns.
final class JPEGColumnOrder: Sendable {
  /// The index of each place in coding order, then the places of each set of rows of each column.
  private let memory = Arena(byteCount: 64 + 8 * 256 * 8)

  init() {
    for (place, natural) in JPEGZigzag.natural.enumerated() {
      let (row, column) = (Int(natural) / 8, Int(natural) % 8)
      unsafe memory.base.storeBytes(
        of: UInt8(8 * column + row), toByteOffset: place, as: UInt8.self)
      for rows in 0..<256 where rows >> row & 1 != 0 {
        let entry = unsafe memory.base + 64 + 8 * (column << 8 | rows)
        unsafe entry.storeBytes(of: entry.load(as: UInt64.self) | 1 << place, as: UInt64.self)
      }
    }
  }

  /// The tables, valid while this value lives.
  var start: UnsafeRawPointer { unsafe UnsafeRawPointer(memory.base) }

  /// The places in coding order of a block's coefficients other than zero.
  @inline(__always)
  static func occupied(_ block: UnsafePointer<Int16>, _ tables: UnsafeRawPointer) -> UInt64 {
    let words = unsafe UnsafeRawPointer(block)
    var places: UInt64 = 0
    for column in 0..<8 {
      let low = unsafe words.loadUnaligned(fromByteOffset: 16 &* column, as: UInt64.self)
      let high = unsafe words.loadUnaligned(fromByteOffset: 16 &* column &+ 8, as: UInt64.self)
      guard low | high != 0 else { continue }
      let rows = Int(truncatingIfNeeded: occupied(low) | occupied(high) &<< 4)
      places |= unsafe tables.load(
        fromByteOffset: 64 &+ 8 &* (column &<< 8 | rows), as: UInt64.self)
    }
    return places
  }

  /// A bit for each of four 16-bit numbers other than zero.
  @inline(__always)
  private static func occupied(_ word: UInt64) -> UInt64 {
    let rest: UInt64 = 0x7FFF_7FFF_7FFF_7FFF
    let tops = (((word & rest) &+ rest) | word) & ~rest
    return ((tops &>> 15) &* 0x0001_0002_0004_0008) &>> 48 & 15
  }
}

/// The codes of a Huffman table, indexed by symbol, of which there are 256.
struct JPEGEncoderCodes {
  /// A code of at most 16 bits, above their number in the lowest eight.
  typealias Code = UInt32

  let definition: JPEGHuffmanTable.Definition
  private let codes = Arena(byteCount: 256 * 4)

  /// Assigns the codes (T.81, C.2). Codes of one length are consecutive; the first code of a length
  /// is twice the code after the last one of the previous length.
  init(_ definition: JPEGHuffmanTable.Definition) {
    self.definition = definition
    var code: UInt32 = 0
    var symbols = definition.symbols[...]
    for (index, count) in definition.lengths.enumerated() {
      for symbol in symbols.prefix(count) {
        unsafe codes.base.storeBytes(
          of: code << 8 | UInt32(index + 1), toByteOffset: 4 * Int(symbol), as: Code.self)
        code += 1
      }
      symbols = symbols.dropFirst(count)
      code <<= 1
    }
  }

  /// The codes, valid while this value lives.
  var start: UnsafePointer<Code> {
    unsafe UnsafePointer(codes.base.assumingMemoryBound(to: Code.self))
  }
}

/// The quantization tables K.1 and K.2 of T.81, in natural order.
struct JPEGStandardDivisors {
  private let values: [UInt8]

  /// The table for a quality of 1 to 100.
  func scaled(toQuality quality: Int) -> [UInt8] {
    let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
    return values.map { UInt8(min(max((Int($0) * percent + 50) / 100, 1), 255)) }
  }

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
