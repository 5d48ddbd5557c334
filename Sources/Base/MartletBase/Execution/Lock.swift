//===--- Lock.swift - mutual exclusion ------------------------------------===//
//
// Networks used by several tasks share buffers between runs, which a lock guards. The value holds a
// closure, as `Workers` does, so that it also compiles for Embedded Swift, which has no mutex.
//
// Contract  Bodies never run in parallel. `none` is for networks used by one task at a time.
//===----------------------------------------------------------------------===//

/// Runs bodies one at a time.
public struct Lock: Sendable {
  private let run: @Sendable (_ body: () -> Void) -> Void

  /// Creates a lock; `run` calls each body once, while no other one runs.
  public init(_ run: @escaping @Sendable (_ body: () -> Void) -> Void) { self.run = run }

  /// No lock, for use by one task at a time.
  public static let none = Lock { $0() }

  /// Creates a lock for this platform: ``mutex()``, or ``none`` in Embedded Swift.
  public static func automatic() -> Lock {
    #if hasFeature(Embedded)
      none
    #else
      mutex()
    #endif
  }

  #if !hasFeature(Embedded)
    /// Creates a lock for use by any number of tasks.
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
