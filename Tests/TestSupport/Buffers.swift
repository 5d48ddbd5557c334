/// Calls `body` with a copy of an array in memory that kernels may read and write.
package func withBuffer<Element, Result>(
  _ elements: [Element], _ body: (UnsafeMutableBufferPointer<Element>) -> Result
) -> Result {
  var copy = elements
  return copy.withUnsafeMutableBufferPointer { body($0) }
}

/// The content of `count` elements, initially `filler`, after `body`.
package func filled<Element>(
  _ count: Int, with filler: Element, _ body: (UnsafeMutableBufferPointer<Element>) -> Void
) -> [Element] {
  var elements = [Element](repeating: filler, count: count)
  elements.withUnsafeMutableBufferPointer { body($0) }
  return elements
}
