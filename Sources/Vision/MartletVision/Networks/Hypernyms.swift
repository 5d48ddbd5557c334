//===--- Hypernyms.swift - broader words for names ------------------------===//
//
// An object that may be an apple, a pear or a peach is surely a fruit.
//
// Contract  Each name has at most one hypernym. The confidence of a hypernym is the sum of its names'
//           probabilities, at most 1, times its share of the two largest sums.
// Cost      One pass over the probabilities.
// Source    Weights/classifier.md
//===----------------------------------------------------------------------===//

/// Names and their hypernyms.
struct Hypernyms: Sendable {
  /// The names, then the hypernyms that are not among them.
  let labels: [String]
  /// The hypernym of each name, as an index of `labels`; `nil` for a name without one.
  private let broader: [Int?]

  /// Creates the list of names with the hypernym of each, or an empty string.
  init(_ hypernyms: [String], of names: [String]) {
    var labels = names
    var indices: [String: Int] = [:]
    for (index, name) in names.enumerated() { indices[name] = index }
    broader = hypernyms.map { hypernym in
      if hypernym.isEmpty { return nil }
      if let index = indices[hypernym] { return index }
      indices[hypernym] = labels.count
      labels.append(hypernym)
      return labels.count - 1
    }
    self.labels = labels
  }

  /// The hypernym of a label, as an index of `labels`.
  func hypernym(of index: Int) -> Int? { broader.indices.contains(index) ? broader[index] : nil }

  /// The most probable hypernym, given the probabilities of the names.
  func best(_ probabilities: [Float]) -> (index: Int, confidence: Float) {
    var sums = [Float](repeating: 0, count: labels.count)
    for (probability, hypernym) in zip(probabilities, broader) {
      if let hypernym { sums[hypernym] += probability }
    }
    var (best, first, second) = (0, Float(0), Float(0))
    for (index, sum) in sums.enumerated() where sum > second {
      second = min(sum, first)
      if sum > first { (best, first) = (index, sum) }
    }
    return (best, first > 0 ? min(first, 1) * first / (first + second) : 0)
  }
}
