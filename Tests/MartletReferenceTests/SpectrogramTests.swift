import Foundation
import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct SpectrogramTests {
  private func spectrum(
    _ x: [Float], _ spectrogram: Spectrogram, frame: Int, channel: Int = 0, of channels: Int = 1
  ) -> [Float] {
    filled(spectrogram.bins, with: Float.nan) { y in
      withBuffer(x) { x in
        withBuffer([Double](repeating: .nan, count: spectrogram.scratchCount)) { line in
          spectrogram(x, frame: frame, channel: channel, of: channels, line: line, into: y)
        }
      }
    }
  }

  @Test(arguments: [(2, 1), (3, 2), (5, 3), (16, 7), (100, 30)])
  func equalsTheSumOfTheDefinition(_ length: Int, _ step: Int) {
    var random = SplitMix64(seed: 3)
    let x = (0..<6 * step + 2 * length).map { _ in Float(Int(random.next() % 2001) - 1000) / 500 }
    let powers = Spectrogram(length: length, step: step, isSquared: true)
    let magnitudes = Spectrogram(length: length, step: step, isSquared: false)
    let n = Spectrogram.transformExtent(length)
    #expect(n >= length && n < 2 * length && powers.bins == n / 2 + 1)
    for (frame, channel) in [(0, 0), (1, 1), (2, 0)] {
      let found = spectrum(x, powers, frame: frame, channel: channel, of: 2)
      let roots = spectrum(x, magnitudes, frame: frame, channel: channel, of: 2)
      for bin in 0..<powers.bins {
        var (real, imaginary) = (0.0, 0.0)
        for t in 0..<length {
          let hann = 0.5 - 0.5 * cos(2 * .pi * Double(t) / Double(length))
          let sample = hann * Double(x[2 * (frame * step + t) + channel])
          real += sample * cos(2 * .pi * Double(bin * t) / Double(n))
          imaginary -= sample * sin(2 * .pi * Double(bin * t) / Double(n))
        }
        let power = real * real + imaginary * imaginary
        #expect(abs(Double(found[bin]) - power) < 1e-5 * max(power, 1))
        #expect(roots[bin] == found[bin].squareRoot())
      }
    }
  }

  @Test func countsWholeFrames() {
    let spectrogram = Spectrogram(length: 10, step: 4, isSquared: true)
    #expect([9, 10, 13, 14, 17, 18].map { spectrogram.frames(of: $0) } == [0, 1, 1, 2, 2, 3])
  }
}
