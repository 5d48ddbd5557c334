import MartletInference
import Testing

@testable import MartletTool

@Suite struct ComparisonTests {
  func bytes(_ values: [Float]) -> [UInt8] { values.withUnsafeBytes { [UInt8]($0) } }

  @Test func reportsFirstElementBeyondTolerance() {
    let comparison = Comparison(
      output: 1, found: bytes([1, 2, 3, 5]), expected: bytes([1, 2.25, 4, 4]), type: .float32,
      tolerance: 0.5)
    #expect(comparison.mismatch == Mismatch(output: 1, element: 2, found: 3, expected: 4))
    #expect(comparison.largest == 1)
  }

  @Test(
    arguments: [
      ([Float.nan], [Float.nan], true), ([.nan], [0], false), ([0], [.nan], false),
      ([.infinity], [.infinity], true), ([.infinity], [-.infinity], false),
    ] as [([Float], [Float], Bool)])
  func specialValuesEqualOnlyThemselves(_ found: [Float], _ expected: [Float], _ equal: Bool) {
    let comparison = Comparison(
      output: 0, found: bytes(found), expected: bytes(expected), type: .float32, tolerance: 1)
    #expect((comparison.mismatch == nil) == equal)
  }

  @Test func comparesIntegersAsSignedOrUnsigned() {
    func compare(_ type: ElementType) -> Comparison {
      Comparison(output: 0, found: [255], expected: [0], type: type, tolerance: 1)
    }
    #expect(compare(.int8).mismatch == nil)
    #expect(compare(.uint8).mismatch != nil)
  }

  /// 1 and 2.5 in both formats of 16 bits.
  @Test(arguments: [
    (ElementType.float16, [0x00, 0x3C], [0x00, 0x41]),
    (.bfloat16, [0x80, 0x3F], [0x20, 0x40]),
  ])
  func comparesShortFloatsByValue(_ type: ElementType, _ found: [UInt8], _ expected: [UInt8]) {
    let comparison = Comparison(
      output: 0, found: found, expected: expected, type: type, tolerance: 1)
    #expect(comparison.mismatch == Mismatch(output: 0, element: 0, found: 1, expected: 2.5))
    #expect(comparison.largest == 1.5)
  }

  @Test func strideSkipsElements() {
    let comparison = Comparison(
      output: 0, found: [1, 9, 9, 2, 9, 9, 3], expected: [1, 2, 4], type: .uint8, tolerance: 0,
      stride: 3)
    #expect(comparison.mismatch == Mismatch(output: 0, element: 6, found: 3, expected: 4))
  }

  @Test func differentElementCountIsAMismatch() {
    let comparison = Comparison(
      output: 0, found: [1], expected: [1, 2], type: .uint8, tolerance: 9)
    #expect(comparison.mismatch != nil)
  }
}
