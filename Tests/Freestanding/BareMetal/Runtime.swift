//===--- Runtime.swift - run-time functions without a C library -----------===//
//
// Functions that the standard library and the programs call by name, for images without a system:
// the heap, in the area that the linker script reserves, square roots, input and output.
//
// Contract  One thread. Hash tables get a fixed seed; no result depends on their order. The heap
//           has the size in the linker script, and the same calls return the same addresses. The
//           program ends if memory runs out, because not all of the standard library checks for
//           failure.
//===----------------------------------------------------------------------===//

import MartletFreestanding

@_extern(c, "heap_start") private func heapStart()
@_extern(c, "heap_end") private func heapEnd()
@_extern(c, "input_start") private func inputStart()
@_extern(c, "input_end") private func inputEnd()

/// Prints the peak use of heap and stack in bytes.
func reportMemory() {
  print("heap \(heap.peak), stack \(stackPeak())")
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
