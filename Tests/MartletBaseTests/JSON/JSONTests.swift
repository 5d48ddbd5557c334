import Foundation
import MartletBase
import Testing

@Suite struct JSONTests {
  @Test(arguments: [
    (12.5, 2, "12.5"), (40, 2, "40"), (0.0078125, 2, "0.01"), (-0.25, 1, "-0.3"),
    (0.0004, 3, "0"), (1_234_567.891, 2, "1234567.89"), (0.05, 2, "0.05"), (-0.001, 2, "0"),
    (-2.5, 0, "-3"), (0.4, 0, "0"),
  ])
  func roundsNumbersToShortText(_ value: Double, _ places: Int, _ expected: String) {
    #expect("\(JSON.number(value, places: places))" == expected)
  }

  @Test func paddedDecimalsKeepTrailingZeros() {
    #expect(JSON.decimal(1, places: 2, isPadded: true) == "1.00")
    #expect(JSON.decimal(0.4, places: 2, isPadded: true) == "0.40")
  }

  @Test(arguments: [Double.nan, .infinity, 1e300])
  func writesNonfiniteNumbersAsNull(_ value: Double) {
    #expect("\(JSON.number(value, places: 3))" == "null")
  }

  @Test func foundationParsesWrittenStrings() throws {
    let text = "a\"b\\c\n\r\t\u{1}\u{1F} ü 🪶 /"
    let data = Data("\(JSON.array([.string(text)]))".utf8)
    #expect(try JSONDecoder().decode([String].self, from: data) == [text])
  }

  @Test func keepsTheOrderOfMembers() {
    let json = JSON.object([("b", .integer(1)), ("a", .array([.bool(true), .null]))])
    #expect("\(json)" == #"{"b":1,"a":[true,null]}"#)
  }
}
