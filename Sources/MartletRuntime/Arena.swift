//===--- Arena.swift - the only owner of raw memory -----------------------===//
//
// One block, aligned for every vector width and filled with zeros, that lives as long as its owner.
// Everything else works on pointers into one.
//
// Checked   Tests/MartletRuntimeTests/ArenaTests.swift
//===----------------------------------------------------------------------===//

/// A block of zero-filled memory, aligned to a cache line. Safe to hold: `base` is valid as long as the
/// arena lives, and whoever uses it answers for the bounds and keeps the arena.
@safe package final class Arena: @unchecked Sendable {
  /// The alignment of every arena and of every block planned in one, in bytes.
  package static let alignment = 64

  /// The first byte; valid even where `byteCount` is zero.
  package let base: UnsafeMutableRawPointer
  /// The number of bytes, a multiple of the alignment.
  package let byteCount: Int

  /// An arena of at least `byteCount` bytes.
  package init(byteCount: Int) {
    self.byteCount = max(Arena.aligned(byteCount), Arena.alignment)
    unsafe base = .allocate(byteCount: self.byteCount, alignment: Arena.alignment)
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: self.byteCount)
  }

  /// An arena that begins with a copy of `bytes`, which fits: the arena has at least as many bytes.
  package convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(byteCount: bytes.count)
    if let start = bytes.baseAddress {
      unsafe base.copyMemory(from: start, byteCount: bytes.count)
    }
  }

  deinit { unsafe base.deallocate() }

  /// `byteCount` rounded up to the alignment.
  package static func aligned(_ byteCount: Int) -> Int {
    (byteCount + alignment - 1) & ~(alignment - 1)
  }
}
