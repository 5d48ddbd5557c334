//===--- VP8BlockPrediction.swift - prediction of luma blocks -------------===//
//
// Prediction of 4 x 4 samples from the neighbors, named as in the table (RFC 6386, section 12.3).
// Eight neighbors are in the bytes of a 64-bit number, and so are their means.
//
//   X A B C D E F G H
//   I
//   J
//   K
//   L
//===----------------------------------------------------------------------===//

/// Predicts a block at `samples`, whose rows are `VP8Reconstructor.stride` apart.
@safe struct VP8BlockPrediction {
  let samples: UnsafeMutablePointer<UInt8>

  private static let stride = VP8Reconstructor.stride

  /// Predicts all samples.
  func predict(_ mode: UInt8) {
    switch mode {
    case VP8Mode.trueMotion: predictMotion()
    case VP8Mode.vertical:
      let means = mean3(above &<< 8 | corner, above, above &>> 8)
      for y in 0..<4 { store(means, y) }
    case VP8Mode.horizontal:
      // L, K, J, I, X
      let means = mean3(edge, edge &>> 8, edge &>> 16)
      let last = mean3(edge &<< 8 | edge & 0xFF, edge, edge &>> 8)
      storeRepeated(means &>> 16, 0)
      storeRepeated(means &>> 8, 1)
      storeRepeated(means, 2)
      storeRepeated(last, 3)
    case VP8Mode.downRight: storeSlope(mean3(edge, edgeFromK, edgeFromJ))
    case VP8Mode.verticalRight: predictVerticalRight()
    case VP8Mode.downLeft:
      let next = above &>> 8 | (above & 0xFF00_0000_0000_0000)
      let means = mean3(above, next, above &>> 16 | (above &>> 56) &<< 48)
      for y in 0..<4 { store(means &>> (8 &* UInt64(y)), y) }
    case VP8Mode.verticalLeft: predictVerticalLeft()
    case VP8Mode.horizontalDown: predictHorizontalDown()
    case VP8Mode.horizontalUp: predictHorizontalUp()
    default: predictMean()
    }
  }

  /// A to H.
  @inline(__always) private var above: UInt64 {
    unsafe UInt64(
      littleEndian: UnsafeRawPointer(samples - Self.stride).loadUnaligned(as: UInt64.self))
  }

  /// X.
  @inline(__always) private var corner: UInt64 { unsafe UInt64(samples[-1 &- Self.stride]) }

  /// I, J, K or L.
  @inline(__always) private func left(_ y: Int) -> UInt64 {
    unsafe UInt64(samples[y &* Self.stride &- 1])
  }

  /// L, K, J, I, X, A, B, C.
  @inline(__always) private var edge: UInt64 {
    left(3) | left(2) &<< 8 | left(1) &<< 16 | left(0) &<< 24 | corner &<< 32 | above &<< 40
  }

  /// K, J, I, X, A, B, C, D.
  @inline(__always) private var edgeFromK: UInt64 {
    left(2) | left(1) &<< 8 | left(0) &<< 16 | corner &<< 24 | above &<< 32
  }

  /// J, I, X, A, B, C, D, E.
  @inline(__always) private var edgeFromJ: UInt64 {
    left(1) | left(0) &<< 8 | corner &<< 16 | above &<< 24
  }

  @inline(__always) private func store(_ row: UInt64, _ y: Int) {
    unsafe UnsafeMutableRawPointer(samples + y &* Self.stride).storeBytes(
      of: UInt32(truncatingIfNeeded: row).littleEndian, as: UInt32.self)
  }

  /// Stores a row of the lowest byte.
  @inline(__always) private func storeRepeated(_ value: UInt64, _ y: Int) {
    store((value & 0xFF) &* 0x0101_0101, y)
  }

  /// Stores rows that move one sample to the right from each row to the next.
  @inline(__always) private func storeSlope(_ means: UInt64) {
    for y in 0..<4 { store(means &>> (24 &- 8 &* UInt64(y)), y) }
  }

  /// The mean of each byte, rounded up.
  @inline(__always) private func mean2(_ a: UInt64, _ b: UInt64) -> UInt64 {
    (a | b) &- ((a ^ b) & 0xFEFE_FEFE_FEFE_FEFE) &>> 1
  }

  /// `(a + 2 b + c + 2) / 4` for each byte.
  @inline(__always) private func mean3(_ a: UInt64, _ b: UInt64, _ c: UInt64) -> UInt64 {
    let outer = (a & c) &+ ((a ^ c) & 0xFEFE_FEFE_FEFE_FEFE) &>> 1
    return mean2(outer, b)
  }

  private func predictMean() {
    var sum: UInt64 = 4
    let above = above
    for index in 0..<4 { sum &+= left(index) &+ (above &>> (8 &* UInt64(index)) & 0xFF) }
    for y in 0..<4 { storeRepeated(sum &>> 3, y) }
  }

  private func predictMotion() {
    let row = unsafe UnsafeRawPointer(samples - Self.stride).loadUnaligned(as: SIMD4<UInt8>.self)
    let corner = Int16(truncatingIfNeeded: corner)
    let above = SIMD4<Int16>(truncatingIfNeeded: row)
    func sums(_ y: Int) -> SIMD4<Int16> {
      above &+ SIMD4(repeating: Int16(truncatingIfNeeded: left(y)) &- corner)
    }
    let block = SIMD16(
      lowHalf: SIMD8(lowHalf: sums(0), highHalf: sums(1)),
      highHalf: SIMD8(lowHalf: sums(2), highHalf: sums(3)))
    unsafe VP8Block.store(block.limitedToBytes, to: samples, stride: Self.stride)
  }

  private func predictVerticalRight() {
    // From (L, K, J) to (B, C, D).
    let means = mean3(edge, edgeFromK, edgeFromJ)
    let pairs = mean2(above &<< 8 | corner, above)
    store(pairs, 0)
    store(means &>> 24, 1)
    store(pairs &<< 8 | (means &>> 16) & 0xFF, 2)
    store((means &>> 24) &<< 8 | (means &>> 8) & 0xFF, 3)
  }

  private func predictVerticalLeft() {
    let means = mean3(above, above &>> 8, above &>> 16)
    let pairs = mean2(above, above &>> 8)
    store(pairs, 0)
    store(means, 1)
    store((pairs &>> 8) & 0xFF_FFFF | (means &>> 32) &<< 24, 2)
    store((means &>> 8) & 0xFF_FFFF | (means &>> 40) &<< 24, 3)
  }

  private func predictHorizontalDown() {
    let means = mean3(edge, edgeFromK, edgeFromJ)
    let pairs = mean2(edge, edgeFromK)
    // Pairs and triples in turn: (L, K), (L, K, J), (K, J) and so on.
    func both(_ index: UInt64) -> UInt64 {
      (pairs &>> (8 &* index)) & 0xFF | ((means &>> (8 &* index)) & 0xFF) &<< 8
    }
    store(both(0) | both(1) &<< 16, 3)
    store(both(1) | both(2) &<< 16, 2)
    store(both(2) | both(3) &<< 16, 1)
    store(both(3) | (means &>> 32) &<< 16, 0)
  }

  private func predictHorizontalUp() {
    let (i, j, k, l) = (left(0), left(1), left(2), left(3))
    let column = i | j &<< 8 | k &<< 16 | l &<< 24 | l &<< 32 | l &<< 40
    let pairs = mean2(column, column &>> 8)
    let means = mean3(column, column &>> 8, column &>> 16)
    func both(_ index: UInt64) -> UInt64 {
      (pairs &>> (8 &* index)) & 0xFF | ((means &>> (8 &* index)) & 0xFF) &<< 8
    }
    store(both(0) | both(1) &<< 16, 0)
    store(both(1) | both(2) &<< 16, 1)
    store(both(2) | l &<< 16 | l &<< 24, 2)
    storeRepeated(l, 3)
  }
}
