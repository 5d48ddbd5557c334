//===--- StackMemory.swift - scratch memory on the stack ------------------===//
//
// Rows that a kernel writes and reads again while they are in the cache are stored on the stack of
// the thread that runs the chunk. In the arena they would need memory for every chunk and layer.
//
// Contract  At most `limit` bytes, which fit every thread's stack; 0 on platforms with small
//           stacks. The memory is uninitialized.
// Cost      No allocation; the memory is not touched. On macOS and iOS before 26 it may be on the
//           heap.
//===----------------------------------------------------------------------===//

/// Memory that is valid during a call.
package enum StackMemory {
  #if hasFeature(Embedded) && !MARTLET_STACK
    /// The largest size in bytes. `MARTLET_STACK` is for Embedded Swift on a system.
    package static let limit = 0
  #else
    /// The largest size in bytes.
    package static let limit = 64 << 10
  #endif

  /// Calls `body` with the address of at least `byteCount` bytes, aligned for every vector and
  /// valid until `body` returns.
  ///
  /// - Precondition: `byteCount` is at most `limit`.
  package static func with(_ byteCount: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    precondition(byteCount <= limit)
    guard #available(macOS 26, iOS 26, *) else {
      return unsafe withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 64) { memory in
        if let base = memory.baseAddress { unsafe body(base) }
      }
    }
    switch byteCount {
    case ...(1 << 10): unsafe withKibibyte(body)
    case ...(4 << 10): unsafe with4Kibibytes(body)
    case ...(16 << 10): unsafe with16Kibibytes(body)
    default: unsafe with64Kibibytes(body)
    }
  }

  // One function per size, so that a small block does not use a large one's stack. Each block has
  // the size in its function's name, plus one vector that leaves room for alignment.

  @available(macOS 26, iOS 26, *)
  @inline(never)
  private static func withKibibyte(_ body: (UnsafeMutableRawPointer) -> Void) {
    var memory = InlineArray<17, SIMD64<UInt8>>(initializingWith: leave)
    unsafe lend(&memory, to: body)
  }

  @available(macOS 26, iOS 26, *)
  @inline(never)
  private static func with4Kibibytes(_ body: (UnsafeMutableRawPointer) -> Void) {
    var memory = InlineArray<65, SIMD64<UInt8>>(initializingWith: leave)
    unsafe lend(&memory, to: body)
  }

  @available(macOS 26, iOS 26, *)
  @inline(never)
  private static func with16Kibibytes(_ body: (UnsafeMutableRawPointer) -> Void) {
    var memory = InlineArray<257, SIMD64<UInt8>>(initializingWith: leave)
    unsafe lend(&memory, to: body)
  }

  @available(macOS 26, iOS 26, *)
  @inline(never)
  private static func with64Kibibytes(_ body: (UnsafeMutableRawPointer) -> Void) {
    var memory = InlineArray<1025, SIMD64<UInt8>>(initializingWith: leave)
    unsafe lend(&memory, to: body)
  }

  /// Marks elements as initialized without touching them: any bits are valid.
  @inline(__always)
  private static func leave(_ span: inout OutputSpan<SIMD64<UInt8>>) {
    unsafe span.withUnsafeMutableBufferPointer { memory, count in
      count = memory.count
    }
  }

  /// Aligns up by less than a vector, for which `memory` has room.
  @inline(__always)
  private static func lend<Memory>(
    _ memory: inout Memory, to body: (UnsafeMutableRawPointer) -> Void
  ) {
    unsafe withUnsafeMutableBytes(of: &memory) { bytes in
      if let base = bytes.baseAddress { unsafe body(base.alignedUp(toMultipleOf: 64)) }
    }
  }
}
