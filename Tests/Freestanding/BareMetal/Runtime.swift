//===--- Runtime.swift - run-time functions without a C library -----------===//
//
// The functions that the compiler and the standard library call by name, for any image without a
// system: memory operations, square roots, and a heap in the area that the linker script reserves.
//
// Contract  One thread. Hash tables get a fixed seed; no result depends on their order. The heap
//           has the size in the linker script, and the same calls return the same addresses. The
//           program ends if memory runs out, because not all of the standard library checks for
//           failure. Compiled with `-disable-loop-idiom-all`; otherwise a copying loop in `memcpy`
//           could become a call of `memcpy` itself.
// Checked   .ci/check/bare-metal
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
@_extern(c, "heap_start") private func heapStart()
@_extern(c, "heap_end") private func heapEnd()
@_extern(c, "input_start") private func inputStart()
@_extern(c, "input_end") private func inputEnd()

private func address(_ symbol: LinkerSymbol) -> UInt { unsafeBitCast(symbol, to: UInt.self) }

/// The memory between two symbols.
private func memory(_ start: LinkerSymbol, _ end: LinkerSymbol) -> UnsafeMutableRawBufferPointer {
  UnsafeMutableRawBufferPointer(
    start: UnsafeMutableRawPointer(bitPattern: address(start)),
    count: Int(address(end) - address(start)))
}

// MARK: - Start and end

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

/// Prints the peak use of heap and stack in bytes.
func reportMemory() {
  let stack = memory(stackBottom, stackTop).bindMemory(to: UInt32.self)
  let untouched = stack.firstIndex { $0 != mark } ?? stack.count
  print("heap \(heap.peak), stack \(4 * (stack.count - untouched))")
}

// MARK: - Memory

/// The whole area between `heap_start` and `heap_end`.
private struct HeapArea: GrowingMemory {
  private var isTaken = false

  mutating func start() -> UInt { address(heapStart) }

  mutating func grow(by count: UInt) -> UInt? {
    let size = address(heapEnd) - address(heapStart)
    guard !isTaken, count <= size else { return nil }
    isTaken = true
    return size
  }
}

nonisolated(unsafe) private var heap = Heap(HeapArea())

@_cdecl("posix_memalign")
func alignedMemory(
  _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ count: Int
) -> Int32 {
  guard let pointer = heap.allocate(count, alignment: alignment) else {
    print("the heap is full")
    shutDown()
  }
  result.pointee = pointer
  return 0
}

/// The linker uses this for `free`, because Swift does not allow a definition of that name.
@_cdecl("__wrap_free")
func wrappedFree(_ pointer: UnsafeMutableRawPointer?) { heap.free(pointer) }

@_cdecl("arc4random_buf")
func seed(_ pointer: UnsafeMutableRawPointer, _ count: Int) {
  MemoryOperations.fill(pointer, 0x9E, count)
}

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

@_silgen_name("llvm.sqrt.f32") private func squareRoot(_ value: Float) -> Float
@_cdecl("sqrtf") func root(_ value: Float) -> Float { squareRoot(value) }

// MARK: - Input and output

/// The rest of the built-in input.
nonisolated(unsafe) private var input = memory(inputStart, inputEnd)[...]

/// Reads the built-in input for any file descriptor.
@_cdecl("read")
func read(_ file: Int32, _ pointer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  let part = input.prefix(count)
  UnsafeMutableRawBufferPointer(start: pointer, count: count).copyBytes(from: part)
  input = input.dropFirst(count)
  return part.count
}

/// Sends bytes through the board's first UART, or its second if the file is standard error.
@_cdecl("write")
func write(_ file: Int32, _ pointer: UnsafeRawPointer, _ count: Int) -> Int {
  for byte in UnsafeRawBufferPointer(start: pointer, count: count) {
    send(byte, isError: file == 2)
  }
  return count
}

/// Sends a byte of a report about the program, such as its memory use or the reason for a trap.
@_cdecl("putchar")
func put(_ byte: Int32) -> Int32 {
  send(UInt8(truncatingIfNeeded: byte), isError: true)
  return byte
}
