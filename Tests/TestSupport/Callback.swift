//===--- Callback.swift - waiting for a callback --------------------------===//
//
// Contract  A test that exceeds its time limit is cancelled and stops waiting. A continuation that
//           is never resumed would block the whole test run.
//===----------------------------------------------------------------------===//

/// The first value that `start` passes to its completion function.
///
/// - Throws: `CancellationError` if the task is cancelled first.
public func callbackValue<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  of start: (@escaping @Sendable (Value) -> Void) throws -> Void
) async throws -> Value {
  let (values, feed) = AsyncStream.makeStream(of: Value.self)
  try start { feed.yield($0) }
  for await value in values { return value }
  throw CancellationError()
}
