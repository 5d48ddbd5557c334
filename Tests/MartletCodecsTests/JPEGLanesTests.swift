import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct JPEGLanesTests {
  private static func lanes(_ random: inout SplitMix64) -> JPEGLanes {
    JPEGLanes(
      (0..<8).map { _ in
        Bool.random(using: &random)
          ? Int16.random(in: .min ... .max, using: &random)
          : ([.min, .max, 0, -1] as [Int16])[Int.random(in: 0..<4, using: &random)]
      })
  }

  @Test func sumsProductsOfPairs() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let x = Self.lanes(&random)
      for (a, b) in [(1, 0), (-20995, 4177), (8192, -8192)] as [(Int16, Int16)] {
        let expected = SIMD4<Int32>(
          (0..<4).map {
            Int32(x[2 * $0]) * Int32(a) + Int32(x[2 * $0 + 1]) * Int32(b)
          })
        #expect(x.pairSums(a, b) == expected)
        #expect(x.pairSumsPlainly(a, b) == expected)
      }
    }
  }

  @Test func saturates() {
    let (low, high) = (
      SIMD4<Int32>(-40000, -32769, -32768, -1), SIMD4<Int32>(0, 32767, 32768, .max)
    )
    let expected = JPEGLanes(-32768, -32768, -32768, -1, 0, 32767, 32767, 32767)
    #expect(JPEGLanes(saturating: low, high) == expected)
    #expect(JPEGLanes(saturatingPlainly: low, high) == expected)
    let lanes = JPEGLanes(.min, -1, 0, 1, 128, 255, 256, .max)
    let bytes = SIMD16<UInt8>(
      lowHalf: SIMD8(0, 0, 0, 1, 128, 255, 255, 255), highHalf: SIMD8(repeating: 7))
    #expect(SIMD16<UInt8>(saturating: lanes, JPEGLanes(repeating: 7)) == bytes)
    #expect(SIMD16<UInt8>(saturatingPlainly: lanes, JPEGLanes(repeating: 7)) == bytes)
  }

  @Test func interleaves() {
    let (a, b) = (JPEGLanes(0, 1, 2, 3, 4, 5, 6, 7), JPEGLanes(10, 11, 12, 13, 14, 15, 16, 17))
    let lanes = JPEGLanes.interleave(a, b)
    #expect(lanes.low == JPEGLanes(0, 10, 1, 11, 2, 12, 3, 13))
    #expect(lanes.high == JPEGLanes(4, 14, 5, 15, 6, 16, 7, 17))
    let pairs = JPEGLanes.interleavePairs(a, b)
    #expect(pairs.low == JPEGLanes(0, 1, 10, 11, 2, 3, 12, 13))
    #expect(pairs.high == JPEGLanes(4, 5, 14, 15, 6, 7, 16, 17))
    let halves = JPEGLanes.interleaveHalves(a, b)
    #expect(halves.low == JPEGLanes(0, 1, 2, 3, 10, 11, 12, 13))
    #expect(halves.high == JPEGLanes(4, 5, 6, 7, 14, 15, 16, 17))
    let bytes = SIMD16<UInt8>.interleave(
      SIMD16((0..<16).map { UInt8($0) }), SIMD16(repeating: 255))
    #expect(bytes.low == JPEGLanes((0..<8).map { $0 - 256 }))
    #expect(bytes.high == JPEGLanes((8..<16).map { $0 - 256 }))
  }
}
