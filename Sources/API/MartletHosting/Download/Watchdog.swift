//===--- Watchdog.swift - time limits for asynchronous work ---------------===//
//
// Contract  The work is cancelled and has ended before the watchdog's error is thrown.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

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
  /// Waits for a number of seconds. `Task.sleep(for:)` needs iOS 16 and macOS 13.
  static func sleep(seconds: TimeInterval) async throws {
    try await sleep(nanoseconds: UInt64(max(0, min(seconds, 1e9)) * 1e9))
  }

  /// Waits for a number of seconds; returns `false` if the task is cancelled first.
  ///
  /// A cancelled `Task.sleep` keeps its memory until the time has passed, which is a day for a
  /// whole download. A cancelled timer is freed immediately.
  static func isElapsed(seconds: TimeInterval) async -> Bool {
    let (ends, feed) = AsyncStream.makeStream(of: Void.self)
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + seconds)
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
  /// The seconds over which bytes are counted.
  let period: TimeInterval

  private var bytesPerPeriod: Int {
    Int(clamping: Int64(max(0, min(1e18, Double(bytesPerSecond) * period))))
  }

  /// Returns once fewer bytes arrive in a period than required. `counter` counts them.
  func waitUntilTooSlow(_ counter: ByteCounter) async -> ModelHostingError {
    var before = 0
    while await Task.isElapsed(seconds: period) {
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
  private let bytes = Mutex(0)

  var count: Int { bytes.withLock { $0 } }

  func add(_ count: Int) { bytes.withLock { $0 += count } }
}
