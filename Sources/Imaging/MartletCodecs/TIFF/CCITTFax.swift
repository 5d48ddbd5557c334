//===--- CCITTFax.swift - fax compression of bilevel images ---------------===//
//
// A row is a list of positions at which the color changes, from white at the start. It is coded as
// the lengths of its runs (one-dimensional), or by its differences from the previous row
// (two-dimensional).
//
// Contract  Bits of white pixels are 0, of black ones 1. Accepts any input: decoding ends at the
//           first code that is unknown or does not fit, with the whole rows before it. Rows of
//           Group 3 need no end-of-line code. Uncompressed mode is not supported.
// Cost      A table lookup for each code.
// Source    ITU-T T.4 (07/2003) tables 2 to 4, T.6 (11/88) table 1; TIFF 6.0 sections 10 and 11
// Checked   Tests/MartletCodecsTests/CCITTFaxTests.swift
//===----------------------------------------------------------------------===//

/// A decoder of rows of one strip or tile.
struct CCITTFax {
  enum Scheme: Equatable {
    /// One-dimensional rows that begin at whole bytes.
    case huffman
    /// Rows after end-of-line codes, some two-dimensional if `isMixed`.
    case group3(isMixed: Bool)
    /// Two-dimensional rows.
    case group4
  }

  private let scheme: Scheme
  private let width: Int
  private let bytes: [UInt8]
  /// The next bit and the end, in bits.
  private var place: Int
  private let end: Int
  /// The positions of color changes in the previous row and in this one.
  private var previous: [Int] = []
  private var changes: [Int] = []

  init(_ scheme: Scheme, width: Int, _ bytes: [UInt8], _ range: Range<Int>) {
    (self.scheme, self.width, self.bytes) = (scheme, width, bytes)
    (place, end) = (range.lowerBound * 8, range.upperBound * 8)
  }

  /// Decodes rows of `rowBytes` until `output`, which is filled with zeros first, is full; returns
  /// the number of bytes of whole rows.
  mutating func decode(to output: inout [UInt8], rowBytes: Int) -> Int {
    for index in output.indices { output[index] = 0 }
    for row in 0..<output.count / rowBytes {
      guard place < end, decodeRow() else { return row * rowBytes }
      for black in stride(from: 0, to: changes.count, by: 2) {
        let stop = black + 1 < changes.count ? changes[black + 1] : width
        for x in changes[black]..<stop { output[row * rowBytes + x >> 3] |= 0x80 >> UInt8(x & 7) }
      }
      swap(&previous, &changes)
    }
    return output.count
  }

  /// Decodes a row to `changes`; returns false if it is not whole.
  private mutating func decodeRow() -> Bool {
    changes.removeAll(keepingCapacity: true)
    switch scheme {
    case .huffman:
      place = (place + 7) & ~7
      return decodeRuns()
    case .group3(let isMixed):
      let isAfterEnd = skipEndOfLine()
      guard isMixed, isAfterEnd else { return decodeRuns() }
      place += 1
      return bits(1, at: place - 1) == 1 ? decodeRuns() : decodeDifferences()
    case .group4: return decodeDifferences()
    }
  }

  /// Skips zeros and the one of an end-of-line code; returns whether it is there.
  private mutating func skipEndOfLine() -> Bool {
    guard bits(11, at: place) == 0 else { return false }
    while place < end, bits(1, at: place) == 0 { place += 1 }
    place += 1
    return true
  }

  private mutating func decodeRuns() -> Bool {
    var position = 0
    while position < width {
      guard let run = run(), position + run <= width else { return false }
      position += run
      changes.append(position)
    }
    return true
  }

  /// T.6, 2.2: `position` is a0, the next change is a1; b1 is the first change of the previous row
  /// to the right of a0 and to the color opposite to a0's, b2 the one after it.
  private mutating func decodeDifferences() -> Bool {
    var (position, index) = (-1, 0)
    while position < width {
      // The index of b1 has the parity of the number of changes so far. At most two changes lie
      // between a0 and the last b1.
      index = max(index - 3, 0)
      index += (index ^ changes.count) & 1
      while index < previous.count, previous[index] <= position { index += 2 }
      let next = index < previous.count ? previous[index] : width
      let change: Int
      switch bits(7, at: place) {
      case 0b1000000...: (change, place) = (next, place + 1)
      case 0b0110000...: (change, place) = (next + 1, place + 3)
      case 0b0100000...: (change, place) = (next - 1, place + 3)
      case 0b0010000...:
        place += 3
        let start = max(position, 0)
        guard let first = run(), start + first <= width else { return false }
        changes.append(start + first)
        guard let second = run(), start + first + second <= width else { return false }
        changes.append(start + first + second)
        position = start + first + second
        continue
      case 0b0001000...:
        place += 4
        position = index + 1 < previous.count ? previous[index + 1] : width
        continue
      case 0b0000110...: (change, place) = (next + 2, place + 6)
      case 0b0000100...: (change, place) = (next - 2, place + 6)
      case 0b0000011: (change, place) = (next + 3, place + 7)
      case 0b0000010: (change, place) = (next - 3, place + 7)
      default: return false
      }
      guard change >= max(position, 0), change <= width, place <= end else { return false }
      changes.append(change)
      position = change
    }
    return place <= end
  }

  /// The length of the next run, whose color follows from the number of changes so far; `nil` if its
  /// code is unknown or the data end.
  private mutating func run() -> Int? {
    let codes = changes.count & 1 == 0 ? Self.white : Self.black
    var length = 0
    while true {
      let entry = codes[bits(13, at: place)]
      place += Int(entry >> 12)
      guard entry != 0, place <= end else { return nil }
      let part = Int(entry & 0xFFF)
      length += part
      if part < 64 { return length }
      guard length <= width else { return nil }
    }
  }

  /// The next `count` bits, at most 13, at `place`; zeros after the end.
  private func bits(_ count: Int, at place: Int) -> Int {
    var window = 0
    for index in place >> 3..<place >> 3 + 3 {
      window = window << 8 | (index < end >> 3 ? Int(bytes[index]) : 0)
    }
    return window >> (24 - place & 7 - count) & (1 << count - 1)
  }
}

extension CCITTFax {
  /// The length of the code that begins with an index's 13 bits in the highest 4 bits, and the run's
  /// length; 0 if there is no such code.
  private static let white = table(whiteCodes)
  private static let black = table(blackCodes)

  private static func table(_ codes: String) -> [UInt16] {
    var table = [UInt16](repeating: 0, count: 1 << 13)
    let all = codes.split(separator: " ") + longCodes.split(separator: " ")
    for (index, code) in all.enumerated() {
      let run = index < 64 ? index : (index - 63) * 64
      let first = code.utf8.reduce(0) { $0 << 1 | Int($1 & 1) } << (13 - code.utf8.count)
      for place in first..<first + 1 << (13 - code.utf8.count) {
        table[place] = UInt16(code.utf8.count << 12 | run)
      }
    }
    return table
  }

  /// The codes of runs of 0 to 63 pixels, then of 64, 128, ..., 1728.
  private static let whiteCodes = """
    00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 \
    110101 101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 \
    0100100 0011000 00000010 00000011 00011010 00011011 00010010 00010011 00010100 00010101 \
    00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101 00000100 00000101 \
    00001010 00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 \
    01011010 01011011 01001010 01001011 00110010 00110011 00110100 \
    11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 \
    011001101 011010010 011010011 011010100 011010101 011010110 011010111 011011000 011011001 \
    011011010 011011011 010011000 010011001 010011010 011000 010011011
    """

  private static let blackCodes = """
    0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 \
    00000111 000011000 0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 \
    00000110111 00000101000 00000010111 00000011000 000011001010 000011001011 000011001100 \
    000011001101 000001101000 000001101001 000001101010 000001101011 000011010010 000011010011 \
    000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 \
    000011011011 000001010100 000001010101 000001010110 000001010111 000001100100 000001100101 \
    000001010010 000001010011 000000100100 000000110111 000000111000 000000100111 000000101000 \
    000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 000001100111 \
    0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 \
    0000001101100 0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 \
    0000001110010 0000001110011 0000001110100 0000001110101 0000001110110 0000001110111 \
    0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011 \
    0000001100100 0000001100101
    """

  /// The codes of runs of 1792, 1856, ..., 2560 pixels of both colors.
  private static let longCodes = """
    00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 \
    000000010110 000000010111 000000011100 000000011101 000000011110 000000011111
    """
}
