import Testing

@testable import MartletKernels

@Suite struct WinogradTransformTests {
  @Test func transformedExtremesFit16Bits() {
    expectFit(AdjacentWindows.self)
    expectFit(AlternateWindows.self)
  }

  /// The coefficients of an axis apply twice.
  private func expectFit<Transform: WinogradTransform>(_: Transform.Type) {
    var pixels = [Int](repeating: 0, count: Transform.terms)
    for pixel in 0..<Transform.terms {
      Transform.transform(pixels: { $0 == pixel ? .one : .zero }) {
        pixels[$0] += Int($1[0].magnitude)
      }
    }
    var weights = [Int](repeating: 0, count: Transform.terms)
    for tap in 0..<3 {
      Transform.transform(weights: { $0 == tap ? .one : .zero }) {
        weights[$0] += Int($1[0].magnitude)
      }
    }
    let (pixel, weight) = (pixels.max() ?? 0, weights.max() ?? 0)
    #expect(pixel * pixel * 255 <= Int16.max)
    #expect(weight * weight * 255 <= Int16.max)
    // A pair of products must fit in 32 bits.
    #expect(2 * (pixel * pixel * 255) * (weight * weight * 255) <= Int32.max)
  }
}
