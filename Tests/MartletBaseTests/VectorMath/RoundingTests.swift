import Testing

@testable import MartletBase

@Suite struct RoundingTests {
  static let values: [Float] = {
    var values: [Float] = [
      0, 0.5, 1, 1.5, 2.5, 0.49999997, 0x1p22 + 0.5, 0x1p22 + 1.5, 0x1p23, 3e9,
    ]
    values += [.infinity, .leastNonzeroMagnitude, 8_388_607.5]
    for i in 0..<4000 { values.append(Float(i) * 0.12345) }
    return values + values.map { -$0 }
  }()

  @Test func agreesWithTheStandardLibrary() {
    for x in Self.values {
      #expect(VectorMath.truncate(x) == x.rounded(.towardZero))
      #expect(VectorMath.round(x) == x.rounded(.toNearestOrAwayFromZero))
      #expect(VectorMath.roundToEven(x) == x.rounded(.toNearestOrEven))
      #expect(VectorMath.floor(x) == x.rounded(.down))
      #expect(VectorMath.ceil(x) == x.rounded(.up))
      let wide = Double(x) * 1.0000000001
      #expect(VectorMath.truncate(wide) == wide.rounded(.towardZero))
      #expect(VectorMath.round(wide) == wide.rounded(.toNearestOrAwayFromZero))
    }
  }

  @Test func keepsTheSignOfZero() {
    #expect(VectorMath.roundToEven(Float(-0.25)).sign == .minus)
    #expect(VectorMath.ceil(Float(-0.25)).sign == .minus)
    #expect(VectorMath.floor(Float(-0.0)).sign == .minus)
  }

  @Test func keepsNaN() {
    #expect(VectorMath.round(Float.nan).isNaN && VectorMath.floor(Float.nan).isNaN)
  }
}
