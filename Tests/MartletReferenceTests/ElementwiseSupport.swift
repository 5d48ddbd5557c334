/// Calls `body` with the memory of copies of `a` and `b` and of `count` elements of a result, which
/// it returns.
func combined<A, B, R>(
  _ a: [A], _ b: [B], _ count: Int, of initial: R,
  _ body: (
    UnsafeMutableBufferPointer<A>, UnsafeMutableBufferPointer<B>, UnsafeMutableBufferPointer<R>
  ) throws -> Void
) rethrows -> [R] {
  var a = a
  var b = b
  var result = [R](repeating: initial, count: count)
  try a.withUnsafeMutableBufferPointer { a in
    try b.withUnsafeMutableBufferPointer { b in
      try result.withUnsafeMutableBufferPointer { try body(a, b, $0) }
    }
  }
  return result
}
