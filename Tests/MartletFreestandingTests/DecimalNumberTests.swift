import MartletFreestanding
import MartletTestSupport
import Testing

@Suite struct DecimalNumberTests {
  private func double(_ text: String) -> Double? { DecimalNumber<Double>(text.utf8)?.value }
  private func float(_ text: String) -> Float? { DecimalNumber<Float>(text.utf8)?.value }

  static let texts = [
    "0", "-0", "1", "-1.5", "3.14159", "0.1", "1e22", "1e23", "123456789012345678901234567890",
    "9007199254740993", "9007199254740993.00000000000000000000000000000000001", "5e-324", "2e-324",
    "3e-324",
    "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308",
    "1.7976931348623159e308", "1e400", "-1e400", "1e-400", "2.2250738585072011e-308",
    "2.2250738585072014e-308", "16777217", "16777219", "1.00000017881393432617187499",
    "1.00000017881393421514957253748434595763683319091796875001", "7.0064923216240853e-46",
    "7.0064923216240854e-46", "1.17549435e-38", "3.4028235677973366e38", "3.4028235e38", "0x1.8p3",
    "0x1p-1074", "0x1.fffffffffffffp1023", "0x1.00000000000008p0", "0x1.00000000000018p0", "0xFp0",
    ".5", "5.", "1e+5", "1E-5", "inf", "-INFINITY", "00000000000000000000001",
    "0.0000000000000000000001",
    "0e999999999", "1e-999999999", "0." + String(repeating: "0", count: 900) + "1e901",
  ]

  @Test(arguments: texts) func parsesToTheNearestNumber(_ text: String) throws {
    #expect(try #require(double(text)).bitPattern == #require(Double(text)).bitPattern)
    #expect(try #require(float(text)).bitPattern == #require(Float(text)).bitPattern)
  }

  @Test func usesAllDigitsToRound() {
    // Exactly between two numbers, and just above, because of a digit after a thousand others.
    let half = "9007199254740993." + String(repeating: "0", count: 1000)
    #expect(double(half) == 9_007_199_254_740_992)
    #expect(double(half + "1") == 9_007_199_254_740_994)
    #expect(double(String(repeating: "9", count: 309)) == .infinity)
    #expect(double("1" + String(repeating: "0", count: 900) + "e-900") == 1)
  }

  @Test func numbersOfAllBitPatternsRoundTrip() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<2000 {
      let single = Float(bitPattern: UInt32.random(in: 0..<0x7F80_0000, using: &random))
      #expect(float("\(single)") == single)
      let value = Double(bitPattern: UInt64.random(in: 0..<0x7FF0_0000_0000_0000, using: &random))
      #expect(double("\(value)") == value)
      #expect(double("-\(value)") == -value)
    }
  }

  @Test(arguments: [
    ("1.5abc", 3), ("1e", 1), ("1e+", 1), ("0x", 1), ("0xg", 1), ("nan", 3), ("1.2.3", 3),
    ("infinite", 3),
    ("12e5 ", 4), ("0x1p", 3),
  ])
  func stopsAfterTheNumber(_ text: String, _ length: Int) {
    #expect(DecimalNumber<Double>(text.utf8)?.length == length)
  }

  @Test(arguments: ["", " 1", "-", "+", ".", "e5", "abc", "-.e1", "in"])
  func rejectsTextThatIsNotANumber(_ text: String) { #expect(double(text) == nil) }
}
