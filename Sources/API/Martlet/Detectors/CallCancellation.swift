//===--- CallCancellation.swift - cancelling a call of a detector ---------===//
//
// A detector's call runs on a thread that belongs to no task. A flag says whether the task that
// waits for the call was cancelled. The networks of the call check it.
//
// Checked   Tests/MartletTests/CancellationTests.swift
//===----------------------------------------------------------------------===//

public import MartletBase
package import MartletInference
import Synchronization

/// Whether a call was cancelled.
package final class CallCancellation: Sendable {
  /// The flag of the call that runs on this thread.
  @TaskLocal private static var current: CallCancellation?

  private let isCancelled = Atomic(false)

  package init() {}

  /// Stops the networks that the call runs.
  package func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Calls `body`. Its networks stop if the call is cancelled.
  package func callAsFunction<Result>(_ body: () -> Result) -> Result {
    CallCancellation.$current.withValue(self, operation: body)
  }

  /// Checks the flag of the call that starts the work.
  static let check = CancellationCheck(startingWith: {
    guard let current else { return .never }
    return CancellationCheck {
      current.isCancelled.load(ordering: .relaxed) ? .cancelled : nil
    }
  })
}

extension CancellationCheck {
  /// A check that stops work if the current task is canceled.
  ///
  /// ```swift
  /// let options = Interpreter.Options(cancellation: .task)
  /// ```
  public static let task = CancellationCheck { Task.isCancelled ? .cancelled : nil }
}

extension Interpreter.Options {
  /// The same options; networks stop if their call is cancelled.
  package var stoppingWithCall: Interpreter.Options {
    var options = self
    options.cancellation = cancellation.or(CallCancellation.check)
    return options
  }
}
