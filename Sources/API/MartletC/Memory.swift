//===--- Memory.swift - memory of martlet.wasm ----------------------------===//
//
// What a page needs beside the functions for C: memory for arguments, and its use. JavaScript reads
// addresses and sizes with `>>> 0`: from 2 GiB on they are negative as `i32`.
//
// Contract  Single-threaded. If memory runs out, the module traps, and the page must create a new
//           instance.
//===----------------------------------------------------------------------===//

#if arch(wasm32)
  import MartletFreestanding

  /// Allocates memory for an argument; returns 0 if there is none left.
  @c(takeMemory)
  public func takePageMemory(_ count: Int32) -> UnsafeMutableRawPointer? {
    unsafe takeMemory(Int(count))
  }

  /// Frees memory of `takeMemory`.
  @c(releaseMemory)
  public func releasePageMemory(_ place: UnsafeMutableRawPointer?) { unsafe releaseMemory(place) }

  /// The number of allocated bytes.
  @c(memoryInUse)
  public func memoryInUse() -> UInt32 { UInt32(memoryUse.now) }

  /// The largest number of bytes that were allocated at the same time.
  @c(largestMemoryInUse)
  public func largestMemoryInUse() -> UInt32 { UInt32(memoryUse.peak) }
#endif
