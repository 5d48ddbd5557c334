//===--- Int16Panels.swift - 16-bit weight panels -------------------------===//
//
// The panels of `Int16GEMM`: the biases and factors of some columns, then their weights. Weights
// are widened to 16 bits, in pairs along the depth. An odd depth is padded with a zero.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A packed matrix of byte weights.
struct Int16Panels: Sendable {
  /// The number of 32-bit integers per column before its weights.
  static let fieldCount = 5

  let panels: [Panel]
  let memory: Arena
  /// The number of pairs of a row.
  let pairs: Int

  /// Packs weights: `columns` rows of `depth` in the file's order, or `depth` rows of `columns`. An
  /// empty bias is zero; without multipliers the factors are zero.
  init(
    columns: Int, depth: Int, weights: ByteWeights, isTransposed: Bool = false,
    bias: UnsafeBufferPointer<Int32>, multipliers: [FixedPointMultiplier], widths: [Int]
  ) {
    let pairs = (depth + 1) / 2
    let height = pairs + Int16Panels.fieldCount
    let panels = Panel.cut(columns: columns, widths: widths, height: height)
    let memory = Arena(byteCount: panels.reduce(0) { $0 + $1.width * height } * 4)
    let fields = memory.base.assumingMemoryBound(to: Int32.self)
    for panel in panels {
      for j in 0..<panel.columns {
        let column = panel.first + j
        let place = panel.offset + j
        if !bias.isEmpty { fields[place] = bias[column] }
        if !multipliers.isEmpty {
          multipliers[column].writeFields(at: place, stride: panel.width, in: fields)
        }
        for k in 0..<pairs {
          let first = isTransposed ? 2 * k * columns + column : column * depth + 2 * k
          let second = first + (isTransposed ? columns : 1)
          fields[place + (Int16Panels.fieldCount + k) * panel.width] = pair(
            weights[first], 2 * k + 1 < depth ? weights[second] : 0)
        }
      }
    }
    self.panels = panels
    self.memory = memory
    self.pairs = pairs
  }

  /// The first panel's fields.
  var start: UnsafePointer<Int32> { UnsafePointer(memory.base.assumingMemoryBound(to: Int32.self)) }
}

extension FixedPointMultiplier {
  /// Writes a column's fields after its bias, which is at `place`.
  func writeFields(at place: Int, stride: Int, in memory: UnsafeMutablePointer<Int32>) {
    let right = max(-shift, 0)
    memory[place + stride] = Int32(1) &<< max(shift, 0)
    memory[place + 2 * stride] = mantissa
    memory[place + 3 * stride] = right
    memory[place + 4 * stride] = Int32(truncatingIfNeeded: (Int64(1) &<< Int64(right)) - 1)
  }
}

extension Requantizer {
  /// The output quantization that is the same for all channels.
  var output: OutputQuantization {
    OutputQuantization(
      zeroPoint: zeroPoint, low: range.lowerBound, high: range.upperBound,
      shiftsLeft: multipliers.contains { $0.shift > 0 })
  }
}

/// Two adjacent elements as an integer microkernel reads them.
func pair(_ low: Int16, _ high: Int16) -> Int32 {
  Int32(high) &<< 16 | (Int32(low) & 0xffff)
}
