//===--- BlockingWork.swift - work that blocks its thread -----------------===//
//
// Swift's tasks share few threads. A task that waits for another process's lock, reads a whole file or
// waits for the disk would take one of them from all others.
//
// Contract  Starts at once, even if all threads of tasks are blocked. The caller waits without a thread.
//           Canceling the task does not end the work.
//===----------------------------------------------------------------------===//

import Dispatch

/// Runs `work` on a thread that belongs to no task, and returns its result.
func onOwnThread<Value: Sendable, Failure: Error>(
  _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
    DispatchQueue(label: "martlet.hosting.files", qos: .utility).async {
      continuation.resume(returning: Result { () throws(Failure) in try work() })
    }
  }
  return try result.get()
}
