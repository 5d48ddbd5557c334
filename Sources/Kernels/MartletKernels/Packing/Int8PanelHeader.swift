//===--- Int8PanelHeader.swift - headers of byte panels -------------------===//
//
// The biases and factors of 16 columns, stored before their weights in panels of bytes (see
// `Int8GEMM`). For a right shift of r, the offset 2^30 + 2^(30 + r) of a mantissa performs both
// roundings in one addition.
//
// Checked   Tests/MartletKernelsTests/RequantizationTests.swift
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import MartletReference
import MartletTensor

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

  func write(mantissa: Int32, offset: Int64, shift: Int64) {
    let place = 128 + lane % 2 * 64 + lane / 2 * 8
    memory.storeBytes(of: mantissa, toByteOffset: 64 + 4 * lane, as: Int32.self)
    memory.storeBytes(of: offset, toByteOffset: place, as: Int64.self)
    // Results of odd lanes stay at their position in a vector of 32-bit integers.
    let left = lane % 2 == 0 ? shift : shift - 32
    memory.storeBytes(of: left, toByteOffset: place + 128, as: Int64.self)
  }

  func write(factor: Double) {
    memory.storeBytes(of: factor, toByteOffset: 128 + 8 * lane, as: Double.self)
  }

  /// The lane, counted through `vectors` vectors, whose byte ends up at `index` when four vectors
  /// are packed, the first of which are these.
  static func place(of index: Int, vectors: Int) -> Int {
    index / 4 % vectors * 16 + index / (4 * vectors) * 4 + index % 4
  }
}

/// Factors that scale sums to bytes with one right shift.
struct Int8Factors: Sendable {
  let output: ByteOutput
  private let multipliers: [FixedPointMultiplier]

  /// Returns `nil` if the microkernels do not support the size of a factor. Results are unsigned
  /// bytes; `flip` converts them to signed ones.
  init?(_ requantizer: Requantizer, flip: UInt8) {
    let known: ClosedRange<Int32> = -31 ... -1
    guard requantizer.multipliers.allSatisfy({ $0.mantissa == 0 || known.contains($0.shift) })
    else { return nil }
    multipliers = requantizer.multipliers
    output = ByteOutput(
      zeroPoint: Int16(truncatingIfNeeded: requantizer.zeroPoint + Int32(flip)),
      low: UInt8(clamping: requantizer.range.lowerBound + Int32(flip)),
      high: UInt8(clamping: requantizer.range.upperBound + Int32(flip)), flip: flip,
      isRectified: requantizer.range.lowerBound >= requantizer.zeroPoint)
  }

  func write(_ channel: Int, to header: Int8PanelHeader) {
    let right = multipliers[channel].mantissa == 0 ? 1 : Int64(-multipliers[channel].shift)
    let half: Int64 = 1 << 30
    header.write(
      mantissa: multipliers[channel].mantissa,
      offset: half + half << right, shift: 31 + right)
  }
}
