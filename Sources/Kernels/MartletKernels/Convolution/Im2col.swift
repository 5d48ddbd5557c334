//===--- Im2col.swift - windows as matrix rows ----------------------------===//
//
// A convolution is a matrix product if each output's window is a row: taps row by row, channels
// innermost. Rows are packed block by block, in runs of taps that are adjacent in the image.
//===----------------------------------------------------------------------===//

import MartletBase

extension SlidingWindow {
  /// Whether each output pixel depends only on the input pixel with the same index.
  var isPointwise: Bool { rows.isPointwise && columns.isPointwise }

  /// Calls `body` for runs of taps that together cover the windows of `outputs`. Its arguments are
  /// the output's position in the range, the first tap, the first pixel (`nil` in the padding), and
  /// the number of taps.
  @inline(__always)
  func forEachRun(
    _ outputs: Range<Int>, _ body: (_ row: Int, _ tap: Int, _ pixel: Int?, _ count: Int) -> Void
  ) {
    var column = outputs.lowerBound % columns.output
    let line = outputs.lowerBound / columns.output
    var row = line % rows.output
    var image = line / rows.output
    for index in 0..<outputs.count {
      let top = rows.origin(of: row)
      let left = columns.origin(of: column)
      for tapRow in 0..<rows.filter {
        let y = top &+ tapRow &* rows.dilation
        let tap = tapRow &* columns.filter
        let isInside = y >= 0 && y < rows.input
        let pixel = (image &* rows.input &+ y) &* columns.input
        if !isInside {
          body(index, tap, nil, columns.filter)
        } else if columns.dilation == 1 {
          let first = min(max(-left, 0), columns.filter)
          let end = max(min(columns.input &- left, columns.filter), first)
          if first > 0 { body(index, tap, nil, first) }
          if end > first { body(index, tap &+ first, pixel &+ left &+ first, end &- first) }
          if end < columns.filter { body(index, tap &+ end, nil, columns.filter &- end) }
        } else {
          for tapColumn in 0..<columns.filter {
            let x = left &+ tapColumn &* columns.dilation
            body(
              index, tap &+ tapColumn, x >= 0 && x < columns.input ? pixel &+ x : nil, 1)
          }
        }
      }
      column &+= 1
      if column == columns.output {
        column = 0
        row &+= 1
        if row == rows.output {
          row = 0
          image &+= 1
        }
      }
    }
  }
}

extension WindowAxis {
  var isPointwise: Bool { filter == 1 && stride == 1 && border == 0 }
}
