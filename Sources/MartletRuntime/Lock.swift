//===--- Lock.swift - mutual exclusion, given from outside ----------------===//
//
// Where there are threads, what is shared needs a lock, and a lock needs a system. The value holds a
// closure, as `Workers` does, so that code without a system below can ask for one.
//
// Contract  Bodies never run at the same time. `none` is for programs that use what it guards from
//           one task at a time; `MartletWorkers` has one for all others.
// Checked   Tests/MartletWorkersTests/LockTests.swift
//===----------------------------------------------------------------------===//

/// Runs pieces of work one after another, whoever asks.
public struct Lock: Sendable {
  private let run: @Sendable (_ body: () -> Void) -> Void

  /// A lock that calls each body once, while no other runs.
  public init(_ run: @escaping @Sendable (_ body: () -> Void) -> Void) { self.run = run }

  /// No lock: for use from one task at a time.
  public static let none = Lock { $0() }

  /// Calls `body` while no other body of this lock runs, and gives its result.
  package func withLock<Result>(_ body: () -> Result) -> Result {
    var result: Result?
    run { result = body() }
    guard let result else { preconditionFailure("a lock calls what it is given") }
    return result
  }
}
