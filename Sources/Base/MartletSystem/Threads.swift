//===--- Threads.swift - threads of the system ----------------------------===//

import MartletCLibrary

/// Detached threads.
package enum Threads {
  /// Runs `body` on a new thread. The job is retained for the thread, which releases it. If no
  /// thread starts, it is released here.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let job = unsafe Unmanaged.passRetained(ThreadBody(body))
    let status = unsafe startThread(job.toOpaque())
    guard status == 0 else {
      unsafe job.release()
      throw SystemError(status)
    }
  }
}

/// The work of a thread.
private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Starts a thread that calls `runJob` with `job`.
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

/// The start function of a thread; its pointer is optional on some systems. It is a retained `ThreadBody`,
/// which only this function releases.
private func runJob(_ job: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let job = unsafe job {
    unsafe Unmanaged<ThreadBody>.fromOpaque(job).takeRetainedValue().body()
  }
  return nil
}
