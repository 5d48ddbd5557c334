//===--- Windows.swift - sliding windows and repeated operands ------------===//
//
// The loops that several layers share.
//
// Contract  Output pixels come in memory order; taps outside the image are left out.
// Checked   Tests/MartletCompilerTests/OperatorCasesTests.swift
//===----------------------------------------------------------------------===//

/// Calls `body` for each tap of output pixel `x`, `y` that lies within the image, with the index of
/// the input's pixel and that of the tap.
@inline(__always)
func forEachTap(
  _ window: UnsafePointer<WindowRecord>, x: Int32, y: Int32,
  _ body: (_ pixel: Int, _ tap: Int) -> Void
) {
  let w = unsafe window.pointee
  var line = y &* w.strideY &- w.top
  var row: Int32 = 0
  while row != w.rows {
    if line >= 0 && line < w.height {
      var place = x &* w.strideX &- w.left
      var column: Int32 = 0
      while column != w.columns {
        if place >= 0 && place < w.width {
          body(Int(line &* w.width &+ place), Int(row &* w.columns &+ column))
        }
        place &+= w.dilationX
        column &+= 1
      }
    }
    line &+= w.dilationY
    row &+= 1
  }
}

/// Calls `body` for each output pixel.
@inline(__always)
func forEachPixel(
  _ window: UnsafePointer<WindowRecord>, _ body: (_ x: Int32, _ y: Int32) -> Void
) {
  var y: Int32 = 0
  while unsafe y != window.pointee.outputHeight {
    var x: Int32 = 0
    while unsafe x != window.pointee.outputWidth {
      body(x, y)
      x &+= 1
    }
    y &+= 1
  }
}

/// Combines the elements of each window, channel by channel.
@inline(__always)
func pool<Element, Sum>(
  _ window: UnsafePointer<WindowRecord>, _ source: UnsafePointer<Element>,
  to output: UnsafeMutablePointer<Element>, initial: Sum,
  accumulate: (_ result: inout Sum, _ value: Element) -> Void,
  finish: (_ result: Sum, _ count: Int32) -> Element
) {
  let w = unsafe window.pointee
  var target = unsafe output
  var y: Int32 = 0
  while y != w.outputHeight {
    let top = y &* w.strideY &- w.top
    let rows = (first: max(top, 0), end: min(top &+ w.rows, w.height))
    var x: Int32 = 0
    while x != w.outputWidth {
      let left = x &* w.strideX &- w.left
      let columns = (first: max(left, 0), end: min(left &+ w.columns, w.width))
      var channel: Int32 = 0
      while channel != w.depth {
        var result = initial
        var row = rows.first
        while row < rows.end {
          var column = columns.first
          while column < columns.end {
            let index = (row &* w.width &+ column) &* w.depth &+ channel
            unsafe accumulate(&result, source[Int(index)])
            column &+= 1
          }
          row &+= 1
        }
        let count = (rows.end &- rows.first) &* (columns.end &- columns.first)
        unsafe target.pointee = finish(result, count)
        unsafe target += 1
        channel &+= 1
      }
      x &+= 1
    }
    y &+= 1
  }
}

/// Calls `body` with each index below `count` and the place of the second operand, which repeats
/// after `period` elements.
@inline(__always)
func repeating(_ count: Int, period: Int, _ body: (_ index: Int, _ second: Int) -> Void) {
  var i = 0
  while i < count {
    var j = 0
    while j != period {
      body(i, j)
      i &+= 1
      j &+= 1
    }
  }
}
