//===--- Mutex.swift - a mutex that the thread sanitizer observes ---------===//
//
// Where threads contend for the standard library's `Mutex`, its slow path takes it within that library,
// which the sanitizer does not observe: it then reports all that the mutex guards. It observes the
// system's mutexes. .ci/sanitize has this one take the other's place, in a copy of the package.
//===----------------------------------------------------------------------===//

import Glibc

/// A mutex of the system, with the interface of the standard library's.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let handle: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  /// A mutex that guards `initialValue`.
  public init(_ initialValue: consuming sending Value) {
    handle = .allocate(capacity: 1)
    pthread_mutex_init(handle, nil)
    value = .allocate(capacity: 1)
    value.initialize(to: initialValue)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(handle)
    handle.deallocate()
  }

  /// Calls `body` with the value while no other thread has it.
  public borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    pthread_mutex_lock(handle)
    defer { pthread_mutex_unlock(handle) }
    return try body(&value.pointee)
  }
}
