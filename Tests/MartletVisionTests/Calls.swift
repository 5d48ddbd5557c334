import Synchronization

/// Counts calls, of a lock for example.
final class Calls: Sendable {
  private let count = Atomic(0)
  func add() { count.add(1, ordering: .relaxed) }
  /// The number of calls since the last time.
  func takeCount() -> Int { count.exchange(0, ordering: .relaxed) }
}
