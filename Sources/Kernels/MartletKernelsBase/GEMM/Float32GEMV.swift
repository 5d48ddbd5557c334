//===--- Float32GEMV.swift - float matrix-vector product ------------------===//
//
// y[j] = clamp(bias[j] + Σ over k of x[k] * w[k][j])
//
// As `Float32GEMM.swift`, for one row. Several panels are summed at a time to hide the latency of
// the additions.
//
// Order     k ascending, starting from the bias: bit-identical to `float32GEMM`.
// Cost      2 · depth · columns operations, limited by the memory bandwidth of the weights.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func float32GEMV(_ product: Float32GEMV) {
    let row = Float32Row(
      x: product.x, depth: product.depth, panels: product.panels, y: product.y,
      columns: product.columns, low: Lanes(repeating: product.range.lowerBound),
      high: Lanes(repeating: product.range.upperBound))
    let count = product.panelCount
    var panel = 0
    while panel &+ 4 <= count {
      row.multiply(Registers8<Lanes>.self, panel)
      panel &+= 4
    }
    if panel &+ 2 <= count {
      row.multiply(Registers4<Lanes>.self, panel)
      panel &+= 2
    }
    if panel < count { row.multiply(Registers2<Lanes>.self, panel) }
  }
}

private struct Float32Row {
  let x: UnsafePointer<Float>
  let depth: Int
  let panels: UnsafePointer<Float>
  let y: UnsafeMutablePointer<Float>
  let columns: Int
  let low: Lanes
  let high: Lanes

  /// Computes as many vectors as there are accumulators, two per panel from `first` on.
  @inline(__always)
  func multiply<Sums: Registers<Lanes>>(_: Sums.Type, _ first: Int) {
    let lanes = Lanes.scalarCount
    let size = (depth &+ 1) &* 2 &* lanes
    var w = panels + first &* size
    let count = Sums.count
    var sums = Sums(repeating: .zero)
    for i in 0..<count { sums[i] = load(w + (i / 2 &* size &+ i % 2 &* lanes)) }
    for k in 0..<depth {
      w += 2 &* lanes
      let x = Lanes(repeating: x[k])
      for i in 0..<count {
        sums[i] = multiplyAdd(sums[i], x, load(w + (i / 2 &* size &+ i % 2 &* lanes)))
      }
    }
    for i in 0..<count {
      let column = (2 &* first &+ i) &* lanes
      let y = y + column
      let sum = clamp(sums[i], low, high)
      if column &+ lanes <= columns {
        store(sum, to: y)
      } else {
        store(sum, to: y, columns &- column)
      }
    }
  }
}
