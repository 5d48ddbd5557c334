//===--- WindowGather.swift - image windows as contiguous bytes -----------===//
//
// Contract  Taps outside the image have the input's zero point. A patch is in the order of the
//           filter: rows, columns, channels.
//===----------------------------------------------------------------------===//

/// Copies the window of output pixel `x`, `y` to `patch`.
@inline(never)
func gather(
  _ window: UnsafePointer<WindowRecord>, x: Int32, y: Int32, from input: UnsafeRawPointer,
  to patch: UnsafeMutableRawPointer
) {
  let w = unsafe window.pointee
  let left = x &* w.strideX &- w.left
  var row = y &* w.strideY &- w.top
  let lastRow = row &+ w.rows &* w.dilationY
  let zero = UInt8(truncatingIfNeeded: w.inputZero)
  if unsafe w.dilationX == 1 && isInside(window, x: x, y: y) {
    var target = unsafe patch
    let run = w.columns &* w.depth
    var line = unsafe input + Int((row &* w.width &+ left) &* w.depth)
    while row != lastRow {
      unsafe copy(line, to: &target, count: run)
      unsafe line += Int(w.dilationY &* w.width &* w.depth)
      row &+= w.dilationY
    }
    return
  }
  // Neighboring taps are copied together.
  let step = w.dilationX == 1 ? w.columns : 1
  var target = unsafe patch
  while row != lastRow {
    let isInside = row >= 0 && row < w.height
    let line = unsafe input + Int(row &* w.width &* w.depth)
    var column = left
    let lastColumn = left &+ w.columns &* w.dilationX
    while column != lastColumn {
      let end = column &+ step
      let first = isInside ? min(max(column, 0), end) : end
      let last = max(min(end, w.width), first)
      unsafe fill(&target, zero, count: (first &- column) &* w.depth)
      unsafe copy(line + Int(first &* w.depth), to: &target, count: (last &- first) &* w.depth)
      unsafe fill(&target, zero, count: (end &- last) &* w.depth)
      column &+= step == 1 ? w.dilationX : step
    }
    row &+= w.dilationY
  }
}

@inline(__always)
private func fill(_ target: inout UnsafeMutableRawPointer, _ byte: UInt8, count: Int32) {
  let end = unsafe target + Int(count)
  while unsafe target != end {
    unsafe target.storeBytes(of: byte, as: UInt8.self)
    unsafe target += 1
  }
}

/// Copies words if all is aligned.
@inline(__always)
private func copy(
  _ source: UnsafeRawPointer, to target: inout UnsafeMutableRawPointer, count: Int32
) {
  var source = unsafe source
  let end = unsafe target + Int(count)
  if (UInt(bitPattern: source) | UInt(bitPattern: target) | UInt(bitPattern: end)) & 3 == 0 {
    while unsafe target != end {
      unsafe target.assumingMemoryBound(to: UInt32.self).pointee = source.load(as: UInt32.self)
      unsafe target += 4
      unsafe source += 4
    }
  }
  while unsafe target != end {
    unsafe target.storeBytes(of: source.load(as: UInt8.self), as: UInt8.self)
    unsafe target += 1
    unsafe source += 1
  }
}

/// Whether the window of output pixel `x`, `y` lies inside the image.
@inline(__always)
func isInside(_ window: UnsafePointer<WindowRecord>, x: Int32, y: Int32) -> Bool {
  let w = unsafe window.pointee
  let left = x &* w.strideX &- w.left
  let top = y &* w.strideY &- w.top
  return left >= 0 && top >= 0 && left &+ (w.columns &- 1) &* w.dilationX < w.width
    && top &+ (w.rows &- 1) &* w.dilationY < w.height
}

/// The pixel after `x`, `y`.
@inline(__always)
func next(
  _ x: inout Int32, _ y: inout Int32, _ window: UnsafePointer<WindowRecord>
) {
  x &+= 1
  if unsafe x == window.pointee.outputWidth {
    x = 0
    y &+= 1
  }
}
