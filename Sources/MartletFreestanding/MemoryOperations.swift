//===--- MemoryOperations.swift - copying, filling and comparing memory ---===//
//
// What compilers call for memory, where no C library has it. Words at a time where both sides allow it.
//
// Contract  As in C: `copy` of areas that do not overlap, `move` of any.
// Cost      One step for each word, of 8 bytes; a byte at a time at the ends.
// Checked   Tests/MartletFreestandingTests/MemoryOperationsTests.swift
//===----------------------------------------------------------------------===//

/// Functions of C's <string.h>. Compiled with loops kept as they are: a compiler that finds a copying loop
/// in `copy` would make it call itself.
package enum MemoryOperations {
  // Whoever calls vouches for `count` bytes at each address, as C's functions demand.

  /// Copies from low addresses to high ones, so `target` may overlap what is behind it.
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

  /// Below 0, 0 or above 0, as the first byte that differs is smaller, there is none, or it is larger.
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
