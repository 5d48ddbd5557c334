//===--- Windows.swift - sliding windows and repeated operands ------------===//
//
// The loops that layers of bytes, 16-bit integers and floats share.
//
// Contract  Output pixels come in memory order; taps outside the image are left out.
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

// MARK: - Integers of any size

/// A value within the range of a window's results.
@inline(__always)
func clamped<Result: FixedWidthInteger>(
  _ value: Int32, _ window: UnsafePointer<WindowRecord>
) -> Result {
  unsafe Result(truncatingIfNeeded: min(max(value, window.pointee.low), window.pointee.high))
}

/// `Layer.multiply` of elements of any size.
@inline(__always)
func multiplied<Element: FixedWidthInteger>(
  _ layer: UnsafeRawPointer, _ left: UnsafePointer<Element>, _ right: UnsafePointer<Element>,
  _ count: Int, _ output: UnsafeMutablePointer<Element>
) {
  let r = unsafe integers(layer)
  unsafe repeating(count, period: Int(r[7])) { i, j in
    let a = unsafe Int32(truncatingIfNeeded: left[i]) &- r[0]
    let b = unsafe Int32(truncatingIfNeeded: right[j]) &- r[1]
    let value = unsafe scaled(a &* b, by: r[3], shift: r[4]) &+ r[2]
    unsafe output[i] = unsafe Element(truncatingIfNeeded: min(max(value, r[5]), r[6]))
  }
}

/// `Layer.mean` of elements of any size.
@inline(__always)
func averaged<Element: FixedWidthInteger>(
  _ layer: UnsafeRawPointer, _ input: UnsafePointer<Element>,
  _ output: UnsafeMutablePointer<Element>
) {
  let r = unsafe integers(layer)
  let channels = unsafe Int(r[1])
  let end = unsafe Int(r[0] &* r[1])
  var channel = 0
  while channel != channels {
    var sum = unsafe r[2]
    var i = channel
    while i < end {
      unsafe sum &+= Int32(truncatingIfNeeded: input[i])
      i &+= channels
    }
    let value = unsafe scaled(sum, by: r[3], shift: r[4]) &+ r[5]
    unsafe output[channel] = unsafe Element(truncatingIfNeeded: min(max(value, r[6]), r[7]))
    channel &+= 1
  }
}
