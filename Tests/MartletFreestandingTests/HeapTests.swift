import MartletFreestanding
import Testing

@Suite final class HeapTests {
  /// A memory area that grows by pages up to its end.
  struct Arena: GrowingMemory {
    let memory: UnsafeMutableRawBufferPointer
    var used = 0

    mutating func start() -> UInt { UInt(bitPattern: memory.baseAddress) }

    mutating func grow(by count: UInt) -> UInt? {
      let pages = (Int(count) + 4095) / 4096 * 4096
      guard used + pages <= memory.count else { return nil }
      used += pages
      return UInt(pages)
    }
  }

  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
  deinit { memory.deallocate() }

  @available(macOS 26, iOS 26, *)
  @Test(arguments: [16, 32, 64, 256, 4096])
  func allocatesAlignedMemoryInsideTheArena(_ alignment: Int) throws {
    var heap = Heap(Arena(memory: memory))
    for count in [0, 1, 15, 16, 17, 100, 5000] {
      let allocated = heap.allocate(count, alignment: alignment)
      let pointer = try #require(allocated)
      #expect(UInt(bitPattern: pointer) % UInt(alignment) == 0)
      let start = try #require(memory.baseAddress)
      #expect(pointer >= start && pointer + count <= start + memory.count)
    }
  }

  @available(macOS 26, iOS 26, *)
  @Test func returnsNilIfMemoryIsExhausted() {
    var heap = Heap(Arena(memory: memory))
    for (count, alignment) in [(2 << 20, 16), (-1, 16), (Int.max, 16), (16, Int.max)] {
      let pointer = heap.allocate(count, alignment: alignment)
      #expect(pointer == nil)
    }
    let pointer = heap.allocate(1000)
    #expect(pointer != nil)
    heap.free(pointer)
    heap.free(nil)
    let use = heap.use
    #expect(use == 0)
  }

  @available(macOS 26, iOS 26, *)
  @Test func mergesFreedNeighbors() throws {
    var heap = Heap(Arena(memory: memory))
    // Allocates all memory in blocks. After freeing them in any order, one block can use it all.
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [0, 2, 1, 3]] {
      let pointers = (0..<4).compactMap { _ in heap.allocate(255 << 10) }
      try #require(pointers.count == 4)
      for index in order { heap.free(pointers[index]) }
      let whole = heap.allocate(1020 << 10)
      #expect(whole != nil)
      heap.free(whole)
    }
    let (use, peak) = (heap.use, heap.peak)
    #expect(use == 0)
    #expect(peak >= 1020 << 10)
  }

  @available(macOS 26, iOS 26, *)
  @Test func reusesFreedMemory() {
    var heap = Heap(Arena(memory: memory))
    let first = heap.allocate(1000)
    let behind = heap.allocate(16)
    heap.free(first)
    let second = heap.allocate(990)
    #expect(second != nil && second == first && second != behind)
  }

  @available(macOS 26, iOS 26, *)
  @Test func findsFreedBlockBehindSmallerOne() {
    var heap = Heap(Arena(memory: memory))
    let blocks = [20_000, 16, 600, 16].map { heap.allocate($0) }
    // The smaller block is freed last, so a single list would have it first.
    heap.free(blocks[0])
    heap.free(blocks[2])
    let large = heap.allocate(19_000)
    #expect(large != nil && large == blocks[0])
  }

  /// Random blocks, each filled with its own byte, which later allocations never change.
  @available(macOS 26, iOS 26, *)
  @Test(arguments: 1...8) func blocksNeverOverlap(_ seed: Int) {
    var heap = Heap(Arena(memory: memory))
    var state = UInt64(seed)
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var blocks: [(pointer: UnsafeMutableRawPointer, count: Int, byte: UInt8)] = []
    for step in 0..<4000 {
      if blocks.isEmpty || random(100) < 52 {
        let count = random(10) == 0 ? random(60_000) : random(600)
        let alignment = 16 << random(4)
        guard let pointer = heap.allocate(count, alignment: alignment) else { continue }
        let byte = UInt8(truncatingIfNeeded: step)
        UnsafeMutableRawBufferPointer(start: pointer, count: count).initializeMemory(
          as: UInt8.self, repeating: byte)
        blocks.append((pointer, count, byte))
      } else {
        let block = blocks.remove(at: random(blocks.count))
        let bytes = UnsafeRawBufferPointer(start: block.pointer, count: block.count)
        #expect(bytes.allSatisfy { $0 == block.byte })
        heap.free(block.pointer)
      }
    }
    for block in blocks { heap.free(block.pointer) }
    let use = heap.use
    let whole = heap.allocate(1020 << 10)
    #expect(use == 0)
    #expect(whole != nil)
  }
}
