//===--- SharedDownload.swift - one download, several observers -----------===//
//
// Contract  Each observer receives progress, and the outcome once. An observer that leaves receives
//           `.cancelled` at once. When the last one leaves, the download is cancelled.
//===----------------------------------------------------------------------===//

import MartletBase

/// A download with several observers.
final class SharedDownload: Sendable {
  typealias Outcome = Result<ModelVersion, ModelHostingError>

  /// An observer of the download.
  struct Observer: Sendable {
    let onProgress: @Sendable (ModelDownloadProgress) -> Void
    let onEnd: @Sendable (Outcome) -> Void
  }

  private struct State {
    var observers: [Int: Observer] = [:]
    var next = 0
    var progress: ModelDownloadProgress?
    var task: Task<Void, Never>?
    var isCancelled = false
    var outcome: Outcome?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Adds an observer; returns its number, or `nil` if the download has ended or was cancelled.
  func join(_ observer: Observer) -> Int? {
    let (number, progress): (Int?, ModelDownloadProgress?) = state.withLock { state in
      guard state.outcome == nil, !state.isCancelled else { return (nil, nil) }
      state.next += 1
      state.observers[state.next] = observer
      return (state.next, state.progress)
    }
    if number != nil, let progress { observer.onProgress(progress) }
    return number
  }

  /// Removes an observer, which receives `.cancelled`.
  func leave(_ number: Int) {
    let (observer, task) = state.withLock { state in
      let observer = state.observers.removeValue(forKey: number)
      if observer != nil, state.observers.isEmpty { state.isCancelled = true }
      return (observer, state.isCancelled ? state.task : nil)
    }
    task?.cancel()
    observer?.onEnd(.failure(.cancelled))
  }

  /// Cancels the download for all observers.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Runs the download in its own task.
  func start(_ work: @escaping @Sendable () async -> Void) {
    let task = Task.detached { await work() }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func report(_ progress: ModelDownloadProgress) {
    let observers = state.withLock { state in
      state.progress = progress
      return state.observers.sorted { $0.key < $1.key }
    }
    for (_, observer) in observers { observer.onProgress(progress) }
  }

  /// Reports the outcome to all observers, in the order in which they joined.
  func end(_ outcome: Outcome) {
    let (observers, waiting) = state.withLock { state in
      defer {
        state.outcome = outcome
        state.observers = [:]
        state.waiting = []
      }
      return (state.observers.sorted { $0.key < $1.key }, state.waiting)
    }
    for (_, observer) in observers { observer.onEnd(outcome) }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the download has ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.outcome == nil { state.waiting.append(continuation) }
        return state.outcome != nil
      }
      if isOver { continuation.resume() }
    }
  }
}
