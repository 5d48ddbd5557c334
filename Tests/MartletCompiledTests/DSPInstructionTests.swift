//===--- DSPInstructionTests.swift ----------------------------------------===//

import Testing

@testable import MartletCompiled

/// Values worked out by hand from the Arm Architecture Reference Manual.
@Suite struct DSPInstructionTests {
  @Test func addsTheProductsOfBothHalves() {
    // 3 · -2 + (-4) · 5 + 100
    #expect(multiplyAddPairs(0xFFFC_0003, 0x0005_FFFE, 100) == 74)
  }

  @Test func unpacksBytes() {
    #expect(signedEvenBytes(0x80FF_7F01) == 0xFFFF_0001)
    #expect(signedOddBytes(0x80FF_7F01) == 0xFF80_007F)
    #expect(evenBytes(0x80FF_7F01) == 0x00FF_0001)
    #expect(oddBytes(0x80FF_7F01) == 0x0080_007F)
  }

  @Test func combinesHalves() {
    #expect(lowerHalves(0x1111_2222, 0x3333_4444) == 0x4444_2222)
    #expect(upperHalves(0x1111_2222, 0x3333_4444) == 0x3333_1111)
  }

  @Test(arguments: [(1 << 30, 2, 1), (-1 << 30, 2, 0), (-3 << 29, 4, -1), (1 << 29, 4, 1)])
  func roundsHighProductsUpward(_ a: Int, _ b: Int, _ expected: Int32) {
    // Half of 2³² is rounded up: 2³¹ / 2³² to 1, -2³¹ / 2³² to 0.
    guard let a = Int32(exactly: a), let b = Int32(exactly: b) else { return }
    #expect(roundedHighProduct(a, b) == expected)
  }
}
