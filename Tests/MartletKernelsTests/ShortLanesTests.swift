import MartletTestSupport
import Testing

@testable import MartletKernelsBase

/// The operations on 128-bit vectors. Wider vectors do the same in each 128-bit part.
@Suite struct ShortLanesTests {
  private let a = ShortLanes(0, 1, 2, 3, 4, 5, 6, 7)
  private let b = ShortLanes(10, 11, 12, 13, 14, 15, 16, 17)

  @Test func shortsAreInterleaved() {
    let (low, high) = interleaveShorts(a, b)
    #expect(low == [0, 10, 1, 11, 2, 12, 3, 13])
    #expect(high == [4, 14, 5, 15, 6, 16, 7, 17])
  }

  @Test func pairsAreInterleaved() {
    let (low, high) = interleavePairs(a, b)
    #expect(low == [0, 1, 10, 11, 2, 3, 12, 13])
    #expect(high == [4, 5, 14, 15, 6, 7, 16, 17])
  }

  @Test func foursAreInterleaved() {
    let (low, high) = interleaveFours(a, b)
    #expect(low == [0, 1, 2, 3, 10, 11, 12, 13])
    #expect(high == [4, 5, 6, 7, 14, 15, 16, 17])
  }

  @Test func bytesAreInterleaved() {
    let bytes = unsafeBitCast(SIMD16<UInt8>((0..<16).map { $0 }), to: ShortLanes.self)
    let (low, high) = interleaveBytes(bytes, ShortLanes(repeating: -1))
    #expect(low == ShortLanes((0..<8).map { $0 - 256 }))
    #expect(high == ShortLanes((8..<16).map { $0 - 256 }))
  }

  @Test func sumsSaturate() {
    let (low, high) = (Sums(-40000, -32769, -32768, -1), Sums(0, 32767, 32768, .max))
    let expected: ShortLanes = [-32768, -32768, -32768, -1, 0, 32767, 32767, 32767]
    #expect(saturatedShorts(low, high) == expected)
    #expect(plainSaturatedShorts(low, high) == expected)
  }

  @Test func shortsSaturate() {
    let low: ShortLanes = [.min, -1, 0, 1, 128, 255, 256, .max]
    let high = ShortLanes(repeating: 7)
    let expected = SIMD16<UInt8>(
      lowHalf: [0, 0, 0, 1, 128, 255, 255, 255], highHalf: SIMD8(repeating: 7))
    for bytes in [saturatedBytes(low, high), plainSaturatedBytes(low, high)] {
      #expect(unsafeBitCast(bytes, to: SIMD16<UInt8>.self) == expected)
    }
  }
}
