import Foundation
import MartletKernels
import MartletMicrokernels
import MartletTestSupport
import Testing

@Suite struct Int16InverseDCTTests {
  /// The row-major index of the coefficient at each position of the coded order.
  private static let zigzag = (0..<64).sorted { a, b in
    func key(_ index: Int) -> (Int, Int) {
      let (x, y) = (index % 8, index / 8)
      return (x + y, (x + y) % 2 == 0 ? x : y)
    }
    return key(a) < key(b)
  }

  /// The samples of blocks with `stride` between rows, in memory filled with sevens.
  private func samples(
    of blocks: [[Int16]], steps: [Int16], stride: Int? = nil, side: Int = 8,
    by kernels: Microkernels
  ) -> [UInt8] {
    let stride = stride ?? side * blocks.count
    var coefficients = blocks.flatMap { block in
      switch side {
      case 1: Array(block[..<2])
      case 2: [0, 1, 3, 5, 7].flatMap { block[8 * $0..<8 * $0 + 8] }
      default: block
      }
    }
    var occupied = blocks.map { block in
      (1..<64).reduce(UInt64(0)) { $0 | (block[Self.zigzag[$1]] != 0 ? 1 << UInt64($1) : 0) }
    }
    var steps = steps
    var samples = [UInt8](repeating: 7, count: side * stride)
    buffer(&coefficients) { coefficients in
      buffer(&occupied) { occupied in
        buffer(&steps) { steps in
          buffer(&samples) { samples in
            guard let coefficients = coefficients.baseAddress,
              let occupied = occupied.baseAddress, let steps = steps.baseAddress,
              let samples = samples.baseAddress
            else { return }
            kernels.int16InverseDCT(
              Int16InverseDCT(
                coefficients: coefficients, occupied: occupied, count: blocks.count,
                quantization: steps, samples: samples, stride: stride, side: side))
          }
        }
      }
    }
    return samples
  }

  /// The samples of a block, from the definition (ITU-T T.81, A.3.3).
  private func defined(_ block: [Int16]) -> [Double] {
    (0..<64).map { place in
      let (x, y) = (Double(place % 8), Double(place / 8))
      let sum = (0..<64).reduce(0.0) { sum, index in
        let (u, v) = (Double(index % 8), Double(index / 8))
        let scale = (u == 0 ? 0.5.squareRoot() : 1) * (v == 0 ? 0.5.squareRoot() : 1)
        return sum + scale * Double(block[index])
          * cos((2 * x + 1) * u * .pi / 16) * cos((2 * y + 1) * v * .pi / 16)
      }
      return min(max(128 + sum / 4, 0), 255)
    }
  }

  /// One pass over rows of eight numbers, transposed: the published flow graph in wide integers.
  private func pass(_ rows: [Int], shift: Int) -> [Int] {
    var result = [Int](repeating: 0, count: 64)
    for column in 0..<8 {
      func x(_ row: Int) -> Int { rows[8 * row + column] }
      let z1 = (x(2) + x(6)) * 4433
      let (even2, even3) = (z1 - x(6) * 15137, z1 + x(2) * 6270)
      let (sum, difference) = ((x(0) + x(4)) << 13, (x(0) - x(4)) << 13)
      let even = [sum + even3, difference + even2, difference - even2, sum - even3]
      let z5 = (x(7) + x(3) + x(5) + x(1)) * 9633
      let (z3, z4) = (z5 - (x(7) + x(3)) * 16069, z5 - (x(5) + x(1)) * 3196)
      let (a, b) = ((x(7) + x(1)) * -7373, (x(5) + x(3)) * -20995)
      let odd = [
        x(1) * 12299 + a + z4, x(3) * 25172 + b + z3, x(5) * 16819 + b + z4, x(7) * 2446 + a + z3,
      ]
      for row in 0..<4 {
        let half = 1 << (shift - 1)
        result[8 * column + row] = (even[row] + odd[row] + half) >> shift
        result[8 * column + 7 - row] = (even[row] - odd[row] + half) >> shift
      }
    }
    return result
  }

  /// The exact samples of a block.
  private func expected(_ block: [Int16], steps: [Int16]) -> [UInt8] {
    let coefficients = zip(block, steps).map { Int($0) * Int($1) }
    return pass(pass(coefficients, shift: 11), shift: 18).map { UInt8(clamping: $0 + 128) }
  }

  /// Typical blocks of images: most energy is in the first coefficients.
  private func block(_ count: Int, using random: inout SplitMix64) -> [Int16] {
    var block = [Int16](repeating: 0, count: 64)
    let places = (0..<64).sorted { ($0 / 8 + $0 % 8, $0) < ($1 / 8 + $1 % 8, $1) }
    for place in places.prefix(count) { block[place] = Int16.random(in: -60...60, using: &random) }
    block[0] = Int16.random(in: -100...100, using: &random)
    return block
  }

  private let ones = [Int16](repeating: 1, count: 64)

  @Test(arguments: [1, 2, 3, 10, 30, 64])
  func agreesWithTheDefinition(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    for kernels in Microkernels.available {
      for _ in 0..<20 {
        let block = block(count, using: &random)
        let got = samples(of: [block], steps: ones.map { 3 * $0 }, by: kernels)
        for (got, want) in zip(got, defined(block.map { $0 * 3 })) {
          #expect(abs(Double(got) - want) <= 1)
        }
      }
    }
  }

  /// Lines of any length with some flat blocks, in rows that continue after the last block.
  @Test(arguments: 0...10)
  func linesAreExactOnAllInstructionSets(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let steps = (0..<64).map { _ in Int16.random(in: 1...20, using: &random) }
    for _ in 0..<20 {
      let blocks = (0..<count).map { _ in
        block(Bool.random(using: &random) ? 1 : 64, using: &random)
      }
      let expected = blocks.map { self.expected($0, steps: steps) }
      let stride = 8 * count + 5
      var rows: [UInt8] = []
      for row in 0..<8 {
        for block in expected { rows += block[8 * row..<8 * row + 8] }
        rows += [UInt8](repeating: 7, count: stride - 8 * count)
      }
      for kernels in Microkernels.available {
        #expect(samples(of: blocks, steps: steps, stride: stride, by: kernels) == rows)
      }
    }
  }

  @Test func roundsWithoutBias() {
    var random = SplitMix64(seed: 5)
    let blocks = (0..<200).map { _ in block(20, using: &random).map { $0 / 4 } }
    let sum = blocks.reduce(0.0) { sum, block in
      let got = samples(of: [block], steps: ones, by: .current)
      return sum + zip(got, defined(block)).reduce(0) { $0 + Double($1.0) - $1.1 }
    }
    #expect(abs(sum / (200 * 64)) < 0.02)
  }

  @Test func flatBlocksAreTheirMean() {
    for level in -1024...1023 {
      let block = [Int16(level)] + Array(repeating: 0, count: 63)
      let mean = UInt8(clamping: 128 + Int((Double(level) / 8 + 0.5).rounded(.down)))
      let flat = [UInt8](repeating: mean, count: 64)
      #expect(expected(block, steps: ones) == flat)
      for kernels in Microkernels.available {
        #expect(samples(of: [block], steps: ones, by: kernels) == flat)
      }
    }
  }

  /// Blocks with coefficients in the first row only, which need no pass over columns.
  @Test(arguments: 1...9)
  func blocksOfOneRowAreExactOnAllInstructionSets(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let steps = (0..<64).map { _ in Int16.random(in: 1...20, using: &random) }
    for _ in 0..<20 {
      let blocks = (0..<count).map { _ in
        Array(block(64, using: &random).prefix(Bool.random(using: &random) ? 8 : 64))
      }.map { $0 + [Int16](repeating: 0, count: 64 - $0.count) }
      let expected = blocks.map { self.expected($0, steps: steps) }
      let rows = (0..<8).flatMap { row in expected.flatMap { $0[8 * row..<8 * row + 8] } }
      for kernels in Microkernels.available {
        #expect(samples(of: blocks, steps: steps, by: kernels) == rows)
      }
    }
  }

  /// Excessive coefficients wrap at 16 bits as in libjpeg-turbo's vector code: 8192 * 4 in a flat
  /// block, 20000 + 20000 in the even part. The samples are from djpeg on x86-64.
  @Test func excessiveCoefficientsWrapAsInLibjpeg() {
    let flat = [Int16(8192)] + [Int16](repeating: 0, count: 63)
    var even = [Int16](repeating: 0, count: 64)
    (even[0], even[32]) = (20000, 20000)
    for kernels in Microkernels.available {
      #expect(samples(of: [flat], steps: ones, by: kernels) == [UInt8](repeating: 0, count: 64))
      let rows = [0, 128, 128, 0, 0, 128, 128, 0].flatMap { [UInt8](repeating: $0, count: 8) }
      #expect(samples(of: [even], steps: ones, by: kernels) == rows)
    }
  }

  // MARK: Fewer samples

  /// The weights of the first of `side` samples and their mirror images: the published flow graph of
  /// the reduced transforms, as sums of products.
  private static let weights: [Int: [[Int]]] = [
    4: [
      [16384, 20995, 15137, 7373, 0, -4926, -6270, -4176],
      [16384, 8697, -15137, -17799, 0, 11893, 6270, -1730],
    ],
    2: [[32768, 29692, 0, -10426, 0, 6967, 0, -5906]],
  ]

  /// Sample number `sample` of eight numbers, before rounding.
  private func reduced(_ numbers: [Int], to side: Int, _ sample: Int) -> Int {
    let weights = Self.weights[side] ?? []
    let isMirrored = sample >= weights.count
    let row = weights[isMirrored ? side - 1 - sample : sample]
    return (0..<8).reduce(0) { sum, place in
      sum + (isMirrored && place % 2 == 1 ? -1 : 1) * row[place] * numbers[place]
    }
  }

  /// The exact samples of a block, row by row.
  private func expected(_ block: [Int16], steps: [Int16], side: Int) -> [UInt8] {
    let numbers = zip(block, steps).map { Int($0) * Int($1) }
    guard side > 1 else { return [UInt8(clamping: (numbers[0] + 4) >> 3 + 128)] }
    let (first, second) = side == 4 ? (12, 19) : (13, 20)
    return (0..<side).flatMap { y in
      let row = (0..<8).map { x in
        let column = (0..<8).map { numbers[8 * $0 + x] }
        return (reduced(column, to: side, y) + 1 << (first - 1)) >> first
      }
      return (0..<side).map { x in
        UInt8(clamping: (reduced(row, to: side, x) + 1 << (second - 1)) >> second + 128)
      }
    }
  }

  @Test(arguments: [1, 2, 4], 0...10)
  func reducedLinesAreExactOnAllInstructionSets(side: Int, count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let steps = (0..<64).map { _ in Int16.random(in: 1...20, using: &random) }
    for _ in 0..<20 {
      let blocks = (0..<count).map { _ in
        block(Bool.random(using: &random) ? 1 : 64, using: &random)
      }
      let expected = blocks.map { self.expected($0, steps: steps, side: side) }
      let stride = side * count + 5
      var rows: [UInt8] = []
      for row in 0..<side {
        for block in expected { rows += block[side * row..<side * row + side] }
        rows += [UInt8](repeating: 7, count: 5)
      }
      for kernels in Microkernels.available {
        #expect(samples(of: blocks, steps: steps, stride: stride, side: side, by: kernels) == rows)
      }
    }
  }

  @Test(arguments: [1, 2, 4])
  func anyCoefficientsOfReducedBlocksAreEqualOnAllInstructionSets(side: Int) {
    var random = SplitMix64(seed: 4)
    for _ in 0..<200 {
      let blocks = (0..<5).map { _ in
        (0..<64).map { index in
          let isZero = index >= 8 && Bool.random(using: &random)
          return isZero ? 0 : Int16.random(in: .min ... .max, using: &random)
        }
      }
      let steps = (0..<64).map { _ in Int16.random(in: .min ... .max, using: &random) }
      let all = Microkernels.available.map { samples(of: blocks, steps: steps, side: side, by: $0) }
      #expect(all.allSatisfy { $0 == all[0] })
    }
  }

  @Test func anyCoefficientsAreEqualOnAllInstructionSets() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let blocks = (0..<5).map { _ in
        (0..<64).map { _ in Int16.random(in: .min ... .max, using: &random) }
      }
      let steps = (0..<64).map { _ in Int16.random(in: .min ... .max, using: &random) }
      let all = Microkernels.available.map { samples(of: blocks, steps: steps, by: $0) }
      #expect(all.allSatisfy { $0 == all[0] })
    }
  }
}
