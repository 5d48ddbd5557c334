/// Copies of an array in memory that kernels may read and write, for as long as `body` runs.
package func withBuffer<Element, Result>(
  _ elements: [Element], _ body: (UnsafeMutableBufferPointer<Element>) -> Result
) -> Result {
  var copy = elements
  return copy.withUnsafeMutableBufferPointer { body($0) }
}

/// What `body` leaves in `count` elements that begin as `filler`.
package func filled<Element>(
  _ count: Int, with filler: Element, _ body: (UnsafeMutableBufferPointer<Element>) -> Void
) -> [Element] {
  var elements = [Element](repeating: filler, count: count)
  elements.withUnsafeMutableBufferPointer { body($0) }
  return elements
}
