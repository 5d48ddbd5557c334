//===--- Threads.swift - threads of the system ----------------------------===//
//
// Checked   Tests/MartletSystemTests/ThreadsTests.swift
//===----------------------------------------------------------------------===//

/// Threads that nobody waits for.
package enum Threads {
  /// Runs `body` on a new thread. What it does is retained for the thread, which releases it; where none
  /// starts, that is done here.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let job = unsafe Unmanaged.passRetained(Job(body))
    let status = unsafe startThread(job.toOpaque())
    guard status == 0 else {
      unsafe job.release()
      throw SystemError(status)
    }
  }
}

/// What a thread does.
private final class Job: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Starts a thread that `runJob` runs on with `job`.
private func startThread(_ job: UnsafeMutableRawPointer) -> Int32 {
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let status = unsafe pthread_create(&thread, nil, { unsafe runJob($0) }, job)
  #if canImport(Darwin)
    if status == 0, let thread = unsafe thread { unsafe pthread_detach(thread) }
  #else
    if status == 0 { pthread_detach(thread) }
  #endif
  return status
}

/// What a thread begins with; the pointer is optional on some systems. It is a retained `Job`, which this
/// alone releases.
private func runJob(_ job: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let job = unsafe job { unsafe Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body() }
  return nil
}
