//===--- CancellationCheck.swift - cancellation of long work --------------===//
//
// Long operations ask a check whether to continue. The check's source is outside the core: a clock,
// a task, or a flag.
//
// Contract  Once a check has returned a reason, it returns one until the work has ended. Any thread
//           may ask at any time.
// Cost      One call of a closure, about once per millisecond, never in an inner loop.
//===----------------------------------------------------------------------===//

/// Why an operation stopped early.
@nonexhaustive
public enum Interruption: Sendable, Hashable {
  /// The caller cancelled the work.
  case cancelled
  /// The work took longer than its time limit.
  case deadlineExceeded
}

/// Decides whether long operations stop.
///
/// ```swift
/// let end = ContinuousClock.now + .seconds(2)
/// let check = CancellationCheck { ContinuousClock.now < end ? nil : .deadlineExceeded }
/// let options = Interpreter.Options(cancellation: check)
/// ```
public struct CancellationCheck: Sendable {
  private let ask: @Sendable () -> Interruption?
  private let start: (@Sendable () -> CancellationCheck)?

  /// Creates a check that returns why to stop, or `nil` to continue.
  ///
  /// `ask` is called often, from several threads in parallel, and must return quickly. Once it has
  /// returned a reason, it must return one until the work has ended.
  public init(_ ask: @escaping @Sendable () -> Interruption?) {
    self.ask = ask
    start = nil
  }

  /// Creates a check that restarts with each operation, as a time limit does.
  ///
  /// `start` is called at the beginning, on the thread that starts the operation; the operation
  /// uses the check that it returns.
  public init(startingWith start: @escaping @Sendable () -> CancellationCheck) {
    ask = { nil }
    self.start = start
  }

  /// A check that never stops work.
  public static let never = CancellationCheck { nil }

  /// Why to stop, or `nil` to continue.
  public var interruption: Interruption? { ask() }

  /// Returns the check for an operation that starts now.
  package func started() -> CancellationCheck { start?() ?? self }

  /// Returns a check that stops if either of both does.
  package func or(_ other: CancellationCheck) -> CancellationCheck {
    CancellationCheck(startingWith: {
      let (first, second) = (started(), other.started())
      return CancellationCheck { first.interruption ?? second.interruption }
    })
  }
}
