//===--- DetectionHead.swift - outputs to boxes ---------------------------===//
//
// Scores ▶ the best candidates ▶ boxes ▶ suppression of overlapping ones. A head tells where the
// score, the class and the box of a candidate are; the rest is the same for all.
//
// Contract  Candidates are sorted by decreasing score, ties by lower index. A score that is NaN,
//           infinite or far above 1 is an error, a box that is empty or not finite is dropped.
// Cost      One pass over the scores, eight candidates at once if they are adjacent; O(n · limit)
//           overlaps, for at most `candidateLimit` boxes from the lowest score on.
//===----------------------------------------------------------------------===//

/// The outputs of a kind of detectors.
protocol DetectionHead: Sendable {
  /// The number of classes, if the shapes tell it; background included.
  var classCount: Int? { get }
  /// What in the file has this form, in words.
  var reason: String { get }
  /// How images become the network's input.
  var input: DetectorInput { get }
  /// Which boxes are dropped.
  var suppression: BoxSuppression { get }
  /// The lowest score, unless options or metadata set one.
  var threshold: Float { get }
  /// The output of scores from 0 to 1; `nil` if they are logits.
  var scoreOutput: Int? { get }

  /// Adapts to the values of a run, such as the unit of coordinates.
  mutating func adapt(to outputs: HeadOutputs)
  /// Whether the values of a run can be of this head.
  func isPlausible(_ outputs: HeadOutputs) -> Bool
  /// The number of candidates of a run. It throws unless the outputs have as many numbers as the
  /// other methods read, which are called after it.
  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int
  /// The score and the class of a candidate. The class does not matter if the score is below
  /// `least`. A score that is no number is returned; a class that is none has the score -1.
  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int)
  /// The highest scores of eight candidates from `first` on, NaN for one with a score that is no
  /// number; `nil` if they are not faster to read than one by one.
  func highestScores(_ first: Int, _ outputs: HeadOutputs) -> SIMD8<Float>?
  /// The box of a candidate in units of the input's sides.
  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox
}

extension DetectionHead {
  var threshold: Float { 0.25 }
  func adapt(to outputs: HeadOutputs) {}
  func isPlausible(_ outputs: HeadOutputs) -> Bool { true }
  func highestScores(_ first: Int, _ outputs: HeadOutputs) -> SIMD8<Float>? { nil }
}

/// A box of a class before it is mapped to an image.
struct Candidate: Sendable {
  var box: RelativeBox
  let score: Float
  /// The index of the class.
  let index: Int
}

/// Which boxes of one object are dropped.
enum BoxSuppression: Sendable, Equatable {
  /// None: the network has dropped them.
  case none
  /// Those that overlap a better one of their class by more than this share of their union.
  case ofClass(Float)
  /// Those that overlap a better one of any class.
  case ofAll(Float)
  /// Cells of a class that touch become one box.
  case touching
}

/// The largest number of boxes that suppression considers.
private let candidateLimit = 4096
/// Scores above this are no scores. Quantized ones may exceed 1.
let scoreLimit: Float = 1.5

extension DetectionHead {
  /// The boxes of a run from the score `least` on.
  func candidates(
    _ outputs: HeadOutputs, of tensors: [InterfaceTensor], least: Float
  ) throws(VisionError) -> [Candidate] {
    let count = try candidateCount(outputs)
    var head = self
    head.adapt(to: outputs)
    var top = TopScores(count: min(count, candidateLimit))
    var next = 0
    while next < count {
      let candidate = next
      if candidate.isMultiple(of: 8), candidate + 8 <= count,
        let highest = head.highestScores(candidate, outputs),
        all((highest .< least) .& (highest .> -.infinity))
      {
        next += 8
        continue
      }
      next += 1
      let (score, index) = head.best(candidate, outputs, least: least)
      guard score.isFinite, score <= scoreLimit else {
        let name = tensors[scoreOutput ?? 0].name
        throw .unsuitable(
          score.isFinite
            ? .score(tensor: name, box: candidate, label: index, found: score)
            : .finiteOutput(tensor: name, index: candidate, found: score))
      }
      if score >= least { top.add(score, of: candidate) }
    }
    return top.sorted.compactMap { score, candidate in
      let box = head.box(candidate, outputs)
      guard !box.isEmpty, box.isFinite else { return nil }
      let index = head.best(candidate, outputs, least: least).index
      return Candidate(box: box, score: min(score, 1), index: index)
    }
  }

  /// Throws unless the output of a table has the numbers of its shape in the file.
  func check(
    _ tables: CandidateTable..., in outputs: HeadOutputs
  ) throws(VisionError) -> Int {
    for table in tables where outputs[table.output].count != table.count * table.channels {
      throw .unsuitable(
        .detectionShape(tensor: "\(table.output)", found: outputs[table.output].shape))
    }
    return tables[0].count
  }
}

extension [Candidate] {
  /// Returns the boxes that `suppression` keeps, at most `limit`. They are sorted by decreasing
  /// score, and stay so.
  func applying(_ suppression: BoxSuppression, limit: Int) -> [Candidate] {
    switch suppression {
    case .none: Array(prefix(limit))
    case .ofClass(let overlap): keeping(limit) { $0.index == $1.index && $0.overlaps($1, overlap) }
    case .ofAll(let overlap): keeping(limit) { $0.overlaps($1, overlap) }
    case .touching: Array(merged().prefix(limit))
    }
  }

  /// Returns at most `limit` boxes that are no duplicates of a better one.
  private func keeping(
    _ limit: Int, _ isDuplicate: (Candidate, Candidate) -> Bool
  ) -> [Candidate] {
    var kept: [Candidate] = []
    for candidate in self where !kept.contains(where: { isDuplicate(candidate, $0) }) {
      if kept.count == limit { break }
      kept.append(candidate)
    }
    return kept
  }

  /// Returns the boxes around cells of a class that touch, with the highest score.
  private func merged() -> [Candidate] {
    var rest = self[...]
    var merged: [Candidate] = []
    while let first = rest.popFirst() {
      var group = [first]
      var next = 0
      while next < group.count {
        let cell = group[next]
        next += 1
        let neighbors = rest.filter { $0.index == cell.index && $0.box.touches(cell.box) }
        guard !neighbors.isEmpty else { continue }
        rest.removeAll { $0.index == cell.index && $0.box.touches(cell.box) }
        group += neighbors
      }
      merged.append(
        Candidate(
          box: group.dropFirst().reduce(first.box) { $0.union($1.box) }, score: first.score,
          index: first.index))
    }
    return merged
  }
}

extension Candidate {
  /// Whether the boxes share more than `overlap` of their union.
  fileprivate func overlaps(_ other: Candidate, _ overlap: Float) -> Bool {
    let width = min(box.maxX, other.box.maxX) - max(box.minX, other.box.minX)
    let height = min(box.maxY, other.box.maxY) - max(box.minY, other.box.minY)
    guard width > 0, height > 0 else { return false }
    let shared = width * height
    return shared > overlap * (box.area + other.box.area - shared)
  }
}

extension RelativeBox {
  fileprivate var area: Float { (maxX - minX) * (maxY - minY) }
  fileprivate var isFinite: Bool { (minX + minY + maxX + maxY).isFinite }

  /// Whether the boxes share a point, with a tolerance for rounding.
  fileprivate func touches(_ other: RelativeBox) -> Bool {
    let tolerance: Float = 1e-4
    return minX <= other.maxX + tolerance && other.minX <= maxX + tolerance
      && minY <= other.maxY + tolerance && other.minY <= maxY + tolerance
  }

  fileprivate func union(_ other: RelativeBox) -> RelativeBox {
    RelativeBox(
      minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
      maxY: max(maxY, other.maxY))
  }

  /// The box around a center.
  init(centerX: Float, centerY: Float, width: Float, height: Float) {
    self.init(
      minX: centerX - width / 2, minY: centerY - height / 2, maxX: centerX + width / 2,
      maxY: centerY + height / 2)
  }
}
