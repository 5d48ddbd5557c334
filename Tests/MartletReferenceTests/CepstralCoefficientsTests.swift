import Foundation
import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct CepstralCoefficientsTests {
  private func coefficients(
    _ x: [Float], _ lowest: Double, _ highest: Double, rate: Double, bands: Int, count: Int
  ) -> [Float] {
    let coefficients = CepstralCoefficients(
      CepstralCoefficients.Frequencies(lowest: lowest, highest: highest, sampleRate: rate),
      length: x.count, bands: bands, count: count)
    return filled(count, with: Float.nan) { y in
      withBuffer(x) { x in
        withBuffer([Double](repeating: .nan, count: coefficients.scratchCount)) {
          coefficients(x, sums: $0, into: y)
        }
      }
    }
  }

  // Expected values: LiteRT 2.3.0.
  @Test func equalsLiteRTOnARisingSpectrum() {
    let powers = [Float](repeating: 0, count: 513).indices.map { Float($0 + 1) }
    let found = coefficients(powers, 20, 4000, rate: 22050, bands: 40, count: 13)
    let expected: [Float] = [
      29.13970072, -6.41568601, -0.61903012, -0.96778652, -0.26819878, -0.40907028, -0.15614748,
      -0.23203119, -0.10481487, -0.1543029, -0.0769791, -0.10806114, -0.06047613,
    ]
    for (a, b) in zip(found, expected) { #expect(abs(a - b) < 1e-4) }
  }

  @Test func silenceHasTheLogarithmOfTheFloor() {
    let found = coefficients(
      [Float](repeating: 0, count: 65), 20, 4000, rate: 8000, bands: 10, count: 2)
    // The first coefficient is √(2 / bands) times the sum of the bands, the second one is 0.
    #expect(abs(Double(found[0]) - (0.2 as Double).squareRoot() * 10 * log(1e-12)) < 1e-4)
    #expect(abs(found[1]) < 1e-4)
  }

  @Test func coefficientsAreZeroIfTheUpperFrequencyIsBeyondTheSpectrum() {
    let ones = [Float](repeating: 1, count: 65)
    #expect(coefficients(ones, 20, 4100, rate: 8000, bands: 10, count: 3) == [0, 0, 0])
    #expect(coefficients(ones, 20, 9e18, rate: 1, bands: 10, count: 3) == [0, 0, 0])
    #expect(coefficients(ones, 20, 4000, rate: 8000, bands: 10, count: 3) != [0, 0, 0])
  }

  @Test func boundsBeyondTheSpectrumDoNotTrap() {
    let ones = [Float](repeating: 1, count: 5)
    #expect(coefficients(ones, 9e17, 9e18, rate: 1, bands: 2, count: 2) == [0, 0])
    // The lower frequency lies above the last bin below the upper one: no bin counts.
    let empty = coefficients(ones, 3900, 3901, rate: 8000, bands: 2, count: 1)
    #expect(abs(Double(empty[0]) - 2 * log(1e-12)) < 1e-4)
  }

  @Test func negativePowersAreNaN() {
    let found = coefficients([1, -1, 1, 1, 1], 20, 4000, rate: 8000, bands: 2, count: 1)
    #expect(found[0].isNaN)
  }
}
