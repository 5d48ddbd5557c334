/// Calls `body` with copies of `a` and `b` and a buffer of `count` result elements, and returns the
/// result.
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
