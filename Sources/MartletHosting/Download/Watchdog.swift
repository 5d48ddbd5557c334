//===--- Watchdog.swift - work that is ended where it takes too long ------===//
//
// Contract  The work is cancelled, and has ended, before its watchdog's error is thrown.
// Checked   Tests/MartletHostingTests/WatchdogTests.swift
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

/// What `work` gives, or the error of `watchdog`, where that returns before it. Both are cancelled with the task.
func withWatchdog<Value: Sendable>(
  _ watchdog: @escaping @Sendable () async -> ModelHostingError,
  work: @escaping @Sendable () async throws(ModelHostingError) -> Value
) async throws(ModelHostingError) -> Value {
  let outcome = await withTaskGroup(of: Result<Value, ModelHostingError>.self) { group in
    group.addTask {
      do throws(ModelHostingError) { return .success(try await work()) } catch {
        return .failure(error)
      }
    }
    group.addTask { .failure(await watchdog()) }
    defer { group.cancelAll() }
    return await group.next() ?? .failure(.cancelled)
  }
  return try outcome.get()
}

extension Task where Success == Never, Failure == Never {
  /// Waits so long; `false` if the task is cancelled before.
  ///
  /// A cancelled `Task.sleep` keeps its memory until its time has come, a day for the limit of a whole
  /// download. A cancelled timer is freed at once.
  static func isElapsed(_ duration: Duration) async -> Bool {
    let (ends, feed) = AsyncStream.makeStream(of: Void.self)
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + duration / .seconds(1))
    timer.setEventHandler { feed.yield() }
    timer.resume()
    defer { timer.cancel() }
    var end = ends.makeAsyncIterator()
    return await end.next() != nil
  }
}

/// The least that has to come of an answer.
struct LowestSpeed: Sendable {
  let bytesPerSecond: Int
  /// The time over which bytes are counted.
  let period: Duration

  private var bytesPerPeriod: Int {
    Int(clamping: Int64(min(1e18, Double(bytesPerSecond) * (period / .seconds(1)))))
  }

  /// Returns once less has come in a period, of the bytes that `counter` counts.
  func undercut(_ counter: ByteCounter) async -> ModelHostingError {
    var before = 0
    while await Task.isElapsed(period) {
      let count = counter.count
      if count - before < bytesPerPeriod {
        return .tooSlow(bytes: count - before, expected: bytesPerPeriod, period: period)
      }
      before = count
    }
    return .cancelled
  }
}

/// Counts bytes.
final class ByteCounter: Sendable {
  private let bytes = Atomic(0)

  var count: Int { bytes.load(ordering: .relaxed) }

  func add(_ count: Int) { bytes.wrappingAdd(count, ordering: .relaxed) }
}
