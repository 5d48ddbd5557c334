//===--- JPEGProgressiveCoders.swift - blocks of a progressive scan -------===//
//
// ITU-T T.81, annex G: the first and later bits of the DC coefficients, the
// first and later bits of a band of AC coefficients. Blocks gather in memory
// until every scan has been read.
//
// Contract  Any bits end after at most 64 coefficients. The components and
//           tables outlive the coders.
// Cost      A block within an end-of-band run costs a decrement in a first scan,
//           a pass over the band in a later one.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// Where the blocks of a component lie.
private struct BlockGrid {
  let coefficients: UnsafeMutablePointer<Int16>
  let blocksPerLine: Int

  /// The blocks of a component that keeps its coefficients.
  init?(_ component: JPEGComponent) {
    guard let coefficients = component.coefficients else { return nil }
    self.coefficients = coefficients
    blocksPerLine = component.paddedBlocksPerLine
  }

  @inline(__always) func block(_ column: Int, _ row: Int) -> UnsafeMutablePointer<Int16> {
    coefficients + 64 &* (row &* blocksPerLine &+ column)
  }
}

/// The first bits of DC coefficients.
struct JPEGFirstDCCoder: JPEGBlockCoder {
  private struct Target {
    let grid: BlockGrid
    let codes: JPEGHuffmanCodes
    var prediction: Int32 = 0
  }

  private var targets: [Target]
  private let low: Int32

  /// A coder of the bits from `low` up.
  init(_ components: [JPEGComponent], _ tables: [JPEGHuffmanTable], low: Int) {
    targets = zip(components, tables).compactMap { component, table in
      BlockGrid(component).map { Target(grid: $0, codes: table.codes) }
    }
    self.low = Int32(low)
  }

  mutating func reset() {
    for i in targets.indices { targets[i].prediction = 0 }
  }

  mutating func decode(_ place: Int, column: Int, row: Int, _ bits: inout JPEGBitReader) -> Bool {
    let target = targets[place]
    let size = bits.symbol(target.codes)
    guard size >= 0 else { return false }
    let dc = target.prediction &+ bits.value(size)
    targets[place].prediction = dc
    target.grid.block(column, row)[0] = Int16(truncatingIfNeeded: dc &<< low)
    return true
  }
}

/// One more bit of DC coefficients.
struct JPEGLaterDCCoder: JPEGBlockCoder {
  private let grids: [BlockGrid]
  private let bit: Int16

  /// A coder of bit `low`.
  init(_ components: [JPEGComponent], low: Int) {
    grids = components.compactMap { BlockGrid($0) }
    bit = 1 << Int16(low)
  }

  mutating func reset() {}

  mutating func decode(_ place: Int, column: Int, row: Int, _ bits: inout JPEGBitReader) -> Bool {
    if bits.bit() { grids[place].block(column, row)[0] |= bit }
    return true
  }
}

/// The first bits of a band of AC coefficients.
struct JPEGFirstACCoder: JPEGBlockCoder {
  private let grid: BlockGrid
  private let codes: JPEGHuffmanCodes
  private let band: ClosedRange<Int>
  private let low: Int32
  /// How many further blocks have nothing more in the band.
  private var endOfBandRun = 0

  /// A coder of the bits from `low` up; `nil` if the component keeps no coefficients.
  init?(_ component: JPEGComponent, _ table: JPEGHuffmanTable, band: ClosedRange<Int>, low: Int) {
    guard let grid = BlockGrid(component) else { return nil }
    self.grid = grid
    codes = table.codes
    self.band = band
    self.low = Int32(low)
  }

  mutating func reset() { endOfBandRun = 0 }

  mutating func decode(_ place: Int, column: Int, row: Int, _ bits: inout JPEGBitReader) -> Bool {
    if endOfBandRun > 0 {
      endOfBandRun &-= 1
      return true
    }
    var reader = bits
    defer { bits = reader }
    let block = grid.block(column, row)
    var next = band.lowerBound
    while next <= band.upperBound {
      let symbol = reader.symbol(codes)
      guard symbol >= 0 else { return false }
      let run = symbol &>> 4
      let size = symbol & 15
      if size == 0, run < 15 {
        endOfBandRun = (1 &<< run) &- 1 &+ reader.number(run)
        break
      }
      next &+= run
      if size > 0 {
        guard next <= band.upperBound else { return false }
        let value = reader.value(size) &<< low
        block[Int(JPEGZigzag.natural[next])] = Int16(truncatingIfNeeded: value)
      }
      next &+= 1
    }
    return true
  }
}

/// One more bit of a band of AC coefficients.
struct JPEGLaterACCoder: JPEGBlockCoder {
  private let grid: BlockGrid
  private let codes: JPEGHuffmanCodes
  private let band: ClosedRange<Int>
  private let bit: Int16
  /// How many further blocks have no new coefficient in the band.
  private var endOfBandRun = 0

  /// A coder of bit `low`; `nil` if the component keeps no coefficients.
  init?(_ component: JPEGComponent, _ table: JPEGHuffmanTable, band: ClosedRange<Int>, low: Int) {
    guard let grid = BlockGrid(component) else { return nil }
    self.grid = grid
    codes = table.codes
    self.band = band
    bit = 1 << Int16(low)
  }

  mutating func reset() { endOfBandRun = 0 }

  mutating func decode(_ place: Int, column: Int, row: Int, _ bits: inout JPEGBitReader) -> Bool {
    var reader = bits
    defer { bits = reader }
    let block = grid.block(column, row)
    var next = band.lowerBound
    while endOfBandRun == 0, next <= band.upperBound {
      let symbol = reader.symbol(codes)
      guard symbol >= 0 else { return false }
      let run = symbol &>> 4
      if symbol & 15 == 0, run < 15 {
        endOfBandRun = 1 &<< run &+ reader.number(run)
        break
      }
      let value = symbol & 15 == 0 ? 0 : reader.bit() ? bit : -bit
      next = refine(block, from: next, passing: run, &reader)
      if value != 0 {
        guard next <= band.upperBound else { return false }
        block[Int(JPEGZigzag.natural[next])] = value
      }
      next &+= 1
    }
    if endOfBandRun > 0 {
      _ = refine(block, from: next, passing: 64, &reader)
      endOfBandRun &-= 1
    }
    return true
  }

  /// Takes a bit of each coefficient that is not zero, from `start` until `zeros` zero ones have
  /// been passed and another is reached; returns its place, or the one after the band.
  @inline(__always)
  private func refine(
    _ block: UnsafeMutablePointer<Int16>, from start: Int, passing zeros: Int,
    _ bits: inout JPEGBitReader
  ) -> Int {
    var left = zeros
    var next = start
    while next <= band.upperBound {
      let place = Int(JPEGZigzag.natural[next])
      let value = block[place]
      if value != 0 {
        if bits.bit(), value & bit == 0 { block[place] = value &+ (value > 0 ? bit : -bit) }
      } else if left == 0 {
        break
      } else {
        left &-= 1
      }
      next &+= 1
    }
    return next
  }
}
