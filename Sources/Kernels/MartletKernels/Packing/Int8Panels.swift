//===--- Int8Panels.swift - 8-bit weight panels ---------------------------===//
//
// The panels of `Int8GEMM` and `Int8GEMV`: for each 16 columns a header with biases and factors,
// then the weights in groups of four or eight along the depth. The depth is padded with zeros to a
// multiple of that.
//
// Bytes x have the zero point z. Weights are w = v + s, where s is the same for all weights and
// makes v fit into a signed byte. Then Σ (x - z) · w = Σ x · v + s · Σ x - z · Σ w. The last sum is
// constant for a column and part of its bias; s · Σ x is the row's term. Both x and z are unsigned
// bytes minus the constant that the instruction set subtracts.
//
// For a right shift of r >= 1, the offset 2^30 + 2^(30 + r) of a mantissa performs both roundings in
// one addition, and the upper half of the 64-bit sum is shifted by r - 1. Otherwise sums are shifted
// left by 1 - r before the multiplication, and the offset is 2^31.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A packed matrix of byte weights: `columns` rows of `depth` in the file's order.
struct Int8Panels: Sendable {
  private static let tileDepth = 64

  let panels: [Panel]
  /// The number of groups of four of a row.
  let quads: Int
  /// The constant s that is subtracted from all weights.
  let shift: Int32
  let memory: Arena

  /// Packs weights; an empty bias is zero.
  ///
  /// - Precondition: the weights span at most 127 minus the kernels' least weight.
  init(
    columns: Int, depth: Int, weights: ByteWeights, bias: UnsafeBufferPointer<Int32>,
    zero: ByteZeroPoint, scaling: ByteScaling, kernels: ByteMicrokernels
  ) {
    let group = 4 * kernels.int8GroupQuads
    let quads = (depth + group - 1) / group * kernels.int8GroupQuads
    let height = quads + byteHeaderCount / 16
    let panels = scaling.panels(
      columns: columns, height: height, widest: 16 * kernels.int8PanelVectors)
    let zero = Int32(zero.value) - kernels.byteOffset
    let memory = Arena(byteCount: panels.reduce(0) { $0 + $1.width * height } * 4 + 4)
    let least = kernels.leastWeight
    let shift = weights.fitsBytes(from: least) ? 0 : weights.bounds.low - least
    let start = memory.base.assumingMemoryBound(to: Int32.self)
    for panel in panels {
      let fields = start + panel.offset
      let packed = UnsafeMutableRawPointer(fields + panel.width / 16 * byteHeaderCount)
      // Tiles of this depth are packed in the cache.
      for first in stride(from: 0, to: depth, by: Int8Panels.tileDepth) {
        let length = min(Int8Panels.tileDepth, depth - first)
        var j = 0
        while j < panel.columns {
          let start = (panel.first + j) * depth + first
          let target = packed + (first / group * panel.width + j) * group
          let stride = panel.width * group
          if group == 4 && j + 4 <= panel.columns {
            weights.copyFour(
              start..<start + length, pitch: depth, minus: shift, stride: stride, to: target)
            j += 4
          } else {
            weights.copy(
              start..<start + length, minus: shift, group: group, stride: stride, to: target)
            j += 1
          }
        }
      }
      for j in 0..<panel.columns {
        let column = panel.first + j
        let sum = weights.sum(column * depth..<(column + 1) * depth)
        let constant = (bias.isEmpty ? 0 : bias[column]) &- zero &* sum
        let header = Int8PanelHeader(fields + j / 16 * byteHeaderCount, lane: j % 16)
        scaling.write(column, bias: constant, to: header)
      }
    }
    self.panels = panels
    self.quads = quads
    self.shift = Int32(shift)
    self.memory = memory
  }

  /// The start of the packed weights.
  var start: UnsafePointer<Int32> { UnsafePointer(memory.base.assumingMemoryBound(to: Int32.self)) }

  /// The terms of rows if the weights are not shifted: zero for all rows.
  var noTerms: RowTerms { RowTerms(start: start + (memory.byteCount / 4 - 1), stride: 0) }
}

/// The scaling of the sums.
enum ByteScaling {
  case fixed(Int8Factors)
  case real([Double])
  /// No scaling.
  case none

  /// Panels of one, two or four vectors, padded by less than one vector; in double precision always
  /// four.
  func panels(columns: Int, height: Int, widest: Int) -> [Panel] {
    if case .real = self {
      return Panel.cut(columns: columns, widths: [64], height: height)
    }
    var panels: [Panel] = []
    var first = 0
    var offset = 0
    while first < columns {
      let left = columns - first
      let width = min(left > 48 ? 64 : left > 16 ? 32 : 16, widest)
      panels.append(
        Panel(first: first, columns: min(left, width), width: width, offset: offset))
      first += width
      offset += width * height
    }
    return panels
  }

  func write(_ column: Int, bias: Int32, to header: Int8PanelHeader) {
    header.write(bias: bias)
    switch self {
    case .fixed(let factors): factors.write(column, to: header)
    case .real(let factors): header.write(factor: factors[column])
    case .none: break
    }
  }
}

/// The position of one column in a header.
struct Int8PanelHeader {
  private let memory: UnsafeMutableRawPointer
  private let lane: Int

  init(_ memory: UnsafeMutablePointer<Int32>, lane: Int) {
    self.memory = UnsafeMutableRawPointer(memory)
    self.lane = lane
  }

  func write(bias: Int32) {
    memory.storeBytes(of: bias, toByteOffset: 4 * lane, as: Int32.self)
  }

  /// `exponent` is that of the factor, which is less than two to the power of it.
  func write(mantissa: Int32, exponent: Int32) {
    let half: Int64 = 1 << 30
    let offset = exponent < 0 ? half + half << Int64(-exponent) : 2 * half
    memory.storeBytes(of: mantissa, toByteOffset: 64 + 4 * lane, as: Int32.self)
    memory.storeBytes(
      of: offset, toByteOffset: 128 + lane % 2 * 64 + lane / 2 * 8, as: Int64.self)
    memory.storeBytes(
      of: max(-exponent - 1, 0), toByteOffset: 256 + 4 * lane, as: Int32.self)
    memory.storeBytes(of: max(exponent + 1, 0), toByteOffset: 320 + 4 * lane, as: Int32.self)
  }

  func write(factor: Double) {
    memory.storeBytes(of: factor, toByteOffset: 128 + 8 * lane, as: Double.self)
  }

  /// The lane, counted through four vectors, whose byte ends up at `index` when they are packed.
  static func place(of index: Int) -> Int {
    index / 4 % 4 * 16 + index / 16 * 4 + index % 4
  }
}

/// Factors that scale sums to bytes.
struct Int8Factors: Sendable {
  /// The exponents of the factors that microkernels support.
  static let exponents: ClosedRange<Int32> = -31...7

  let output: ByteOutput
  private let multipliers: [FixedPointMultiplier]

  /// Returns `nil` if the microkernels do not support the size of a factor, or if a left shift of a
  /// sum of `depth` products and its bias could overflow. Results are unsigned bytes; `flip`
  /// converts them to signed ones.
  init?(
    _ requantizer: Requantizer, flip: UInt8, depth: Int, bias: UnsafeBufferPointer<Int32>
  ) {
    let largestBias = bias.reduce(0) { max($0, $1.magnitude) }
    let largestSum = Schedule.product([depth, 255 * 255]).addingReportingOverflow(Int(largestBias))
    for multiplier in requantizer.multipliers where multiplier.mantissa != 0 {
      guard Int8Factors.exponents.contains(multiplier.shift),
        multiplier.shift < 0
          || !largestSum.overflow && largestSum.partialValue <= Int32.max >> (multiplier.shift + 1)
      else { return nil }
    }
    multipliers = requantizer.multipliers
    output = ByteOutput(
      zeroPoint: Int16(truncatingIfNeeded: requantizer.zeroPoint + Int32(flip)),
      low: UInt8(clamping: requantizer.range.lowerBound + Int32(flip)),
      high: UInt8(clamping: requantizer.range.upperBound + Int32(flip)), flip: flip,
      isRectified: requantizer.range.lowerBound >= requantizer.zeroPoint,
      largestExponent: multipliers.reduce(-31) { max($0, $1.mantissa == 0 ? -31 : $1.shift) })
  }

  func write(_ channel: Int, to header: Int8PanelHeader) {
    let factor = multipliers[channel]
    header.write(mantissa: factor.mantissa, exponent: factor.mantissa == 0 ? -1 : factor.shift)
  }
}
