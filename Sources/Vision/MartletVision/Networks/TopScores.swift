//===--- TopScores.swift - highest scores ---------------------------------===//
//
// Contract  Sorted by decreasing score; ties go to the lower index.
// Cost      Memory for twice as many scores as are returned, however many are added.
//===----------------------------------------------------------------------===//

/// Collects the highest scores; scores are added by ascending index.
struct TopScores {
  typealias Entry = (score: Float, index: Int)

  private let count: Int
  private var entries: [Entry] = []
  /// The score that a new one has to exceed.
  private var least = -Float.infinity
  private var isFull = false

  /// Creates a collection of the `count` highest scores.
  init(count: Int) { self.count = count }

  /// Adds a score; `index` must be higher than those before.
  mutating func add(_ score: Float, of index: Int) {
    guard count > 0, !isFull || score > least else { return }
    entries.append((score, index))
    if entries.count - count >= max(count, 64) { prune() }
  }

  private mutating func prune() {
    entries.sort { ($1.score, $0.index) < ($0.score, $1.index) }
    entries.removeLast(max(entries.count - count, 0))
    isFull = entries.count == count
    if isFull, let last = entries.last { least = last.score }
  }

  /// The highest scores by decreasing score.
  var sorted: [Entry] {
    var copy = self
    copy.prune()
    return copy.entries
  }
}
