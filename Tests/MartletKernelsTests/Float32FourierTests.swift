import MartletKernels
import MartletMicrokernels
import MartletTestSupport
import Testing

@Suite struct Float32FourierTests {
  /// The transform of signals with an instruction set, and its inverse.
  private func transformed(
    _ signals: [Float], length: Int, isInverse: Bool, by kernels: Microkernels
  ) -> [UInt32] {
    // Any factors work here; the transform's owner provides cosines and sines.
    var random = SplitMix64(seed: 2)
    var (cosines, sines) = (random.floats(length / 2), random.floats(length / 2))
    var (real, imaginary) = (signals, Array(signals.reversed()))
    buffer(&real) { real in
      buffer(&imaginary) { imaginary in
        buffer(&cosines) { cosines in
          buffer(&sines) { sines in
            guard let real = real.baseAddress, let imaginary = imaginary.baseAddress,
              let cosines = cosines.baseAddress, let sines = sines.baseAddress
            else { return }
            kernels.float32Fourier(
              Float32Fourier(
                real: real, imaginary: imaginary, length: length,
                signals: signals.count / length, cosines: cosines, sines: sines,
                isInverse: isInverse))
          }
        }
      }
    }
    return (real + imaginary).map(\.bitPattern)
  }

  @Test(arguments: [4, 8, 16, 32, 64], [4, 8, 12, 16, 32])
  func allInstructionSetsHaveSameBits(length: Int, signals: Int) {
    var random = SplitMix64(seed: 1)
    var numbers = random.floats(length * signals)
    numbers.replaceSubrange(..<4, with: [0, -0.0, 1, -1])
    for isInverse in [false, true] {
      let all = Microkernels.available.map {
        transformed(numbers, length: length, isInverse: isInverse, by: $0)
      }
      #expect(all.allSatisfy { $0 == all[0] })
    }
  }
}
