//===--- JPEGProgressiveCoders.swift - progressive scans ------------------===//
//
// ITU-T T.81, annex G: the first and later bits of DC coefficients, and the first and later bits of
// a band of AC coefficients. Blocks stay in memory until every scan has been read.
//
// Contract  Decoding a block ends after at most 64 coefficients, for any bits. The components and
//           tables must outlive the coders. Damaged bits give the coefficients of libjpeg-turbo: an
//           invalid code ends its band, and a coefficient after the band is kept.
// Cost      A block in an end-of-band run costs a decrement in a first scan, and a visit to each
//           nonzero coefficient in a later one.
//===----------------------------------------------------------------------===//

/// Decodes the first bits of DC coefficients.
struct JPEGFirstDCCoder: JPEGBlockCoder {
  private struct Target {
    let blocks: JPEGBlocks
    let codes: JPEGHuffmanCodes
    var prediction: Int32 = 0
  }

  private var targets: [Target]
  private let low: Int32

  /// A coder of bit `low` and above.
  init(_ components: [JPEGComponent], _ tables: [JPEGHuffmanTable], low: Int) {
    targets = zip(components, tables).map { component, table in
      Target(blocks: component.blocks, codes: table.codes)
    }
    self.low = Int32(low)
  }

  mutating func reset() {
    for i in targets.indices { targets[i].prediction = 0 }
  }

  mutating func decode(
    _ place: Int, _ index: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    let target = targets[place]
    let size = bits.symbol(target.codes, from: file)
    let dc = target.prediction &+ bits.value(size)
    targets[place].prediction = dc
    target.blocks[index][0] = Int16(truncatingIfNeeded: dc &<< low)
    return size >= 0
  }
}

/// Decodes one more bit of DC coefficients.
struct JPEGLaterDCCoder: JPEGBlockCoder {
  private let blocks: [JPEGBlocks]
  private let bit: Int16

  /// A coder of bit `low`.
  init(_ components: [JPEGComponent], low: Int) {
    blocks = components.map { $0.blocks }
    bit = 1 << Int16(low)
  }

  mutating func reset() {}

  mutating func decode(
    _ place: Int, _ index: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    if bits.bit(from: file) { blocks[place][index][0] |= bit }
    return true
  }
}

/// Decodes the first bits of a band of AC coefficients.
struct JPEGFirstACCoder: JPEGBlockCoder {
  private let blocks: JPEGBlocks
  private let codes: JPEGHuffmanCodes
  private let band: ClosedRange<Int>
  private let low: Int32
  /// The number of following blocks with no more coefficients in the band.
  private var endOfBandRun = 0

  /// A coder of bit `low` and above.
  init(_ component: JPEGComponent, _ table: JPEGHuffmanTable, band: ClosedRange<Int>, low: Int) {
    blocks = component.blocks
    codes = table.codes
    self.band = band
    self.low = Int32(low)
  }

  mutating func reset() { endOfBandRun = 0 }

  mutating func decode(
    _ place: Int, _ index: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    if endOfBandRun > 0 {
      endOfBandRun &-= 1
      return true
    }
    var reader = bits
    defer { bits = reader }
    let block = blocks[index]
    var next = band.lowerBound
    while next <= band.upperBound {
      let symbol = reader.symbol(codes, from: file)
      guard symbol >= 0 else { return false }
      let run = symbol &>> 4
      let size = symbol & 15
      if size == 0, run < 15 {
        endOfBandRun = (1 &<< run) &- 1 &+ reader.number(run, from: file)
        break
      }
      next &+= run
      if size > 0 {
        let value = Int16(truncatingIfNeeded: reader.value(size) &<< low)
        let place = min(next, 63)
        block[place] = value
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: place)
        // Bits beyond sixteen are lost; a coefficient without bits is zero.
        if value != 0 { block.occupied |= bit } else { block.occupied &= ~bit }
        guard next <= band.upperBound else { return false }
      }
      next &+= 1
    }
    return true
  }
}

/// Decodes one more bit of a band of AC coefficients.
struct JPEGLaterACCoder: JPEGBlockCoder {
  private let blocks: JPEGBlocks
  private let codes: JPEGHuffmanCodes
  private let band: ClosedRange<Int>
  private let bit: Int16
  /// The number of following blocks with no new coefficient in the band.
  private var endOfBandRun = 0

  /// A coder of bit `low`.
  init(_ component: JPEGComponent, _ table: JPEGHuffmanTable, band: ClosedRange<Int>, low: Int) {
    blocks = component.blocks
    codes = table.codes
    self.band = band
    bit = 1 << Int16(low)
  }

  mutating func reset() { endOfBandRun = 0 }

  mutating func decode(
    _ place: Int, _ index: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    var reader = bits
    defer { bits = reader }
    let block = blocks[index]
    var next = band.lowerBound
    var isBlock = true
    while endOfBandRun == 0, next <= band.upperBound {
      var symbol = reader.symbol(codes, from: file)
      if symbol < 0 {
        isBlock = false
        symbol = 0
      }
      let run = symbol &>> 4
      if symbol & 15 == 0, run < 15 {
        endOfBandRun = 1 &<< run &+ reader.number(run, from: file)
        break
      }
      let value = symbol & 15 == 0 ? 0 : reader.bit(from: file) ? bit : -bit
      next = refine(block, from: next, passing: run, &reader, file)
      if value != 0 {
        let place = min(next, 63)
        block[place] = value
        block.occupied |= 1 &<< UInt64(truncatingIfNeeded: place)
        isBlock = next <= band.upperBound
      }
      next &+= 1
    }
    if endOfBandRun > 0 {
      _ = refine(block, from: next, passing: 64, &reader, file)
      endOfBandRun &-= 1
    }
    return isBlock
  }

  /// Reads a bit for each nonzero coefficient from `start` on, until `zeros` zero coefficients are
  /// passed and another is reached. Returns its index, or the one after the band.
  @inline(__always)
  private func refine(
    _ block: JPEGBlock, from start: Int, passing zeros: Int, _ bits: inout JPEGBitReader,
    _ file: Span<UInt8>
  ) -> Int {
    let beyond = band.upperBound &+ 1
    var left = zeros
    var next = start
    var occupied = block.occupied & (~0 << UInt64(start))
    while next < beyond {
      let place = min(occupied.trailingZeroBitCount, beyond)
      let gap = place &- next
      guard gap <= left else { return next &+ left }
      guard place < beyond else { return beyond }
      left &-= gap
      refine(&block[place], &bits, file)
      occupied &= occupied &- 1
      next = place &+ 1
    }
    return next
  }

  /// Adds one more bit to a coefficient, away from zero, at most once. The bits are unpredictable,
  /// so there is no branch.
  @inline(__always)
  private func refine(
    _ value: inout Int16, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) {
    let step = (bits.bit(from: file) ? bit : 0) & ~value
    let sign = value &>> 15
    value &+= (step ^ sign) &- sign
  }
}
