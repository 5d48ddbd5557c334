//===--- Callback.swift - waiting for a callback --------------------------===//
//
// Contract  A test whose time limit ends is cancelled, and waits no longer. A continuation that nothing
//           resumes would keep it, and the whole run of tests, waiting without end.
//===----------------------------------------------------------------------===//

/// What `start` calls the function with that it is given; the first value if it does so several times.
///
/// - Throws: `CancellationError` if the task is cancelled before.
public func callbackValue<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  of start: (@escaping @Sendable (Value) -> Void) throws -> Void
) async throws -> Value {
  let (values, feed) = AsyncStream.makeStream(of: Value.self)
  try start { feed.yield($0) }
  for await value in values { return value }
  throw CancellationError()
}
