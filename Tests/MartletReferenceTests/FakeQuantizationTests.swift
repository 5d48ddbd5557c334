import Testing

@testable import MartletReference

@Suite struct FakeQuantizationTests {
  /// Steps of a half from -1 to 0.5: the interval is shifted so that zero is a step.
  @Test(
    arguments: [
      (0, 0), (-9, -1), (9, 0.5), (0.2, 0), (0.25, 0.5), (-0.25, 0), (-0.26, -0.5),
      (.infinity, 0.5), (-.infinity, -1),
    ] as [(Float, Float)])
  func roundsToTheNearestStep(_ x: Float, _ expected: Float) {
    #expect(FakeQuantization(-0.9...0.6, bits: 2)(x) == expected)
  }

  @Test func intervalMayEndAtZero() {
    #expect(FakeQuantization(0...3, bits: 2)(1.4) == 1)
    #expect(FakeQuantization(-3...0, bits: 2)(-1.6) == -2)
    #expect(FakeQuantization(-3...0, bits: 2)(1) == 0)
  }
}
