//===--- SingleRoundingTests.swift ----------------------------------------===//

import Testing

@testable import MartletCompiler

@Suite struct SingleRoundingTests {
  /// Every sum that gives a byte, against the product in double precision.
  @Test(arguments: [0.001234, 0.0078125, 0.00390625, 0.0371, 0x1p-12, 0.125, 0.1379, 0.2499])
  func agreesWithDoublePrecision(_ factor: Double) throws {
    let scaling = try #require(SingleRounding(factor, results: -129...257))
    let limit = Int(258 / factor)
    for sum in -limit...limit {
      let product = Int64(sum) * Int64(scaling.multiplier)
      let half: Int64 = 1 << Int64(scaling.shift - 1)
      let found = (product + half - (sum < 0 ? 1 : 0)) >> Int64(scaling.shift)
      guard found == Int64((Double(sum) * factor).rounded()) else {
        Issue.record("sum \(sum): \(found)")
        return
      }
    }
  }

  @Test(arguments: [0.5, 1, 0x1p-40, .infinity, .nan])
  func refusesFactorsOutOfRange(_ factor: Double) {
    #expect(SingleRounding(factor, results: 0...255) == nil)
  }
}
