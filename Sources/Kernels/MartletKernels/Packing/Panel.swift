//===--- Panel.swift - panels of weights ----------------------------------===//
//
// The columns of a matrix of weights, cut into panels as wide as tiles. The last panels are
// narrower if the remaining columns fit; unused columns are zero.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

/// Adjacent columns of a matrix of weights.
struct Panel: Sendable, Hashable {
  /// The first column.
  let first: Int
  /// The number of columns, and the number that the panel has room for.
  let columns: Int
  let width: Int
  /// The panel's offset in packed memory, in elements.
  let offset: Int

  /// Cuts `columns` columns into panels of the given widths, widest first. Each panel takes
  /// `height` elements per column.
  static func cut(columns: Int, widths: [Int], height: Int) -> [Panel] {
    var panels: [Panel] = []
    var first = 0
    var offset = 0
    while first < columns {
      let left = columns - first
      let width = widths.last { $0 >= left } ?? widths.first ?? 1
      panels.append(
        Panel(first: first, columns: min(left, width), width: width, offset: offset))
      first += width
      offset += width * height
    }
    return panels
  }

  /// The panel's floats, packed from `start` on: biases, then one row per element of the depth.
  @inline(__always)
  func weights(at start: UnsafePointer<Float>) -> PanelWeights<Float> {
    PanelWeights(bias: start, start: start + width, runStride: 0, width: width)
  }
}

extension Runs {
  /// A contiguous row.
  @inline(__always)
  static func one(_ length: Int) -> Runs { Runs(count: 1, length: length, stride: 0) }
}
