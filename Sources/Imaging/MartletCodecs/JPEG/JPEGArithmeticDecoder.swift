//===--- JPEGArithmeticDecoder.swift - binary arithmetic decoding ---------===//
//
// ITU-T T.81, annex D: an interval is divided by the estimated probability of each decision, and
// the estimate adapts. A bin has an estimate: a state of table D.3 in bits 0 to 6, and the more
// probable decision in bit 7.
//
// Contract  Any bytes decode to decisions without trapping. After the end of the data, the bytes are
//           zeros (D.1.8).
// Cost      A few operations per decision; 320 bytes per pair of tables.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift, JPEGDamageTests.swift
//===----------------------------------------------------------------------===//

/// The conditioning parameters of DAC segments (F.1.4.4.1.4 and F.1.4.4.2.1). libjpeg-turbo has
/// sixteen tables of each class.
struct JPEGArithmeticConditions {
  /// The exponents of the smallest and the largest small difference of each DC table.
  private(set) var small = [(lower: Int, upper: Int)](repeating: (0, 1), count: 16)
  /// The last of the low-frequency coefficients of each AC table.
  private(set) var low = [Int](repeating: 5, count: 16)

  /// Reads every table of a DAC segment.
  mutating func define(_ segment: JPEGSegment) throws(JPEGError) {
    var body = segment
    while !body.isEmpty {
      let selector = Int(try body.byte())
      let value = Int(try body.byte())
      guard selector < 32, selector >= 16 || value & 15 <= value >> 4 else {
        throw .badTableIndex(marker: body.marker, index: selector, offset: body.offset)
      }
      if selector < 16 {
        small[selector] = (value & 15, value >> 4)
      } else {
        low[selector - 16] = value
      }
    }
  }
}

/// The interval and the estimates.
struct JPEGArithmeticDecoder {
  /// The number of bins of each pair of tables; those of the AC table begin at `acBins`.
  static let tableBins = 320
  static let acBins = 64
  /// The state of a bin whose estimate stays one half.
  private static let fixedState: UInt8 = 113

  /// The bins of each table, and the one with the fixed estimate.
  private var bins: [UInt8]
  /// The size of the interval, at least 0x8000 between renormalizations; 0 before the first decision.
  private var size: UInt32 = 0
  /// The data minus the base of the interval, with `count` bits after those compared with `size`.
  private var code: UInt32 = 0
  private var count: UInt32 = 0
  /// Whether the data are invalid; the rest of the interval of units is not decoded.
  var hasFailed = false

  /// A decoder for tables 0 to `lastTable`.
  init(lastTable: Int) {
    bins = Array(repeating: 0, count: (lastTable + 1) * Self.tableBins + 1)
    reset()
  }

  /// Resets the estimates, and starts again with the next bytes.
  mutating func reset() {
    for index in bins.indices { bins[index] = 0 }
    bins[fixedBin] = Self.fixedState
    size = 0
    hasFailed = false
  }

  /// The bin for decisions of equal probability.
  var fixedBin: Int { bins.count - 1 }

  /// Decodes a decision (figures D.16 to D.19).
  mutating func decision(
    _ bin: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    if size < 0x8000 { renormalize(&bits, file) }
    let state = bins[bin]
    let estimate = Self.estimates[Int(state & 0x7F)]
    let lower = estimate >> 16
    size &-= lower
    let isUpper = code >= size &<< count
    if !isUpper, size >= 0x8000 { return state & 0x80 != 0 }
    // The smaller interval stands for the less probable decision.
    let isLessProbable = isUpper != (size < lower)
    if isUpper {
      code &-= size &<< count
      size = lower
    }
    let next = isLessProbable ? estimate : estimate &>> 8
    bins[bin] = state & 0x80 ^ UInt8(truncatingIfNeeded: next)
    return (state & 0x80 != 0) != isLessProbable
  }

  /// Doubles the interval until it has at least 0x8000.
  private mutating func renormalize(_ bits: inout JPEGBitReader, _ file: Span<UInt8>) {
    if size == 0 {
      (code, size, count) = (UInt32(bits.number(16, from: file)), 0x1_0000, 0)
    }
    while size < 0x8000 {
      if count == 0 {
        code = code &<< 8 | UInt32(bits.number(8, from: file))
        count = 8
      }
      count &-= 1
      size &<<= 1
    }
  }

  /// Decodes a magnitude minus 1 (figures F.23 and F.24), of which bit `top` is known; `nil` if it
  /// has more than 15 bits.
  mutating func magnitude(
    from top: Int32, _ firstBin: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Int32? {
    var (top, bin) = (top, firstBin)
    while decision(bin, &bits, file) {
      top &<<= 1
      guard top < 0x8000 else { return nil }
      bin += 1
    }
    var value = top
    while top > 1 {
      top &>>= 1
      if decision(bin + 14, &bits, file) { value |= top }
    }
    return value
  }

  /// Table D.3, and the fixed estimate: the size of the interval of the less probable decision (16
  /// bits), the next state after the more probable one (8), and after the other (7); bit 7 exchanges
  /// the two.
  private static let estimates: [UInt32] = [
    0x5A1D_0181, 0x2586_020E, 0x1114_0310, 0x080B_0412, 0x03D8_0514, 0x01DA_0617, 0x00E5_0719,
    0x006F_081C, 0x0036_091E, 0x001A_0A21, 0x000D_0B23, 0x0006_0C09, 0x0003_0D0A, 0x0001_0D0C,
    0x5A7F_0F8F, 0x3F25_1024, 0x2CF2_1126, 0x207C_1227, 0x17B9_1328, 0x1182_142A, 0x0CEF_152B,
    0x09A1_162D, 0x072F_172E, 0x055C_1830, 0x0406_1931, 0x0303_1A33, 0x0240_1B34, 0x01B1_1C36,
    0x0144_1D38, 0x00F5_1E39, 0x00B7_1F3B, 0x008A_203C, 0x0068_213E, 0x004E_223F, 0x003B_2320,
    0x002C_0921, 0x5AE1_25A5, 0x484C_2640, 0x3A0D_2741, 0x2EF1_2843, 0x261F_2944, 0x1F33_2A45,
    0x19A8_2B46, 0x1518_2C48, 0x1177_2D49, 0x0E74_2E4A, 0x0BFB_2F4B, 0x09F8_304D, 0x0861_314E,
    0x0706_324F, 0x05CD_3330, 0x04DE_3432, 0x040F_3532, 0x0363_3633, 0x02D4_3734, 0x025C_3835,
    0x01F8_3936, 0x01A4_3A37, 0x0160_3B38, 0x0125_3C39, 0x00F6_3D3A, 0x00CB_3E3B, 0x00AB_3F3D,
    0x008F_203D, 0x5B12_41C1, 0x4D04_4250, 0x412C_4351, 0x37D8_4452, 0x2FE8_4553, 0x293C_4654,
    0x2379_4756, 0x1EDF_4857, 0x1AA9_4957, 0x174E_4A48, 0x1424_4B48, 0x119C_4C4A, 0x0F6B_4D4A,
    0x0D51_4E4B, 0x0BB6_4F4D, 0x0A40_304D, 0x5832_51D0, 0x4D1C_5258, 0x438E_5359, 0x3BDD_545A,
    0x34EE_555B, 0x2EAE_565C, 0x299A_575D, 0x2516_4756, 0x5570_59D8, 0x4CA9_5A5F, 0x44D9_5B60,
    0x3E22_5C61, 0x3824_5D63, 0x32B4_5E63, 0x2E17_565D, 0x56A8_60DF, 0x4F46_6165, 0x47E5_6266,
    0x41CF_6367, 0x3C3D_6468, 0x375E_5D63, 0x5231_6669, 0x4C0F_676A, 0x4639_686B, 0x415E_6367,
    0x5627_6AE9, 0x50E7_6B6C, 0x4B85_676D, 0x5597_6D6E, 0x504F_6B6F, 0x5A10_6FEE, 0x5522_6D70,
    0x59EB_6FF0, 0x5A1D_7171,
  ]
}
