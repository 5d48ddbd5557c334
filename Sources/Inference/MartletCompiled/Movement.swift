//===--- Movement.swift - layers that move elements -----------------------===//
//
// Contract  Elements are moved as bytes. The output does not overlap the input.
// Cost      Each byte of the output is written once.
//===----------------------------------------------------------------------===//

extension Layer {
  /// Fills memory with a byte.
  @inline(never)
  public static func fill(_ output: UnsafeMutableRawPointer, count: Int, byte: UInt8) {
    let target = unsafe bytes(output)
    var i = 0
    while i != count {
      unsafe target[i] = byte
      i &+= 1
    }
  }

  /// Copies rows of `run` bytes; in the output they begin at `offset`, `pitch` bytes apart.
  @inline(never)
  public static func copyRows(
    _ input: UnsafeRawPointer, rows: Int, run: Int, offset: Int, pitch: Int,
    to output: UnsafeMutableRawPointer
  ) {
    var source = unsafe bytes(input)
    var target = unsafe bytes(output) + offset
    var row = 0
    while row != rows {
      var i = 0
      while i != run {
        unsafe target[i] = unsafe source[i]
        i &+= 1
      }
      unsafe source += run
      unsafe target += pitch
      row &+= 1
    }
  }

  /// Copies runs of bytes to consecutive places. The record has the first run's offset and the bytes
  /// of a run, and for each of five axes the number of runs and the distance between them.
  @inline(never)
  public static func copyRuns(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let r = unsafe integers(layer)
    let run = unsafe Int(r[1])
    var target = unsafe output
    unsafe forEachPlace(r + 2, input + Int(r[0])) { a in
      unsafe forEachPlace(r + 4, a) { b in
        unsafe forEachPlace(r + 6, b) { c in
          unsafe forEachPlace(r + 8, c) { d in
            unsafe forEachPlace(r + 10, d) { source in
              unsafe copyRows(source, rows: 1, run: run, offset: 0, pitch: 0, to: target)
              unsafe target += run
            }
          }
        }
      }
    }
  }

  /// Calls `body` for each place along an axis.
  @inline(__always)
  private static func forEachPlace(
    _ axis: UnsafePointer<Int32>, _ start: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void
  ) {
    let (count, distance) = unsafe (axis[0], Int(axis[1]))
    var place = unsafe start
    var index: Int32 = 0
    while index != count {
      unsafe body(place)
      unsafe place += distance
      index &+= 1
    }
  }

  /// Adds a border. The record has, for each of four axes, the input's extent and the borders
  /// before and after it, those of the last axis in bytes; and the byte to fill with.
  @inline(never)
  public static func pad(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let r = unsafe integers(layer)
    let byte = unsafe UInt8(truncatingIfNeeded: r[12])
    let run = unsafe Int(r[9])
    let (before, after) = unsafe (Int(r[10]), Int(r[11]))
    var source = unsafe input
    var target = unsafe output
    unsafe forEachIndex(r) { a in
      unsafe forEachIndex(r + 3) { b in
        unsafe forEachIndex(r + 6) { c in
          let isInside = a && b && c
          let filled = isInside ? before : before &+ run &+ after
          unsafe fill(target, count: filled, byte: byte)
          unsafe target += filled
          guard isInside else { return }
          unsafe copyRows(source, rows: 1, run: run, offset: 0, pitch: 0, to: target)
          unsafe source += run
          unsafe target += run
          unsafe fill(target, count: after, byte: byte)
          unsafe target += after
        }
      }
    }
  }

  /// Calls `body` for each index of an axis with whether it lies within the input.
  @inline(__always)
  private static func forEachIndex(
    _ axis: UnsafePointer<Int32>, _ body: (_ isInside: Bool) -> Void
  ) {
    let (extent, before, after) = unsafe (axis[0], axis[1], axis[2])
    var index = 0 &- before
    while index != extent &+ after {
      body(index >= 0 && index < extent)
      index &+= 1
    }
  }
}
