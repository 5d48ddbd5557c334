//===--- Mutex.swift - a mutex that the thread sanitizer observes ---------===//
//
// If threads contend for the standard library's `Mutex`, its slow path is inside that library,
// which the thread sanitizer does not observe. The sanitizer then reports races on everything that
// the mutex guards. It does observe the system's mutexes, so .ci/sanitize replaces `Mutex` with
// this type in a copy of the package.
//===----------------------------------------------------------------------===//

import Glibc

/// A system mutex with the interface of the standard library's.
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

  /// Calls `body` with the value while it holds the mutex.
  public borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    pthread_mutex_lock(handle)
    defer { pthread_mutex_unlock(handle) }
    return try body(&value.pointee)
  }
}
