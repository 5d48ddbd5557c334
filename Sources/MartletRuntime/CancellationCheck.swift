//===--- CancellationCheck.swift - when to stop working -------------------===//
//
// Long work asks a check whether it may continue. What the check looks at is given from outside: a
// clock, a task, a flag. The core has none of these.
//
// Contract  A check that has returned a reason returns one until the work has ended. Any thread may
//           ask, at any time.
// Cost      One call of a closure. Work asks about once a millisecond, never in an inner loop.
// Checked   Tests/MartletRuntimeTests/CancellationCheckTests.swift, WorkersTests.swift
//===----------------------------------------------------------------------===//

/// Why work ends before it is done.
public enum Interruption: Sendable, Hashable {
  /// The caller cancelled the work.
  case cancelled
  /// The work took longer than its time limit.
  case deadlineExceeded
}

/// Tells long work when to stop.
///
/// ```swift
/// let options = Interpreter.Options(cancellation: CancellationCheck { flag.isSet ? .cancelled : nil })
/// ```
public struct CancellationCheck: Sendable {
  private let ask: @Sendable () -> Interruption?
  private let start: (@Sendable () -> CancellationCheck)?

  /// A check that returns why work is to stop, or `nil` if it may continue.
  ///
  /// `ask` is called often, from several threads at once, and must return quickly. Once it has
  /// returned a reason, it returns one until the work has ended.
  public init(_ ask: @escaping @Sendable () -> Interruption?) {
    self.ask = ask
    start = nil
  }

  /// A check that begins anew with each piece of work, as a time limit does.
  ///
  /// `start` is called at the beginning, on the thread that begins the work; the work asks what it
  /// returns.
  public init(startingWith start: @escaping @Sendable () -> CancellationCheck) {
    ask = { nil }
    self.start = start
  }

  /// A check that never stops work.
  public static let never = CancellationCheck { nil }

  /// Why work is to stop, or `nil` if it may continue.
  public var interruption: Interruption? { ask() }

  /// The check for a piece of work that begins now.
  package func started() -> CancellationCheck { start?() ?? self }

  /// A check that stops work if either of two does.
  package func or(_ other: CancellationCheck) -> CancellationCheck {
    CancellationCheck(startingWith: {
      let (first, second) = (started(), other.started())
      return CancellationCheck { first.interruption ?? second.interruption }
    })
  }
}
