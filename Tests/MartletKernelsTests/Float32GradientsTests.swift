import Foundation
import MartletKernels
import MartletMicrokernels
import MartletTestSupport
import Testing

@Suite struct Float32GradientsTests {
  private struct Gradients: Equatable {
    var directions: [Int32] = []
    var shares: [UInt32] = []
    var nextShares: [UInt32] = []

    /// The direction and length of a gradient with these components.
    func polar(_ index: Int) -> (direction: Double, length: Double) {
      let (share, next) = (
        Double(Float(bitPattern: shares[index])), Double(Float(bitPattern: nextShares[index]))
      )
      let length = share + next
      return (Double(directions[index]) + (length > 0 ? next / length : 0), length)
    }
  }

  private func gradients(
    _ samples: [SIMD4<Float>], stride: Int, count: Int, by kernels: Microkernels
  ) -> Gradients {
    let capacity = count + 15
    var samples = samples + [SIMD4<Float>](repeating: .zero, count: 15)
    var directions = [Int32](repeating: -1, count: capacity)
    var shares = [Float](repeating: -1, count: capacity)
    var nextShares = shares
    buffer(&samples) { samples in
      buffer(&directions) { directions in
        buffer(&shares) { shares in
          buffer(&nextShares) { nextShares in
            guard let samples = samples.baseAddress, let directions = directions.baseAddress,
              let shares = shares.baseAddress, let nextShares = nextShares.baseAddress
            else { return }
            kernels.float32Gradients(
              Float32Gradients(
                samples: UnsafeRawPointer(samples + stride + 1).assumingMemoryBound(
                  to: Float.self),
                stride: stride, count: count, directions: directions, shares: shares,
                nextShares: nextShares))
          }
        }
      }
    }
    return Gradients(
      directions: Array(directions.prefix(count)), shares: shares.prefix(count).map(\.bitPattern),
      nextShares: nextShares.prefix(count).map(\.bitPattern))
  }

  /// The same, one sample at a time.
  private func expected(_ samples: [SIMD4<Float>], stride: Int, count: Int) -> Gradients {
    var result = Gradients()
    for index in 0..<count {
      let place = stride + 1 + index
      let dx = samples[place + 1] - samples[place - 1]
      let dy = samples[place + stride] - samples[place - stride]
      let squares = dx * dx + dy * dy
      var channel = squares[0] < squares[1] ? 1 : 0
      if squares[channel] < squares[2] { channel = 2 }
      let length = squares[channel].squareRoot()
      let direction = eighteenths(dx[channel], dy[channel])
      let shifted = direction - 0.5 + 12_582_912
      let share = direction - (shifted - 12_582_912)
      result.directions.append(Int32(bitPattern: shifted.bitPattern) & 31)
      result.shares.append((length * (1 - share)).bitPattern)
      result.nextShares.append((length * share).bitPattern)
    }
    return result
  }

  private func eighteenths(_ x: Float, _ y: Float) -> Float {
    let isSteep = x.magnitude < y.magnitude
    let slope = min(x.magnitude, y.magnitude) / (max(x.magnitude, y.magnitude) + 1e-30)
    let square = slope * slope
    var angle = square * 0.0208351 - 0.0851330
    angle = angle * square + 0.1801410
    angle = angle * square - 0.3302995
    angle = (angle * square + 0.9998660) * slope * 2.864789
    if isSteep { angle = 4.5 - angle }
    if x.sign == .minus { angle = 9 - angle }
    if y.sign == .minus { angle = 18 - angle }
    return angle < 18 ? angle : 0
  }

  /// One sample with a gradient in red.
  private func gradient(_ x: Float, _ y: Float, by kernels: Microkernels) -> Gradients {
    var samples = [SIMD4<Float>](repeating: .zero, count: 9)
    samples[5][0] = x
    samples[7][0] = y
    return gradients(samples, stride: 3, count: 1, by: kernels)
  }

  @Test(arguments: [1, 3, 4, 7, 8, 9, 16, 17, 33])
  func allInstructionSetsHaveSameBits(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let stride = count + 2
    for levels in [255, 2] as [Float] {
      let samples = (0..<3 * stride).map { _ in
        SIMD4((0..<4).map { _ in (Float(random.next() >> 40) / 16_777_216 * levels).rounded() })
      }
      let expected = expected(samples, stride: stride, count: count)
      for kernels in Microkernels.available {
        #expect(gradients(samples, stride: stride, count: count, by: kernels) == expected)
      }
    }
  }

  @Test func directionIsTheArcTangent() {
    for step in 0..<720 {
      let angle = Double(step) * .pi / 360 + 0.0007
      for kernels in Microkernels.available {
        let found = gradient(Float(3 * cos(angle)), Float(3 * sin(angle)), by: kernels).polar(0)
        #expect((found.direction - angle * 9 / .pi).magnitude < 0.001)
        #expect((found.length - 3).magnitude < 0.001)
      }
    }
  }

  @Test(arguments: [
    (1, 0, 0), (0, 2, 4.5), (-3, 0, 9), (0, -1, 13.5), (5, 5, 2.25), (0, 0, 0),
  ])
  func axesAndDiagonalsAreExact(x: Float, y: Float, expected: Double) {
    for kernels in Microkernels.available {
      #expect((gradient(x, y, by: kernels).polar(0).direction - expected).magnitude < 0.001)
    }
  }

  @Test func directionIsBelowFullTurn() {
    for (x, y) in [(1, -1e-30), (.leastNonzeroMagnitude, -.leastNonzeroMagnitude)]
      as [(Float, Float)]
    {
      for kernels in Microkernels.available {
        #expect(gradient(x, y, by: kernels).directions[0] < 18)
      }
    }
  }

  @Test func steepestChannelDecides() {
    // Two rows of three samples with red, green and blue gradients to the right and down.
    for (right, below, length, direction) in [
      (SIMD4(3, 0, -5, 0), SIMD4(4, 2, 0, 0), 5, 0), (SIMD4(0, 1, 1, 0), SIMD4(6, 0, 1, 0), 6, 4.5),
      (SIMD4(-1, 3, 2, 0), SIMD4(0, 0, 1, 0), 3, 0), (SIMD4(0, 4, 0, 0), SIMD4(4, 0, 4, 0), 4, 4.5),
    ] as [(SIMD4<Float>, SIMD4<Float>, Double, Double)] {
      var samples = [SIMD4<Float>](repeating: .zero, count: 9)
      samples[5] = right
      samples[7] = below
      for kernels in Microkernels.available {
        let found = gradients(samples, stride: 3, count: 1, by: kernels).polar(0)
        #expect((found.length - length).magnitude < 0.001)
        if length != 5 { #expect((found.direction - direction).magnitude < 0.001) }
      }
    }
  }
}
