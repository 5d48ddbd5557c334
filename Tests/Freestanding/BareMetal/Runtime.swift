//===--- Runtime.swift - what compiled code calls, without a C library ----===//
//
// The functions by the names that the compiler and the standard library call, for any image without a
// system: memory, its operations, the heap in the area that the linker script sets aside, roots.
//
// Contract  One thread. Hash tables get a fixed seed: no result depends on their order. The heap has the
//           size that the linker script gives it, and the same calls give the same addresses; the
//           program ends where there is no more: not all of the standard library asks.
//           Compiled with `-disable-loop-idiom-all`: a compiler that finds a copying loop in `memcpy`
//           would make it call itself.
// Checked   .ci/check/bare-metal
//===----------------------------------------------------------------------===//

import MartletFreestanding

// Places that the linker script names; never called.
typealias Place = @convention(c) () -> Void
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

private func address(_ place: Place) -> UInt { unsafeBitCast(place, to: UInt.self) }

/// The memory between two places.
private func memory(_ start: Place, _ end: Place) -> UnsafeMutableRawBufferPointer {
  UnsafeMutableRawBufferPointer(
    start: UnsafeMutableRawPointer(bitPattern: address(start)),
    count: Int(address(end) - address(start)))
}

// MARK: - Start and end

/// Fills what is left of the stack with a mark, then gives variables their first values.
func prepareMemory() {
  var here = mark
  let used = withUnsafePointer(to: &here) { address(stackTop) - UInt(bitPattern: $0) }
  let stack = memory(stackBottom, stackTop).bindMemory(to: UInt32.self)
  // What this function itself has on the stack is left out.
  for index in 0..<stack.count - Int(used / 4) - 64 { stack[index] = mark }
  memory(bssStart, bssEnd).initializeMemory(as: UInt8.self, repeating: 0)
  let data = memory(dataStart, dataEnd)
  data.copyMemory(
    from: UnsafeRawBufferPointer(
      start: UnsafeRawPointer(bitPattern: address(dataLoad)), count: data.count))
}

private let mark: UInt32 = 0x5AC4_0B1E

/// Prints the most bytes of heap and stack that were ever in use.
func reportMemory() {
  let stack = memory(stackBottom, stackTop).bindMemory(to: UInt32.self)
  let untouched = stack.firstIndex { $0 != mark } ?? stack.count
  print("heap \(heap.peak), stack \(4 * (stack.count - untouched))")
}

// MARK: - Memory

/// The area between `heap_start` and `heap_end`, all of it at once.
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
  guard let place = heap.allocate(count, alignment: alignment) else {
    print("the heap is full")
    leave()
  }
  result.pointee = place
  return 0
}

/// What the linker puts in place of `free`, a name that Swift does not let be defined.
@_cdecl("__wrap_free")
func wrappedFree(_ place: UnsafeMutableRawPointer?) { heap.free(place) }

@_cdecl("arc4random_buf")
func seed(_ place: UnsafeMutableRawPointer, _ count: Int) {
  MemoryOperations.fill(place, 0x9E, count)
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

/// What is left of the built-in input.
nonisolated(unsafe) private var input = memory(inputStart, inputEnd)[...]

/// Reads the built-in input, whichever the file.
@_cdecl("read")
func read(_ file: Int32, _ place: UnsafeMutableRawPointer, _ count: Int) -> Int {
  let part = input.prefix(count)
  UnsafeMutableRawBufferPointer(start: place, count: count).copyBytes(from: part)
  input = input.dropFirst(count)
  return part.count
}

/// Sends bytes by the board's first line, or its second where the file is standard error.
@_cdecl("write")
func write(_ file: Int32, _ place: UnsafeRawPointer, _ count: Int) -> Int {
  for byte in UnsafeRawBufferPointer(start: place, count: count) {
    send(byte, isError: file == 2)
  }
  return count
}

/// Sends a byte of what is printed, which is about the program: how much memory it took, why it trapped.
@_cdecl("putchar")
func put(_ byte: Int32) -> Int32 {
  send(UInt8(truncatingIfNeeded: byte), isError: true)
  return byte
}
