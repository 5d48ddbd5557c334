//===--- NonMaximumSuppression.swift - NON_MAX_SUPPRESSION_V4, _V5 --------===//
//
// Selects boxes by decreasing score and drops boxes whose overlap with a selected one reaches the
// threshold. Soft suppression reduces the score of other overlapping boxes: s · exp(-iou² / 2σ)
// (Bodla et al. 2017).
//
// Contract  LiteRT 2.3.0's `reference_ops::NonMaxSuppression`, including its quirk: a selected box
//           is queued again and then dropped for overlapping itself, unless it has no area.
//           Elements after the selected ones are unchanged. Order     Equal scores as in
//           `CandidateQueue`. A candidate is compared with the boxes selected since it was last
//           queued, newest first.
// Cost      Each box that is popped is compared with the boxes selected since it was queued.
//===----------------------------------------------------------------------===//

import MartletBase

/// The thresholds of suppression.
package struct SuppressionRule: Sendable {
  /// Boxes whose overlap with a selected one is at least this are dropped.
  package var overlap: Float
  /// Boxes are dropped unless their score is higher than this.
  package var score: Float
  /// The width of soft suppression; 0 for none.
  package var sigma: Float

  package init(overlap: Float, score: Float, sigma: Float = 0) {
    self.overlap = overlap
    self.score = score
    self.sigma = sigma
  }
}

/// Memory for suppression, with one element for each box.
package struct SuppressionScratch {
  let heap: UnsafeMutableBufferPointer<Int32>
  let scores: UnsafeMutableBufferPointer<Float>
  let begins: UnsafeMutableBufferPointer<Int32>

  package init(
    heap: UnsafeMutableBufferPointer<Int32>, scores: UnsafeMutableBufferPointer<Float>,
    begins: UnsafeMutableBufferPointer<Int32>
  ) {
    self.heap = heap
    self.scores = scores
    self.begins = begins
  }
}

extension Reference {
  /// Selects at most `selected.count` boxes (corners [y, x, y, x]) and returns their number.
  /// `selectedScores` receives their scores unless it is empty.
  package static func suppress(
    _ boxes: UnsafeMutableBufferPointer<Float>, scores: UnsafeMutableBufferPointer<Float>,
    _ rule: SuppressionRule, _ scratch: SuppressionScratch,
    selected: UnsafeMutableBufferPointer<Int32>,
    selectedScores: UnsafeMutableBufferPointer<Float>
  ) -> Int {
    var queue = CandidateQueue(heap: scratch.heap, scores: scratch.scores)
    for (box, score) in scores.enumerated() where score > rule.score {
      scratch.scores[box] = score
      scratch.begins[box] = 0
      queue.push(Int32(truncatingIfNeeded: box))
    }
    let limit = min(queue.count, selected.count)
    var count = 0
    while count < limit, let next = queue.pop() {
      let box = Int(next)
      let original = scratch.scores[box]
      guard
        let score = decayed(
          original, box, boxes, rule, against: selected[Int(scratch.begins[box])..<count])
      else { continue }
      scratch.begins[box] = Int32(truncatingIfNeeded: count)
      scratch.scores[box] = score
      if score == original {
        selected[count] = next
        if !selectedScores.isEmpty { selectedScores[count] = score }
        count += 1
      }
      if score > rule.score { queue.push(next) }
    }
    return count
  }

  /// Returns `score` reduced by the selected boxes, or `nil` if one of them overlaps too
  /// much.
  private static func decayed(
    _ score: Float, _ box: Int, _ boxes: UnsafeMutableBufferPointer<Float>,
    _ rule: SuppressionRule, against selected: Slice<UnsafeMutableBufferPointer<Int32>>
  ) -> Float? {
    let scale = rule.sigma > 0 ? -0.5 / rule.sigma : 0
    var score = score
    for other in selected.reversed() {
      let shared = overlap(box, Int(other), of: boxes)
      if shared >= rule.overlap { return nil }
      if rule.sigma > 0 {
        // In double precision the result is the nearest float, except for rare ties.
        score *= Float(VectorMath.exp(Double(scale * shared * shared)))
      }
      if score <= rule.score { break }
    }
    return score
  }

  /// The intersection over union of two boxes, with corners in any order; zero if one
  /// has no area.
  private static func overlap(
    _ a: Int, _ b: Int, of boxes: UnsafeMutableBufferPointer<Float>
  ) -> Float {
    func low(_ box: Int, _ axis: Int) -> Float {
      min(boxes[4 * box + axis], boxes[4 * box + 2 + axis])
    }
    func high(_ box: Int, _ axis: Int) -> Float {
      max(boxes[4 * box + axis], boxes[4 * box + 2 + axis])
    }
    func area(_ box: Int) -> Float {
      (high(box, 0) - low(box, 0)) * (high(box, 1) - low(box, 1))
    }
    func shared(_ axis: Int) -> Float {
      max(min(high(a, axis), high(b, axis)) - max(low(a, axis), low(b, axis)), 0)
    }
    let areas = (area(a), area(b))
    if areas.0 <= 0 || areas.1 <= 0 { return 0 }
    let intersection = shared(0) * shared(1)
    let union = areas.0 + areas.1 - intersection
    return union == 0 ? 0 : intersection / union
  }
}
