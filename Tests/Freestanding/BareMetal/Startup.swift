//===--- Startup.swift - variables, stack and memory operations -----------===//
//
// What every image without a system needs: it initializes its variables, measures its stack by
// filling it with marks, and has the memory operations that the compiler calls by name.
//
// Contract  One thread. No heap. Compiled with `-disable-loop-idiom-all`; otherwise a copying loop
//           in `memcpy` could become a call of `memcpy` itself.
//===----------------------------------------------------------------------===//

import MartletFreestanding

// Symbols that the linker script defines; never called.
typealias LinkerSymbol = @convention(c) () -> Void
@_extern(c, "data_load") private func dataLoad()
@_extern(c, "data_start") private func dataStart()
@_extern(c, "data_end") private func dataEnd()
@_extern(c, "bss_start") private func bssStart()
@_extern(c, "bss_end") private func bssEnd()
@_extern(c, "stack_bottom") private func stackBottom()
@_extern(c, "stack_top") func stackTop()

func address(_ symbol: LinkerSymbol) -> UInt { unsafeBitCast(symbol, to: UInt.self) }

/// The memory between two symbols.
func memory(_ start: LinkerSymbol, _ end: LinkerSymbol) -> UnsafeMutableRawBufferPointer {
  UnsafeMutableRawBufferPointer(
    start: UnsafeMutableRawPointer(bitPattern: address(start)),
    count: Int(address(end) - address(start)))
}

/// Fills the unused part of the stack with a mark, then initializes variables.
func prepareMemory() {
  var here = mark
  let used = withUnsafePointer(to: &here) { address(stackTop) - UInt(bitPattern: $0) }
  let stack = memory(stackBottom, stackTop).bindMemory(to: UInt32.self)
  // Leaves out this function's own stack frame.
  for index in 0..<stack.count - Int(used / 4) - 64 { stack[index] = mark }
  memory(bssStart, bssEnd).initializeMemory(as: UInt8.self, repeating: 0)
  let data = memory(dataStart, dataEnd)
  data.copyMemory(
    from: UnsafeRawBufferPointer(
      start: UnsafeRawPointer(bitPattern: address(dataLoad)), count: data.count))
}

private let mark: UInt32 = 0x5AC4_0B1E

/// The most bytes of stack used so far.
func stackPeak() -> Int {
  let stack = memory(stackBottom, stackTop).bindMemory(to: UInt32.self)
  let untouched = stack.firstIndex { $0 != mark } ?? stack.count
  return 4 * (stack.count - untouched)
}

// MARK: - Memory operations

@_cdecl("memcpy")
func copy(
  _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int
) -> UnsafeMutableRawPointer {
  MemoryOperations.copy(target, source, count)
  return target
}

@_cdecl("memmove")
func move(
  _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int
) -> UnsafeMutableRawPointer {
  MemoryOperations.move(target, source, count)
  return target
}

@_cdecl("memset")
func fill(
  _ target: UnsafeMutableRawPointer, _ byte: Int32, _ count: Int
) -> UnsafeMutableRawPointer {
  MemoryOperations.fill(target, UInt8(truncatingIfNeeded: byte), count)
  return target
}

@_cdecl("memcmp")
func compare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Int32 {
  MemoryOperations.compare(a, b, count)
}
