//===--- WebAssembly.swift - runtime functions for browsers ---------------===//
//
// A WebAssembly module without imports has no C library. This file defines the functions that the
// compiler and the standard library call: memory management in the module's linear memory, rounding
// and products.
//
// Contract  Single-threaded. Hash tables have a fixed seed; results do not depend on their order.
//===----------------------------------------------------------------------===//

#if arch(wasm32)
  @_silgen_name("llvm.wasm.memory.grow.i32")
  private func growMemory(_ memory: Int32, _ pages: Int32) -> Int32
  @_silgen_name("llvm.wasm.memory.size.i32")
  private func memorySize(_ memory: Int32) -> Int32

  /// The module's linear memory after the linker's data.
  private struct LinearMemory: GrowingMemory {
    mutating func start() -> UInt { UInt(memorySize(0)) << 16 }

    mutating func grow(by count: UInt) -> UInt? {
      let present = UInt(memorySize(0))
      let pages = (count + 0xFFFF) >> 16
      // Grows by an eighth, for fewer calls, or else by the minimum. The last page of 4 GiB stays
      // unused, because the memory's end must be an address.
      for pages in [pages + present >> 3, pages]
      where present + pages <= 0xFFFF && growMemory(0, Int32(pages)) >= 0 {
        return pages << 16
      }
      return nil
    }
  }

  // Accessed by one thread only.
  nonisolated(unsafe) private var heap = Heap(LinearMemory())

  /// Allocates memory to be freed with `releaseMemory`; `nil` if there is not enough.
  package func takeMemory(_ count: Int) -> UnsafeMutableRawPointer? { unsafe heap.allocate(count) }

  /// Frees memory returned by `takeMemory`.
  package func releaseMemory(_ place: UnsafeMutableRawPointer?) { unsafe heap.free(place) }

  /// The bytes in use, and their maximum so far.
  package var memoryUse: (now: UInt, peak: UInt) { unsafe (heap.use, heap.peak) }

  @_cdecl("posix_memalign")
  package func alignedMemory(
    _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ count: Int
  ) -> Int32 {
    let outOfMemory: Int32 = 12
    guard let place = unsafe heap.allocate(count, alignment: alignment) else { return outOfMemory }
    unsafe result.pointee = place
    return 0
  }

  /// The linker uses this function as `free`, a name that Swift does not allow to define.
  @_cdecl("__wrap_free")
  package func wrappedFree(_ place: UnsafeMutableRawPointer?) { unsafe heap.free(place) }

  /// The linker uses this function as the runtime's function of that name, which is called if an
  /// initializer throws and does not free the object. The highest bit of the reference count marks
  /// an object on the stack. No class here has a superclass, whose members the runtime would
  /// destroy.
  @_cdecl("__wrap_swift_deallocPartialClassInstance")
  package func wrappedFreeOfPartialInstance(
    _ object: UnsafeMutableRawPointer, _ metadata: UnsafeRawPointer, _ size: Int, _ alignment: Int
  ) {
    let referenceCount = unsafe object.load(fromByteOffset: MemoryLayout<Int>.size, as: Int.self)
    if referenceCount >= 0 { unsafe heap.free(object) }
  }

  @_cdecl("memcmp")
  package func compareMemory(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Int32 {
    unsafe MemoryOperations.compare(a, b, count)
  }

  @_cdecl("arc4random_buf")
  package func seed(_ place: UnsafeMutableRawPointer, _ count: Int) {
    unsafe MemoryOperations.fill(place, 0x9E, count)
  }

  @_cdecl("roundf")
  package func roundSingle(_ value: Float) -> Float { Arithmetic.round(value) }

  @_cdecl("round")
  package func roundDouble(_ value: Double) -> Double { Arithmetic.round(value) }

  @_cdecl("__multi3")
  package func product(
    _ result: UnsafeMutablePointer<UInt64>, _ a: UInt64, _ aHigh: UInt64, _ b: UInt64,
    _ bHigh: UInt64
  ) {
    let product = Arithmetic.product((a, aHigh), (b, bHigh))
    unsafe result[0] = product.low
    unsafe result[1] = product.high
  }
#endif
