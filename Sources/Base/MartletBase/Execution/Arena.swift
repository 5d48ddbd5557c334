//===--- Arena.swift - owner of raw memory --------------------------------===//
//
// One block of zeros, aligned for every vector width, that lives as long as its owner. All other
// code uses pointers into arenas.
//===----------------------------------------------------------------------===//

/// A block of zero-filled memory, aligned to a cache line. It is safe to keep: `base` is valid as
/// long as the arena lives. Users of `base` must stay in bounds and keep the arena alive.
@safe package final class Arena: @unchecked Sendable {
  /// The alignment of arenas and of blocks planned in them, in bytes.
  package static let alignment = 64

  /// The first byte; valid even if `byteCount` is zero.
  package let base: UnsafeMutableRawPointer
  /// The number of bytes, a multiple of the alignment.
  package let byteCount: Int

  /// Creates an arena of at least `byteCount` bytes.
  package init(byteCount: Int) {
    self.byteCount = max(Arena.aligned(byteCount), Arena.alignment)
    unsafe base = .allocate(byteCount: self.byteCount, alignment: Arena.alignment)
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: self.byteCount)
  }

  /// Creates an arena that starts with a copy of `bytes` and has at least as many bytes.
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
