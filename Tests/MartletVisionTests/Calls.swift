import MartletBase

/// Counts calls, of a lock for example.
final class Calls: Sendable {
  private let count = Mutex(0)
  func add() { count.withLock { $0 += 1 } }
  /// The number of calls since the last time.
  func takeCount() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }
}
