//===--- CallCancellation.swift - cancelling a call of a detector ---------===//
//
// A detector's call runs on a thread that belongs to no task. A flag says whether the task that
// waits for the call was cancelled, and a time when it must end. Decoding and the networks of the
// call check both.
//===----------------------------------------------------------------------===//

public import MartletBase
package import MartletInference
import MartletVision

/// Whether a call was cancelled.
package final class CallCancellation: Sendable {
  /// Stops the work of the call that runs on this thread.
  @TaskLocal private static var current = CancellationCheck.never

  private let isCancelled = Mutex(false)

  package init() {}

  /// Stops the work of the call.
  package func cancel() { isCancelled.withLock { $0 = true } }

  /// Calls `body`. Its work stops if the call is cancelled, or after a number of seconds.
  package func callAsFunction<Result>(
    within limit: Double? = nil, _ body: () -> Result
  ) -> Result {
    let flag = CancellationCheck { self.isCancelled.withLock { $0 } ? .cancelled : nil }
    let check = limit.map { flag.or(.timeLimit(seconds: $0)) } ?? flag
    return CallCancellation.$current.withValue(check.started(), operation: body)
  }

  /// The check of the call that starts the work.
  static let check = CancellationCheck(startingWith: { current })
}

extension DecodingConfiguration {
  /// The time limit in seconds; one out of range counts as the nearest one.
  var timeLimit: Double? {
    let range = DecodingConfiguration.timeoutRange
    return timeout.map { $0 >= range.lowerBound ? min($0, range.upperBound) : range.lowerBound }
  }
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
