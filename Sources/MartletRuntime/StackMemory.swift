//===--- StackMemory.swift - scratch memory that lives as long as a call --===//
//
// A block of rows that a kernel lays out and reads again while it is in the cache needs no place in
// the arena, where it would count for every chunk and every layer: it lies on the stack of whoever
// runs the chunk.
//
// Contract  Never more than `limit` bytes, which every thread's stack has room for; none where
//           stacks are small. The memory begins with whatever the stack holds.
// Cost      No allocation, and none of the memory is touched.
// Checked   Tests/MartletRuntimeTests/StackMemoryTests.swift
//===----------------------------------------------------------------------===//

/// Memory for the length of a call.
package enum StackMemory {
  #if hasFeature(Embedded)
    /// The most bytes that a kernel takes of the stack.
    package static let limit = 0
  #else
    /// The most bytes that a kernel takes of the stack.
    package static let limit = 64 << 10
  #endif

  /// Calls `body` with the address of at least `byteCount` bytes, aligned for every vector, which is valid
  /// until `body` returns: each block has the size that its function is named for, and a vector more.
  ///
  /// - Precondition: `byteCount` is at most 64 KiB.
  package static func with(_ byteCount: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    precondition(byteCount <= 64 << 10)
    switch byteCount {
    case ...(1 << 10): unsafe withKibibyte(body)
    case ...(4 << 10): unsafe with4Kibibytes(body)
    case ...(16 << 10): unsafe with16Kibibytes(body)
    default: unsafe with64Kibibytes(body)
    }
  }

  // A function each, so that a small block does not take a large one's stack; a vector more than
  // asked for leaves room to align the rest.

  @inline(never)
  private static func withKibibyte(_ body: (UnsafeMutableRawPointer) -> Void) {
    var memory = InlineArray<17, SIMD64<UInt8>>(initializingWith: leave)
    unsafe lend(&memory, to: body)
  }

  @inline(never)
  private static func with4Kibibytes(_ body: (UnsafeMutableRawPointer) -> Void) {
    var memory = InlineArray<65, SIMD64<UInt8>>(initializingWith: leave)
    unsafe lend(&memory, to: body)
  }

  @inline(never)
  private static func with16Kibibytes(_ body: (UnsafeMutableRawPointer) -> Void) {
    var memory = InlineArray<257, SIMD64<UInt8>>(initializingWith: leave)
    unsafe lend(&memory, to: body)
  }

  @inline(never)
  private static func with64Kibibytes(_ body: (UnsafeMutableRawPointer) -> Void) {
    var memory = InlineArray<1025, SIMD64<UInt8>>(initializingWith: leave)
    unsafe lend(&memory, to: body)
  }

  /// Counts elements as initialized without touching them: any bits are some.
  @inline(__always)
  private static func leave(_ span: inout OutputSpan<SIMD64<UInt8>>) {
    unsafe span.withUnsafeMutableBufferPointer { memory, count in
      count = memory.count
    }
  }

  /// Aligning goes up by less than a vector, which `memory` has to spare.
  @inline(__always)
  private static func lend<Memory>(
    _ memory: inout Memory, to body: (UnsafeMutableRawPointer) -> Void
  ) {
    unsafe withUnsafeMutableBytes(of: &memory) { bytes in
      if let base = bytes.baseAddress { unsafe body(base.alignedUp(toMultipleOf: 64)) }
    }
  }
}
