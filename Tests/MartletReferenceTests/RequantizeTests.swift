import MartletTestSupport
import Testing

@testable import MartletBase

@testable import MartletReference

@Suite struct RequantizeTests {
  @Test func roundsTiesAwayFromZeroAndClamps() {
    let layout = ScaleLayout(Quantization(scale: 0.5, zeroPoint: 1), of: Shape(9))
    let y = filled(9, with: Int8(99)) { y in
      withBuffer([0.25, -0.25, 0.74, 1e30, -1e30, .infinity, -.infinity, .nan, 0]) {
        Reference.quantize($0, layout, into: y)
      }
    }
    #expect(y == [2, 0, 2, 127, -128, 127, -128, -128, 1])
  }

  @Test func slicesHaveTheirOwnScales() {
    let map = Quantization(scales: [1, 10], zeroPoints: [0, 5], axis: 1)
    let layout = ScaleLayout(map, of: Shape(2, 2, 2))
    let y = filled(8, with: Float.nan) { y in
      withBuffer([Int8(1), 2, 3, 4, 5, 6, 7, 8]) { Reference.dequantize($0, layout, into: y) }
    }
    #expect(y == [1, 2, -20, -10, 5, 6, 20, 30])
  }

  @Test func convertsBetweenScales() {
    let requantizer = Requantizer(
      multipliers: [FixedPointMultiplier(0.5)], zeroPoint: 100, range: 0...255)
    let y = filled(4, with: UInt8.max) { y in
      withBuffer([Int8(-128), 0, 4, 127]) {
        Reference.requantize($0, offset: 4, requantizer, into: y)
      }
    }
    #expect(y == [38, 102, 104, 166])
  }

  #if !(os(macOS) && arch(x86_64))
    @Test func readsEveryHalf() {
      for bits in UInt16.min...UInt16.max {
        let exact = Float(Float16(bitPattern: bits))
        let found = Float(halfBits: bits)
        let isSame = found.bitPattern == exact.bitPattern
        #expect(isSame || (found.isNaN && exact.isNaN))
      }
    }
  #endif
}
