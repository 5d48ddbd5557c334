//===--- Mutex.swift - a value for one thread at a time -------------------===//
//
// The standard library's `Mutex` needs iOS 18 and macOS 15. Embedded Swift has neither.
//
// Contract  Bodies never run in parallel. A body must not use its own mutex.
// Cost      An allocation to create it; some nanoseconds without contention.
//===----------------------------------------------------------------------===//

#if !hasFeature(Embedded)
  import MartletCLibrary

  /// A value that one thread at a time uses.
  ///
  /// `@unchecked` because the system's mutex guards the value.
  @safe package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    @unsafe private struct Contents {
      var handle = unsafe pthread_mutex_t()
      var value: Value
    }

    /// Memory at a fixed address, as the system requires of a mutex.
    private let contents: UnsafeMutablePointer<Contents>

    /// A mutex that guards `initialValue`.
    package init(_ initialValue: sending Value) {
      unsafe contents = .allocate(capacity: 1)
      unsafe contents.initialize(to: unsafe Contents(value: initialValue))
      unsafe pthread_mutex_init(&contents.pointee.handle, nil)
    }

    deinit {
      unsafe pthread_mutex_destroy(&contents.pointee.handle)
      unsafe contents.deinitialize(count: 1)
      unsafe contents.deallocate()
    }

    /// Calls `body` with the value while no other thread does, and returns its result.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      unsafe pthread_mutex_lock(&contents.pointee.handle)
      defer { unsafe pthread_mutex_unlock(&contents.pointee.handle) }
      return try unsafe body(&contents.pointee.value)
    }
  }

  extension Mutex<Int> {
    /// Adds one and returns the sum.
    package borrowing func increase() -> Int {
      withLock { count in
        count += 1
        return count
      }
    }
  }
#endif
