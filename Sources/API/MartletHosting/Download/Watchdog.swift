//===--- Watchdog.swift - time limits for asynchronous work ---------------===//
//
// Contract  The work is cancelled and has ended before the watchdog's error is thrown.
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

/// Returns the result of `work`, or throws the error of `watchdog` if that returns first. Both are
/// cancelled with the task.
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
  /// Waits for a duration; returns `false` if the task is cancelled first.
  ///
  /// A cancelled `Task.sleep` keeps its memory until the duration has passed, which is a day for a
  /// whole download. A cancelled timer is freed immediately.
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

/// The lowest accepted download speed.
struct LowestSpeed: Sendable {
  let bytesPerSecond: Int
  /// The period over which bytes are counted.
  let period: Duration

  private var bytesPerPeriod: Int {
    Int(clamping: Int64(min(1e18, Double(bytesPerSecond) * (period / .seconds(1)))))
  }

  /// Returns once fewer bytes arrive in a period than required. `counter` counts them.
  func waitUntilTooSlow(_ counter: ByteCounter) async -> ModelHostingError {
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

/// Counts the bytes received.
final class ByteCounter: Sendable {
  private let bytes = Atomic(0)

  var count: Int { bytes.load(ordering: .relaxed) }

  func add(_ count: Int) { bytes.wrappingAdd(count, ordering: .relaxed) }
}
