//===--- ReferenceFullyConnected.swift - fully connected layer (GEMM) -----===//
//
// y[b, o] = clamp(Σ over i of x[b, i] · w[o, i] + bias[o])
//
// Contract  TFLite FULLY_CONNECTED: `rows` rows of `depth` inputs; weights are one row for each of
//           `units` outputs. `WeightedSums.swift` converts the sums.
// Order     A sum runs in index order.
// Cost      rows · units · depth.
//===----------------------------------------------------------------------===//

import MartletBase

extension FullyConnected: WeightedSums {
  @export(implementation)
  package var rowCount: Int { rows }

  @export(implementation)
  package var rowWork: Int {
    units &* depth
  }

  @export(implementation) @inline(__always)
  package func forEachSum<Sum: Numeric>(
    in range: Range<Int>, _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ unit: Int) -> Void
  ) {
    for row in range {
      for unit in 0..<units {
        var sum: Sum = 0
        for i in 0..<depth { accumulate(&sum, row &* depth &+ i, unit &* depth &+ i) }
        finish(sum, row &* units &+ unit, unit)
      }
    }
  }
}

extension Reference {
  /// Rows of quantized values times weights with `blockScales.count` scales, each for a block of a
  /// unit's weights.
  package static func convolve(
    values: UnsafeMutableBufferPointer<Int16>, scales: UnsafeMutableBufferPointer<Float>,
    filter: UnsafeMutableBufferPointer<Int8>, blockScales: [Float],
    bias: UnsafeMutableBufferPointer<Float>, _ layer: FullyConnected,
    clampedTo range: ClosedRange<Float>, into y: UnsafeMutableBufferPointer<Float>
  ) {
    let blocks = blockScales.count / max(layer.units, 1)
    let run = layer.depth / max(blocks, 1)
    for row in 0..<layer.rows {
      for unit in 0..<layer.units {
        var total: Float = 0
        for block in 0..<blocks {
          var sum: Int32 = 0
          let (left, right) = (
            row * layer.depth + block * run, unit * layer.depth + block * run
          )
          for i in 0..<run { sum &+= Int32(values[left + i]) &* Int32(filter[right + i]) }
          total += Float(sum) * blockScales[unit * blocks + block]
        }
        total = total * scales[row] + (bias.isEmpty ? 0 : bias[unit])
        y[row * layer.units + unit] = min(max(total, range.lowerBound), range.upperBound)
      }
    }
  }
}
