import Foundation
import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct SoftmaxTests {
  @Test func addsUpToOne() {
    let x: [Float] = [1e30, 1e30, -1e30, 1e30 - 1, 0, 1, 2, 3]
    let y = filled(8, with: Float.nan) { y in
      withBuffer(x) { Reference.softmax($0, depth: 4, beta: 1, into: y) }
    }
    let third = 1 / Float(3)
    #expect(Array(y[0..<4]) == [third, third, 0, third])
    for (i, value) in y[4...].enumerated() {
      let exact = exp(Double(i)) / 31.1928747
      let error = abs(Double(value) - exact)
      #expect(error < 1e-7)
    }
  }

  /// Fixed-point results are within a step of 1/256 of real numbers, for any row.
  @Test(arguments: [0.004, 0.05, 0.3, 2.0])
  func bytesAreNearTheRealFunction(_ scale: Double) {
    let depth = 37
    let x = (0..<depth * 20).map { Int8(truncatingIfNeeded: $0 * $0 * 7 + $0 * 13) }
    let y = filled(x.count, with: Int8.min) { y in
      withBuffer(x) {
        Reference.softmax($0, depth: depth, ByteSoftmax(steps: scale), into: y)
      }
    }
    for row in 0..<20 {
      let range = row * depth..<(row + 1) * depth
      let powers = x[range].map { exp(Double($0) * scale) }
      for (i, power) in zip(range, powers) {
        let exact = min(power / powers.reduce(0, +) * 256, 255)
        let error = abs(Double(Int(y[i]) + 128) - exact)
        #expect(error <= 1)
      }
    }
  }

  /// Scales so small that all bytes of a row are equivalent.
  @Test(arguments: [1e-9, 1e-30])
  func tinyStepsReturnEqualProbabilities(_ steps: Double) {
    let y = filled(4, with: Int8.max) { y in
      withBuffer([Int8(-128), 127, 0, 5]) {
        Reference.softmax($0, depth: 4, ByteSoftmax(steps: steps), into: y)
      }
    }
    #expect(y == [-64, -64, -64, -64])
  }

  @Test func probabilitiesBelowAStepAreZero() {
    let y = filled(6000, with: Int8.max) { y in
      withBuffer([Int8](repeating: 5, count: 6000)) {
        Reference.softmax($0, depth: 6000, ByteSoftmax(steps: 0.1), into: y)
      }
    }
    #expect(y.allSatisfy { $0 == -128 })
  }

  /// Two equal bytes have probability one half: 2¹⁵ steps of 2⁻¹⁶ above the smallest integer, or
  /// 2¹⁴ steps of 2⁻¹⁵ above zero.
  @Test(arguments: [(true, Int16(0)), (false, 1 << 14)])
  func convertsBytesToEitherShortRange(_ fillsShorts: Bool, _ half: Int16) {
    let y = filled(2, with: Int16.min) { y in
      withBuffer([Int8(-128), -128]) {
        Reference.softmax(
          $0, depth: 2, ByteSoftmax(steps: 0.07, fillsShorts: fillsShorts), into: y)
      }
    }
    #expect(y == [half, half])
  }

  @Test(arguments: [1e-4, 1e-3])
  func shortsAreNearTheRealFunction(_ scale: Double) {
    let depth = 11
    let x = (0..<depth * 10).map { Int16(truncatingIfNeeded: $0 * $0 * 977 + $0 * 31) }
    let y = filled(x.count, with: Int16.min) { y in
      withBuffer(x) {
        Reference.softmax($0, depth: depth, ShortSoftmax(steps: scale), into: y)
      }
    }
    for row in 0..<10 {
      let range = row * depth..<(row + 1) * depth
      let powers = x[range].map { exp(Double($0) * scale) }
      for (i, power) in zip(range, powers) {
        let exact = power / powers.reduce(0, +) * 32768
        let error = abs(Double(y[i]) - exact)
        // A thousandth: the table's error at the largest element plus the reciprocal's.
        #expect(error < 32)
      }
    }
  }
}
