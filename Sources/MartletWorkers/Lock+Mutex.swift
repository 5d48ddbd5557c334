//===--- Lock+Mutex.swift - a lock between threads ------------------------===//
//
// Checked   Tests/MartletWorkersTests/LockTests.swift
//===----------------------------------------------------------------------===//

public import MartletRuntime
import Synchronization

extension Lock {
  /// A new lock, for use from any number of tasks.
  public static func mutex() -> Lock {
    let mutex = Mutex(())
    return Lock { body in mutex.withLock { _ in body() } }
  }
}
