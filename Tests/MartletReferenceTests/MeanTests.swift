import MartletTestSupport
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct MeanTests {
  /// 1 2 3 4 | 5 6 7 8 with two elements along each axis.
  @Test(
    arguments: [
      ([0], [3, 4, 5, 6]), ([1], [2, 3, 6, 7]), ([2], [1.5, 3.5, 5.5, 7.5]),
      ([0, 1, 2], [4.5]), ([], [1, 2, 3, 4, 5, 6, 7, 8]),
    ] as [(Set<Int>, [Float])])
  func meansAlongAxes(_ axes: Set<Int>, _ expected: [Float]) {
    let reduction = Reduction(of: Shape(2, 2, 2), along: axes)
    let y = filled(expected.count, with: Float.nan) { y in
      withBuffer([1, 2, 3, 4, 5, 6, 7, 8]) { Reference.mean($0, reduction, into: y) }
    }
    #expect(y == expected)
  }

  @Test func quantizedMeansUseTheOutputScale() {
    let reduction = Reduction(of: Shape(3), along: [0])
    let mean = QuantizedMean(
      of: 3, input: Quantization(scale: 0.5, zeroPoint: 2),
      output: Quantization(scale: 0.25, zeroPoint: -1), range: -128...127)
    // (8 + 10 + 13) / 3 - 2 is 8.33 steps of 0.5: 16.67 steps of 0.25, less 1.
    let y = filled(1, with: Int8.min) { y in
      withBuffer([Int32(0)]) { sums in
        withBuffer([Int8(8), 10, 13]) {
          Reference.mean($0, reduction, mean, sums: sums, into: y)
        }
      }
    }
    #expect(y == [16])
  }

  @Test func integerMeansAreTruncated() {
    let reduction = Reduction(of: Shape(2), along: [0])
    let y = filled(1, with: Int32.min) { y in
      withBuffer([Int64(0)]) { sums in
        withBuffer([Int32(-3), -4]) { Reference.mean($0, reduction, sums: sums, into: y) }
      }
    }
    #expect(y == [-3])
  }

  @Test func emptyMeanIsNaN() {
    let reduction = Reduction(of: Shape(0, 2), along: [0])
    let y = filled(2, with: Float(7)) { y in
      withBuffer([Float]()) { Reference.mean($0, reduction, into: y) }
    }
    #expect(y.allSatisfy { $0.isNaN })
  }
}
