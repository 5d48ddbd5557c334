//===--- JPEGArithmeticCoders.swift - arithmetic-coded scans --------------===//
//
// ITU-T T.81, F.2.4 and G.2.3: sequential scans, and the first and later bits of progressive ones.
//
// Contract  Decoding a block ends after at most 64 coefficients, for any data. The components must
//           outlive the coders. Damaged data give the coefficients of libjpeg-turbo: a magnitude or
//           a run that is too long ends its block, and the blocks up to the next restart marker are
//           unchanged.
// Cost      One decision per zero coefficient, several for each other one.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift, JPEGRecoveryTests.swift
//===----------------------------------------------------------------------===//

/// Decodes the first bits of DC coefficients, of a band of AC coefficients, or of both.
struct JPEGFirstArithmeticCoder: JPEGBlockCoder {
  private struct Target {
    let blocks: JPEGBlocks
    /// The first bins of its tables.
    let dcBins, acBins: Int
    /// The conditioning parameters.
    let small: (lower: Int, upper: Int)
    let lowFrequencies: Int
    var prediction: Int32 = 0
    /// The first bin for the next DC difference, which depends on the last one, from `dcBins` on.
    var context = 0
  }

  /// The first bins for magnitudes of DC differences, and of AC coefficients of low and high
  /// frequencies.
  private static let dcMagnitude = 20
  private static let lowMagnitude = 189
  private static let highMagnitude = 217

  static let dataEnd = JPEGDataEnd.continues

  private var targets: [Target]
  private var decoder: JPEGArithmeticDecoder
  private let band: ClosedRange<Int>
  private let low: Int32

  /// A coder of coefficients `band`, bit `low` and above.
  init(
    _ components: [JPEGComponent], _ scan: JPEGScan, _ conditions: JPEGArithmeticConditions,
    band: ClosedRange<Int>, low: Int
  ) {
    targets = zip(components, scan.specifications).map { component, tables in
      Target(
        blocks: component.blocks, dcBins: tables.dcTable * JPEGArithmeticDecoder.tableBins,
        acBins: tables.acTable * JPEGArithmeticDecoder.tableBins + JPEGArithmeticDecoder.acBins,
        small: conditions.small[tables.dcTable], lowFrequencies: conditions.low[tables.acTable])
    }
    decoder = JPEGArithmeticDecoder(lastTable: scan.lastTable)
    self.band = band
    self.low = Int32(low)
  }

  mutating func reset() {
    for i in targets.indices { (targets[i].prediction, targets[i].context) = (0, 0) }
    decoder.reset()
  }

  mutating func decode(
    _ place: Int, _ index: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    guard !decoder.hasFailed else { return false }
    var reader = bits
    defer { bits = reader }
    var target = targets[place]
    let block = target.blocks[index]
    if band.lowerBound == 0 {
      guard decodeDifference(&target, &reader, file) else { return false }
      targets[place] = target
      block[0] = Int16(truncatingIfNeeded: target.prediction &<< low)
    }
    return decodeAC(target, block, &reader, file)
  }

  /// Decodes a DC difference (figures F.19 and F.21); returns whether the data were valid.
  private mutating func decodeDifference(
    _ target: inout Target, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    var bin = target.dcBins + target.context
    guard decoder.decision(bin, &bits, file) else {
      target.context = 0
      return true
    }
    let isNegative = decoder.decision(bin + 1, &bits, file)
    bin += isNegative ? 3 : 2
    var size: Int32 = 0
    if decoder.decision(bin, &bits, file) {
      let first = target.dcBins + Self.dcMagnitude
      guard let magnitude = decoder.magnitude(from: 1, first, &bits, file) else {
        decoder.hasFailed = true
        return false
      }
      size = magnitude
    }
    target.context =
      if size < (1 << target.small.lower) >> 1 { 0 } else {
        (size < 1 << target.small.upper ? 4 : 12) + (isNegative ? 4 : 0)
      }
    target.prediction &+= isNegative ? -size &- 1 : size &+ 1
    return true
  }

  /// Decodes the AC coefficients of a block (figure F.20); returns whether the data were valid.
  private mutating func decodeAC(
    _ target: Target, _ block: JPEGBlock, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    var next = max(band.lowerBound, 1)
    while next <= band.upperBound {
      var bin = target.acBins + 3 * (next - 1)
      if decoder.decision(bin, &bits, file) { return true }
      while !decoder.decision(bin + 1, &bits, file) {
        bin += 3
        next += 1
        guard next <= band.upperBound else {
          decoder.hasFailed = true
          return false
        }
      }
      let isNegative = decoder.decision(decoder.fixedBin, &bits, file)
      var size: Int32 = 0
      if decoder.decision(bin + 2, &bits, file) {
        size = 1
        if decoder.decision(bin + 2, &bits, file) {
          let isLow = next <= target.lowFrequencies
          let first = target.acBins + (isLow ? Self.lowMagnitude : Self.highMagnitude)
          guard let magnitude = decoder.magnitude(from: 2, first, &bits, file) else {
            decoder.hasFailed = true
            return false
          }
          size = magnitude
        }
      }
      let value = Int16(truncatingIfNeeded: (isNegative ? -size &- 1 : size &+ 1) &<< low)
      block[next] = value
      let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: next)
      // Bits beyond sixteen are lost; a coefficient without bits is zero.
      if value != 0 { block.occupied |= bit } else { block.occupied &= ~bit }
      next += 1
    }
    return true
  }
}

/// Decodes one more bit of DC coefficients or of a band of AC coefficients.
struct JPEGLaterArithmeticCoder: JPEGBlockCoder {
  static let dataEnd = JPEGDataEnd.continues

  private let blocks: [JPEGBlocks]
  private var decoder: JPEGArithmeticDecoder
  private let acBins: Int
  private let band: ClosedRange<Int>
  private let bit: Int16

  /// A coder of the band and bit of `scan`.
  init(_ components: [JPEGComponent], _ scan: JPEGScan) {
    blocks = components.map { $0.blocks }
    decoder = JPEGArithmeticDecoder(lastTable: scan.lastTable)
    acBins =
      scan.specifications[0].acTable * JPEGArithmeticDecoder.tableBins
      + JPEGArithmeticDecoder.acBins
    band = scan.start...scan.end
    bit = 1 << Int16(scan.low)
  }

  mutating func reset() { decoder.reset() }

  mutating func decode(
    _ place: Int, _ index: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    guard !decoder.hasFailed else { return false }
    var reader = bits
    defer { bits = reader }
    let block = blocks[place][index]
    guard band.lowerBound > 0 else {
      if decoder.decision(decoder.fixedBin, &reader, file) { block[0] |= bit }
      return true
    }
    // The end of the block is not coded before its last nonzero coefficient.
    let known = block.occupied & (~0 &>> UInt64(63 - band.upperBound))
    var next = band.lowerBound
    while next <= band.upperBound {
      var bin = acBins + 3 * (next - 1)
      if known &>> UInt64(next) == 0, decoder.decision(bin, &reader, file) { return true }
      while !refine(block, next, bin, &reader, file) {
        bin += 3
        next += 1
        guard next <= band.upperBound else {
          decoder.hasFailed = true
          return false
        }
      }
      next += 1
    }
    return true
  }

  /// Decodes one more bit of a coefficient (figure G.10); returns false if it is zero.
  private mutating func refine(
    _ block: JPEGBlock, _ place: Int, _ bin: Int, _ bits: inout JPEGBitReader,
    _ file: Span<UInt8>
  ) -> Bool {
    let mask: UInt64 = 1 &<< UInt64(place)
    if block.occupied & mask != 0 {
      if decoder.decision(bin + 2, &bits, file) { block[place] &+= block[place] < 0 ? -bit : bit }
      return true
    }
    guard decoder.decision(bin + 1, &bits, file) else { return false }
    block[place] = decoder.decision(decoder.fixedBin, &bits, file) ? -bit : bit
    block.occupied |= mask
    return true
  }
}
