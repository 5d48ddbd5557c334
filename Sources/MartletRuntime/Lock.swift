//===--- Lock.swift - mutual exclusion ------------------------------------===//
//
// Networks that several tasks use share what they reuse between runs, which a lock guards. The value
// holds a closure, as `Workers` does, so that Embedded Swift, which has no mutex, compiles it too.
//
// Contract  Bodies never run at the same time. `none` is for networks that are used from one task at
//           a time.
// Checked   Tests/MartletWorkersTests/LockTests.swift
//===----------------------------------------------------------------------===//

#if !hasFeature(Embedded)
  import Synchronization
#endif

/// Runs pieces of work one after another, whoever calls.
public struct Lock: Sendable {
  private let run: @Sendable (_ body: () -> Void) -> Void

  /// A lock that calls each body once, while no other runs.
  public init(_ run: @escaping @Sendable (_ body: () -> Void) -> Void) { self.run = run }

  /// No lock: for use from one task at a time.
  public static let none = Lock { $0() }

  /// A new lock as this system needs it: ``mutex()``, or ``none`` in Embedded Swift.
  public static func automatic() -> Lock {
    #if hasFeature(Embedded)
      none
    #else
      mutex()
    #endif
  }

  #if !hasFeature(Embedded)
    /// A new lock, for use from any number of tasks.
    public static func mutex() -> Lock {
      let mutex = Mutex(())
      return Lock { body in mutex.withLock { _ in body() } }
    }
  #endif

  /// Calls `body` while no other body of this lock runs, and returns its result.
  package func withLock<Result>(_ body: () -> Result) -> Result {
    var result: Result?
    run { result = body() }
    guard let result else { preconditionFailure("a lock calls what it is given") }
    return result
  }
}
