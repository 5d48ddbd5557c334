//===--- RequantizationTests.swift ----------------------------------------===//

import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCompiled

/// The compiled kernels' arithmetic against that of the interpreter.
@Suite struct RequantizationTests {
  private var pairs: [(Int32, Int32)] {
    var random = SplitMix64(seed: 7)
    let edges: [Int32] = [.min, .min + 1, -1, 0, 1, 1 << 30, .max - 1, .max]
    let drawn = (0..<2000).map { _ in
      (
        Int32(truncatingIfNeeded: random.next()) >> Int32(random.next() % 32),
        Int32(truncatingIfNeeded: random.next())
      )
    }
    return edges.flatMap { a in edges.map { (a, $0) } } + drawn
  }

  @Test func highProductsEqualThoseOfTheInterpreter() {
    for (a, b) in pairs where !(a == .min && b == .min) {
      #expect(doublingHighProduct(a, b) == saturatingRoundingDoublingHighMultiply(a, b))
    }
  }

  @Test func shiftsEqualThoseOfTheInterpreter() {
    for (a, b) in pairs where a.magnitude < 1 << 30 {
      let shift = max(b & 31, 1)
      #expect(
        MartletCompiled.roundingShiftRight(a, by: shift)
          == MartletBase.roundingShiftRight(a, by: shift))
    }
  }

  @Test(arguments: [-3, -1, 0, 1, 2, 13, 31] as [Int32])
  func scaledSumsEqualThoseOfTheInterpreter(_ shift: Int32) {
    for (sum, b) in pairs where sum.magnitude < 1 << 24 {
      let mantissa = b & 0x3FFF_FFFF | 1 << 30
      let expected = FixedPointMultiplier(mantissa: mantissa, shift: 0 - shift)(sum)
      #expect(scaled(sum, by: mantissa, shift: shift) == expected)
    }
  }
}
