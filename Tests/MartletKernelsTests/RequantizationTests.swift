import MartletBase
import MartletMicrokernels
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels
@testable import MartletKernelsBase

@Suite struct RequantizationTests {
  /// Sums near rounding ties, and random ones of all magnitudes.
  static let sums: [Int32] = {
    var random = SplitMix64(seed: 12)
    let edges = [0, 1, 2, 3, 1 << 15, 1 << 29, 1 << 30, .max - 1, .max] as [Int32]
    let all = (0..<4000).map { _ in
      Int32.random(in: .min ... .max, using: &random) >> Int32.random(in: 0...30, using: &random)
    }
    let count = (2 * edges.count + all.count) / 64 * 64
    return Array((edges + edges.map { ~$0 } + all).prefix(count))
  }()

  static let factors: [FixedPointMultiplier] = {
    var random = SplitMix64(seed: 13)
    let edges = [0, 0x1p-32, 0x1p-31, 0.5, 0.75, 1, 1.5, 0x1p10, 0x1p29].map {
      FixedPointMultiplier($0)
    }
    return edges
      + (-31...0).map { shift in
        FixedPointMultiplier(
          mantissa: Int32.random(in: 1 << 30 ... .max, using: &random), shift: Int32(shift))
      } + [FixedPointMultiplier(mantissa: .max, shift: 0)]
  }()

  static let byteLevels = Microkernels.available.compactMap(\.bytes)

  @Test(arguments: factors)
  func lanesScaleLikeFixedPointMultipliers(_ factor: FixedPointMultiplier) {
    for kernels in Microkernels.available { expectScaled(factor, kernels) }
  }

  private func expectScaled(_ factor: FixedPointMultiplier, _ kernels: Microkernels) {
    let width = kernels.lanes
    var fields = [Int32](repeating: 0, count: Int16Panels.fieldCount * width)
    fields.withUnsafeMutableBufferPointer { fields in
      guard let start = fields.baseAddress else { return }
      for lane in 0..<width { factor.writeFields(at: lane, stride: width, in: start) }
    }
    for columns in [1, width] {
      let rows = Self.sums.count / width
      var result = [UInt8](repeating: 99, count: rows * columns)
      var sums = Self.sums
      for (low, high) in [(-128, 127), (0, 255)] as [(Int32, Int32)] {
        buffer(&result) { y in
          buffer(&sums) { sums in
            buffer(&fields) { fields in
              guard let y = y.baseAddress, let sums = sums.baseAddress,
                let fields = fields.baseAddress
              else { return }
              kernels.int32Requantize(
                Int32Requantize(
                  sums: Matrix(sums, rowStride: width), rows: rows, panel: fields, width: width,
                  y: MutableMatrix(y, rowStride: columns), columns: columns,
                  output: OutputQuantization(
                    zeroPoint: -5, low: low, high: high, shiftsLeft: factor.shift > 0)))
            }
          }
        }
        for row in 0..<rows {
          for column in 0..<columns {
            let sum = Self.sums[row * width + column]
            let expected = min(max(factor(sum) &- 5, low), high)
            #expect(result[row * columns + column] == UInt8(truncatingIfNeeded: expected))
          }
        }
      }
    }
  }

  /// The same in the tiles of bytes: the sums are the initial terms of rows without elements.
  @Test(
    .enabled(if: !byteLevels.isEmpty, "needs VNNI or arm64, and kernels built for it"),
    arguments: factors, byteLevels.indices)
  func tilesOfBytesScaleLikeFixedPointMultipliers(_ factor: FixedPointMultiplier, level: Int) {
    let bytes = Self.byteLevels[level]
    for (zeroPoint, range, flip) in [
      (-5, -100...127, 128), (201, 3...255, 0), (-5, -5...127, 128), (90, 90...255, 0),
    ]
      as [(Int32, ClosedRange<Int32>, UInt8)]
    {
      let requantizer = Requantizer(multipliers: [factor], zeroPoint: zeroPoint, range: range)
      let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
      guard
        let factors = Int8Factors(requantizer, flip: flip, depth: 0, bias: none)
      else {
        #expect(factor.mantissa != 0 && !Int8Factors.exponents.contains(factor.shift))
        continue
      }
      // Includes sums whose halves are near ties.
      let ties = (-40...40).flatMap { (step: Int64) -> [Int32] in
        let sum = Double(2 * step + 1) * 0x1p30 / Double(max(factor.mantissa, 1))
        let tie = Int64(sum * Double(1 << Int64(max(-factor.shift, 0))))
        return [tie - 1, tie, tie + 1].map { Int32(clamping: $0) }
      }
      // Left shifts must not overflow.
      let largest = Int32.max >> max(factor.shift + 1, 0)
      var sums = (Self.sums + ties).filter { (-largest...largest).contains($0) }
      var panel = [Int32](repeating: 0, count: byteHeaderCount)
      var result = [UInt8](repeating: 99, count: sums.count * 16)
      buffer(&panel) { panel in
        guard let panel = panel.baseAddress else { return }
        for lane in 0..<16 { factors.write(0, to: Int8PanelHeader(panel, lane: lane)) }
        buffer(&result) { y in
          buffer(&sums) { sums in
            guard let y = y.baseAddress, let terms = sums.baseAddress else { return }
            bytes.int8GEMM(
              Int8GEMM(
                x: Matrix(y, rowStride: 0), rows: sums.count, quads: 0,
                terms: RowTerms(start: terms, stride: 1), panel: panel, vectors: 1,
                y: MutableMatrix(y, rowStride: 16), columns: 16, output: factors.output))
          }
        }
      }
      for (row, sum) in sums.enumerated() {
        let expected = UInt8(truncatingIfNeeded: requantizer(sum, channel: 0))
        #expect(result[row * 16..<(row + 1) * 16].allSatisfy { $0 == expected })
      }
    }
  }

  @Test func lanesAddProductsOfPairs() {
    var random = SplitMix64(seed: 14)
    for _ in 0..<1000 {
      let x: [Int16] = random.integers(2, in: -255...255)
      let w: [Int16] = random.integers(2, in: -255...255)
      let sum: [Int32] = random.integers(1)
      let expected = sum[0] &+ Int32(x[0]) * Int32(w[0]) &+ Int32(x[1]) * Int32(w[1])
      let lanes = (Sums(repeating: sum[0]), pair(x[0], x[1]), pair(w[0], w[1]))
      let all = Sums(repeating: expected)
      #expect(addPairs(lanes.0, Sums(repeating: lanes.1), Sums(repeating: lanes.2)) == all)
      #expect(addHalves(lanes.0, Sums(repeating: lanes.1), Sums(repeating: lanes.2)) == all)
    }
  }
}
