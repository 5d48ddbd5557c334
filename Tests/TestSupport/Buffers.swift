//===--- Buffers.swift - memory for kernels -------------------------------===//
//
// Contract  Memory ends at a page that cannot be accessed, so a kernel that reads or writes past its
//           end crashes. Kernels use unsafe pointers, whose accesses `.ci/check/bounds` cannot check.
//===----------------------------------------------------------------------===//

import Foundation

/// Calls `body` with a copy of an array, and then copies the memory back to the array.
package func buffer<Element, Result>(
  _ array: inout [Element], _ body: (UnsafeMutableBufferPointer<Element>) throws -> Result
) rethrows -> Result {
  let page = Int(getpagesize())
  let used = array.count * MemoryLayout<Element>.stride
  let size = (used + page - 1) / page * page
  guard
    let pages = mmap(
      nil, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
    pages != MAP_FAILED, mprotect(pages + size, page, PROT_NONE) == 0
  else { fatalError("there is no memory for \(array.count) elements") }
  defer { munmap(pages, size + page) }
  let memory = UnsafeMutableBufferPointer(
    start: (pages + (size - used)).bindMemory(to: Element.self, capacity: array.count),
    count: array.count)
  _ = memory.initialize(from: array)
  defer {
    array = Array(memory)
    memory.deinitialize()
  }
  return try body(memory)
}

/// Calls `body` with a copy of an array in memory that kernels may read and write.
package func withBuffer<Element, Result>(
  _ elements: [Element], _ body: (UnsafeMutableBufferPointer<Element>) -> Result
) -> Result {
  var copy = elements
  return buffer(&copy, body)
}

/// The content of `count` elements, initially `filler`, after `body`.
package func filled<Element>(
  _ count: Int, with filler: Element, _ body: (UnsafeMutableBufferPointer<Element>) -> Void
) -> [Element] {
  var elements = [Element](repeating: filler, count: count)
  buffer(&elements, body)
  return elements
}
