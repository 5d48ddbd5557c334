//===--- Heap.swift - memory allocator ------------------------------------===//
//
// An allocator with boundary tags: a block stores its own size and that of the block before it. So
// a freed block is merged with its free neighbors, and the last block becomes unused memory again.
// Free blocks are in lists by size, four for each power of two, with one bit per list that is not
// empty.
//
// Contract  Memory is aligned to 16 bytes, or as requested. The same calls return the same
//           addresses. Returns `nil` if there is not enough memory. Not thread-safe.
// Cost      A constant number of steps per call; 16 bytes per block.
// Source    Segregated fit with constant time: Masmano and others, TLSF, ECRTS 2004
//===----------------------------------------------------------------------===//

/// Memory that can grow at its end.
package protocol GrowingMemory {
  /// The start of the memory; a multiple of 16.
  mutating func start() -> UInt
  /// Extends the memory by at least `count` bytes. Returns the number of bytes added, or `nil` if
  /// that is not possible.
  mutating func grow(by count: UInt) -> UInt?
}

/// An allocator in memory that grows.
@available(macOS 26, iOS 26, *)  // for `InlineArray`
package struct Heap<Memory: GrowingMemory>: ~Copyable {
  private var memory: Memory
  /// The end of the blocks and the start of unused memory; 0 before the first call.
  private var top: UInt = 0
  /// The end of the memory.
  private var end: UInt = 0
  /// The size of the block that ends at `top`, or 0 if there is none.
  private var lastSize: UInt = 0
  private var lists = InlineArray<128, UInt>(repeating: 0)
  private var filled: (low: UInt64, high: UInt64) = (0, 0)
  /// The bytes in use, including the blocks' headers, and their maximum so far.
  package private(set) var use: UInt = 0
  package private(set) var peak: UInt = 0

  package init(_ memory: Memory) { self.memory = memory }

  /// The size of the header before a block's contents: the block's size, with `isUsed` as the
  /// lowest bit, and the size of the block before it.
  private static var head: UInt { 16 }
  /// The smallest block: a header and two links.
  private static var least: UInt { 32 }

  /// Allocates at least `count` bytes at a multiple of `alignment`, a power of two. Returns `nil`
  /// if there is not enough memory.
  package mutating func allocate(_ count: Int, alignment: Int = 16) -> UnsafeMutableRawPointer? {
    guard count >= 0, alignment > 0, count <= Int.max / 4, alignment <= Int.max / 4 else {
      return nil
    }
    let size = max(Heap.least, (UInt(count) + Heap.head + 15) & ~15)
    let extra = alignment > 16 ? UInt(alignment) + Heap.least : 0
    guard var block = takeFree(size + extra) ?? takeNew(size + extra) else { return nil }
    if extra > 0 { block = aligned(block, to: UInt(alignment)) }
    cut(block, to: size)
    use += Heap.size(block)
    peak = max(peak, use)
    return unsafe UnsafeMutableRawPointer(bitPattern: block + Heap.head)
  }

  /// Frees memory returned by `allocate`.
  package mutating func free(_ place: UnsafeMutableRawPointer?) {
    guard let place = unsafe place else { return }
    let block = UInt(bitPattern: place) - Heap.head
    use -= Heap.size(block)
    release(block)
  }

  // MARK: - Blocks

  // Every address below is that of a block between the memory's start and `top`, whose header this
  // type wrote, or of a free block's links after the header. So all accesses are within the memory.

  private static func word(_ address: UInt) -> UInt {
    unsafe UnsafePointer<UInt>(bitPattern: address).map { unsafe $0.pointee } ?? 0
  }

  private static func set(_ address: UInt, _ value: UInt) {
    unsafe UnsafeMutablePointer<UInt>(bitPattern: address)?.pointee = value
  }

  private static var wordSize: UInt { UInt(MemoryLayout<UInt>.size) }

  private static func size(_ block: UInt) -> UInt { word(block) & ~15 }
  private static func isUsed(_ block: UInt) -> Bool { word(block) & 1 == 1 }
  private static func previousSize(_ block: UInt) -> UInt { word(block + wordSize) }

  /// Writes a block's size to its header and to that of the next block.
  private mutating func mark(_ block: UInt, size: UInt, isUsed: Bool) {
    Heap.set(block, size | (isUsed ? 1 : 0))
    if block + size == top {
      lastSize = size
    } else {
      Heap.set(block + size + Heap.wordSize, size)
    }
  }

  /// Takes a block from unused memory.
  private mutating func takeNew(_ size: UInt) -> UInt? {
    if top == 0 {
      top = memory.start()
      end = top
    }
    if end - top < size {
      guard let more = memory.grow(by: size - (end - top)) else { return nil }
      end += more
    }
    let block = top
    Heap.set(block + Heap.wordSize, lastSize)
    top += size
    mark(block, size: size, isUsed: true)
    return block
  }

  /// Returns the part of a block whose contents are aligned; frees the part before it.
  private mutating func aligned(_ block: UInt, to alignment: UInt) -> UInt {
    let contents = block + Heap.head
    guard contents & (alignment - 1) != 0 else { return block }
    let place = (contents + Heap.least + alignment - 1) & ~(alignment - 1)
    let part = place - Heap.head
    let size = Heap.size(block)
    mark(block, size: part - block, isUsed: true)
    Heap.set(part + Heap.wordSize, part - block)
    mark(part, size: block + size - part, isUsed: true)
    release(block)
    return part
  }

  /// Frees the part of a block beyond `size`.
  private mutating func cut(_ block: UInt, to size: UInt) {
    let whole = Heap.size(block)
    guard whole - size >= Heap.least else { return }
    let rest = block + size
    mark(block, size: size, isUsed: true)
    Heap.set(rest + Heap.wordSize, size)
    mark(rest, size: whole - size, isUsed: true)
    release(rest)
  }

  /// Frees a used block and merges it with its free neighbors.
  private mutating func release(_ block: UInt) {
    var (start, size) = (block, Heap.size(block))
    let before = Heap.previousSize(block)
    if before > 0, !Heap.isUsed(start - before) {
      start -= before
      size += before
      unlink(start)
    }
    let next = block + Heap.size(block)
    if next != top, !Heap.isUsed(next) {
      size += Heap.size(next)
      unlink(next)
    }
    if start + size == top {
      lastSize = Heap.previousSize(start)
      top = start
    } else {
      mark(start, size: size, isUsed: false)
      link(start)
    }
  }

  // MARK: - Lists of free blocks

  /// The list of blocks of this size; every block in a later list is larger.
  private static func list(_ size: UInt) -> Int {
    let power = UInt.bitWidth - 1 - size.leadingZeroBitCount
    return min((power - 5) * 4 + Int(size >> UInt(power - 2)) - 4, 127)
  }

  /// Removes a free block of at least this size from its list and returns it.
  private mutating func takeFree(_ size: UInt) -> UInt? {
    let own = Heap.list(size)
    // Blocks of the same list may be too small; only the first one is checked.
    var block = lists[own]
    if block == 0 || Heap.size(block) < size {
      guard let next = firstFilled(after: own) else { return nil }
      block = lists[next]
      // The last list has all larger sizes.
      guard Heap.size(block) >= size else { return nil }
    }
    unlink(block)
    mark(block, size: Heap.size(block), isUsed: true)
    return block
  }

  private func firstFilled(after list: Int) -> Int? {
    let first = list + 1
    if first < 64 {
      let low = (filled.low >> UInt64(first)) << UInt64(first)
      if low != 0 { return low.trailingZeroBitCount }
    }
    guard first < 128 else { return nil }
    let shift = UInt64(max(first - 64, 0))
    let high = (filled.high >> shift) << shift
    return high == 0 ? nil : 64 + high.trailingZeroBitCount
  }

  private mutating func setFilled(_ list: Int, _ isFilled: Bool) {
    let bit = UInt64(1) << UInt64(list & 63)
    if list < 64 {
      filled.low = isFilled ? filled.low | bit : filled.low & ~bit
    } else {
      filled.high = isFilled ? filled.high | bit : filled.high & ~bit
    }
  }

  private mutating func link(_ block: UInt) {
    let list = Heap.list(Heap.size(block))
    let (next, back) = (block + Heap.head, block + Heap.head + Heap.wordSize)
    Heap.set(next, lists[list])
    Heap.set(back, 0)
    if lists[list] != 0 { Heap.set(lists[list] + Heap.head + Heap.wordSize, block) }
    lists[list] = block
    setFilled(list, true)
  }

  private mutating func unlink(_ block: UInt) {
    let list = Heap.list(Heap.size(block))
    let next = Heap.word(block + Heap.head)
    let back = Heap.word(block + Heap.head + Heap.wordSize)
    if back == 0 { lists[list] = next } else { Heap.set(back + Heap.head, next) }
    if next != 0 { Heap.set(next + Heap.head + Heap.wordSize, back) }
    if lists[list] == 0 { setFilled(list, false) }
  }
}
