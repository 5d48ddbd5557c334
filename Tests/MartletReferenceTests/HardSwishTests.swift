import MartletTestSupport
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct HardSwishTests {
  static func exact(_ x: Double) -> Double { x * min(6, max(0, x + 3)) / 6 }

  @Test func followsTheFormula() {
    let x: [Float] = [-4, -3, -1.5, 0, 1, 3, 5]
    let y = filled(7, with: Float.nan) { y in withBuffer(x) { Reference.hardSwish($0, into: y) } }
    for (x, y) in zip(x, y) { #expect(abs(Double(y) - Self.exact(Double(x))) < 1e-6) }
  }

  /// Within two steps of the exact function, for either direction of the factor's shift.
  @Test(arguments: [(0.01, 0.01), (0.05, 0.03), (0.4, 0.35), (2.0, 2.0)] as [(Float, Float)])
  func bytesAreNearTheFormula(_ input: Float, _ output: Float) throws {
    let map = Quantization(scale: input, zeroPoint: -3)
    let result = Quantization(scale: output, zeroPoint: -100)
    let hardSwish = try #require(ByteHardSwish(input: map, output: result))
    for x in Int32(-128)...127 {
      let real = Self.exact(Double(input) * Double(x + 3)) / Double(output) - 100
      let found = Double(min(max(hardSwish(x), -128), 127))
      #expect(abs(found - min(max(real, -128), 127)) <= 2, "\(x)")
    }
  }

  @Test func refusesOutputsMuchFinerThanInputs() {
    #expect(
      ByteHardSwish(
        input: Quantization(scale: 1, zeroPoint: 0),
        output: Quantization(scale: 1 / 512, zeroPoint: 0)) == nil)
  }
}
