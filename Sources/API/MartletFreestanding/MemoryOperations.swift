//===--- MemoryOperations.swift - C memory functions ----------------------===//
//
// The memory functions that compilers call, for targets without a C library. They use words if
// possible.
//
// Contract  As in C: `copy` for areas that do not overlap, `move` for any areas.
// Cost      One step per 8-byte word; single bytes at the ends.
//===----------------------------------------------------------------------===//

/// Functions of C's <string.h>. Loop recognition is disabled for this module: otherwise the
/// compiler could replace the loop in `copy` by a call of itself.
package enum MemoryOperations {
  // Callers must guarantee `count` valid bytes at each address, as for C's functions.

  /// Copies from low to high addresses, so `target` may overlap a `source` at a higher address.
  @inline(__always)
  package static func copy(
    _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int
  ) {
    var index = 0
    while index &+ 8 <= count {
      let word = unsafe source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      unsafe target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    while index < count {
      let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
      unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      index &+= 1
    }
  }

  /// Copies areas that may overlap.
  @inline(__always)
  package static func move(
    _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int
  ) {
    let ahead = UInt(bitPattern: target) &- UInt(bitPattern: source)
    guard ahead < UInt(count) else { return unsafe copy(target, source, count) }
    var index = count
    while index >= 8, ahead >= 8 {
      index &-= 8
      let word = unsafe source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      unsafe target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
    }
    while index > 0 {
      index &-= 1
      let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
      unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }

  /// Sets all bytes to one value.
  @inline(__always)
  package static func fill(_ target: UnsafeMutableRawPointer, _ byte: UInt8, _ count: Int) {
    let word = UInt64(byte) &* 0x0101_0101_0101_0101
    var index = 0
    while index &+ 8 <= count {
      unsafe target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    while index < count {
      unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      index &+= 1
    }
  }

  /// Compares the first differing bytes: below 0 if the first area's is smaller, 0 if there is
  /// none, else above 0.
  @inline(__always)
  package static func compare(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ count: Int
  ) -> Int32 {
    var index = 0
    while index < count {
      let a = unsafe first.load(fromByteOffset: index, as: UInt8.self)
      let b = unsafe second.load(fromByteOffset: index, as: UInt8.self)
      if a != b { return Int32(a) - Int32(b) }
      index &+= 1
    }
    return 0
  }
}
