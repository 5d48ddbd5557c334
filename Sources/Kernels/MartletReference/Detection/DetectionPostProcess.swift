//===--- DetectionPostProcess.swift - decoding and suppression of boxes ---===//
//
// Decodes boxes relative to anchors, then suppresses boxes that overlap a better one. This is done
// once, with each box's best class (fast), or for each class separately (regular).
//
// Contract  TFLite_Detection_PostProcess. Boxes are (ymin, xmin, ymax, xmax); encodings are center
//           and size, (y, x, h, w). A background class is first if there is one more score than
//           classes. Rows after the last detection are zero. Order     By decreasing score; equal
//           scores by lower index, then by lower class.
// Cost      A pass over the scores, and a heap of the boxes above the threshold. Each box taken
//           from the heap is compared with those selected, until there are enough; regular
//           suppression does that for each class.
//===----------------------------------------------------------------------===//

import MartletBase

/// Precomputed parameters of a detection post-process.
package struct DetectionPostProcess: Sendable {
  package var boxes: Int
  /// The number of floats from one encoding to the next: at least 4.
  package var encodingLength: Int
  package var classes: Int
  /// Whether the scores begin with a background class.
  package var hasBackground: Bool
  package var maximumDetections: Int
  /// Fast suppression: the number of classes reported for each box.
  package var classesPerDetection: Int
  /// Regular suppression: the maximum number of boxes for each class.
  package var detectionsPerClass: Int
  package var scoreThreshold: Float
  package var overlapThreshold: Float
  /// The divisors of the encodings: y, x, h, w.
  package var scales: SIMD4<Float>

  package init(
    boxes: Int, encodingLength: Int, classes: Int, hasBackground: Bool, maximumDetections: Int,
    classesPerDetection: Int, detectionsPerClass: Int, scoreThreshold: Float,
    overlapThreshold: Float, scales: SIMD4<Float>
  ) {
    self.boxes = boxes
    self.encodingLength = encodingLength
    self.classes = classes
    self.hasBackground = hasBackground
    self.maximumDetections = maximumDetections
    self.classesPerDetection = classesPerDetection
    self.detectionsPerClass = detectionsPerClass
    self.scoreThreshold = scoreThreshold
    self.overlapThreshold = overlapThreshold
    self.scales = scales
  }

  /// With fewer boxes, of eight classes each, waking another worker does not pay off.
  private static let grain = 1 << 11

  /// The number of rows of a detection's results.
  package var rows: Int { maximumDetections * classesPerDetection }

  /// The position of a score.
  func index(box: Int, class category: Int) -> Int {
    box * (classes + (hasBackground ? 1 : 0)) + category + (hasBackground ? 1 : 0)
  }
}

/// Scratch memory of a detection post-process.
package struct DetectionScratch {
  /// 4 floats for each box.
  package let decoded: UnsafeMutableBufferPointer<Float>
  /// One element for each box.
  package let best: UnsafeMutableBufferPointer<Float>
  package let candidates: UnsafeMutableBufferPointer<Int32>
  /// Twice the number of detections each: positions of scores.
  package let merged: UnsafeMutableBufferPointer<Int32>

  package init(
    decoded: UnsafeMutableBufferPointer<Float>, best: UnsafeMutableBufferPointer<Float>,
    candidates: UnsafeMutableBufferPointer<Int32>, merged: UnsafeMutableBufferPointer<Int32>
  ) {
    self.decoded = decoded
    self.best = best
    self.candidates = candidates
    self.merged = merged
  }
}

/// The outputs of a detection post-process.
package struct DetectionResults {
  package let boxes: UnsafeMutableBufferPointer<Float>
  package let classes: UnsafeMutableBufferPointer<Float>
  package let scores: UnsafeMutableBufferPointer<Float>
  package let count: UnsafeMutableBufferPointer<Float>

  package init(
    boxes: UnsafeMutableBufferPointer<Float>, classes: UnsafeMutableBufferPointer<Float>,
    scores: UnsafeMutableBufferPointer<Float>, count: UnsafeMutableBufferPointer<Float>
  ) {
    self.boxes = boxes
    self.classes = classes
    self.scores = scores
    self.count = count
  }

  /// Sets every row to zero.
  func clear() {
    boxes.update(repeating: 0)
    classes.update(repeating: 0)
    scores.update(repeating: 0)
  }

  func store(
    row: Int, box: Int, of decoded: UnsafeMutableBufferPointer<Float>, category: Int, score: Float
  ) {
    for i in 0..<4 { boxes[4 * row + i] = decoded[4 * box + i] }
    classes[row] = Float(category)
    scores[row] = score
  }
}

extension DetectionPostProcess {
  /// The corners of every box.
  package func decode(
    _ encodings: UnsafeMutableBufferPointer<Float>, anchors: UnsafeMutableBufferPointer<Float>,
    into decoded: UnsafeMutableBufferPointer<Float>, workers: Workers = .serial
  ) {
    workers.split(boxes, grain: DetectionPostProcess.grain / 8) { part in
      for box in part { decode(box, encodings, anchors, into: decoded) }
    }
  }

  private func decode(
    _ box: Int, _ encodings: UnsafeMutableBufferPointer<Float>,
    _ anchors: UnsafeMutableBufferPointer<Float>,
    into decoded: UnsafeMutableBufferPointer<Float>
  ) {
    let code = box * encodingLength
    for axis in 0..<2 {
      let center = Double(anchors[4 * box + axis])
      let size = Double(anchors[4 * box + 2 + axis])
      let middle = Float(
        Double(encodings[code + axis]) / Double(scales[axis]) * size + center)
      let growth = VectorMath.exp(Double(encodings[code + 2 + axis]) / Double(scales[2 + axis]))
      let half = Float(0.5 * growth * size)
      decoded[4 * box + axis] = middle - half
      decoded[4 * box + 2 + axis] = middle + half
    }
  }

  /// Suppresses boxes by each box's best class.
  package func fast(
    scores: UnsafeMutableBufferPointer<Float>, _ scratch: DetectionScratch,
    into results: DetectionResults, workers: Workers = .serial
  ) {
    results.clear()
    workers.split(boxes, grain: max(DetectionPostProcess.grain * 8 / max(classes, 1), 1)) { part in
      for box in part { scratch.best[box] = best(of: box, scores) }
    }
    let kept = suppress(scratch, limit: maximumDetections)
    for detection in 0..<kept {
      let box = Int(scratch.candidates[detection])
      // The best classes in order; each follows the one before by score and index.
      var last = (score: Float.infinity, category: -1)
      for place in 0..<min(classesPerDetection, classes) {
        var next = (score: -Float.infinity, category: -1)
        for category in 0..<classes {
          let score = scores[index(box: box, class: category)]
          let isLeft = score < last.score || (score == last.score && category > last.category)
          if isLeft && (next.category < 0 || score > next.score) { next = (score, category) }
        }
        guard next.category >= 0 else { break }
        results.store(
          row: detection * classesPerDetection + place, box: box, of: scratch.decoded,
          category: next.category, score: next.score)
        last = next
      }
    }
    results.count[0] = Float(kept)
  }

  /// The best score of a box, computed in lanes; NaN only if the first class has it.
  private func best(of box: Int, _ scores: UnsafeMutableBufferPointer<Float>) -> Float {
    let place = index(box: box, class: 0)
    let row = UnsafeMutableBufferPointer(rebasing: scores[place..<place + classes])
    guard var best = row.first else { return -.infinity }
    guard classes >= 8, let start = UnsafeRawPointer(row.baseAddress) else {
      for score in row.dropFirst() { best = max(best, score) }
      return best
    }
    var lanes = SIMD8<Float>(repeating: best)
    for category in stride(from: 0, to: classes, by: 8) {
      // The last eight may overlap the ones before.
      let eight = (start + 4 * min(category, classes - 8)).loadUnaligned(as: SIMD8<Float>.self)
      lanes.replace(with: eight, where: eight .> lanes)
    }
    for lane in lanes.indices { best = max(best, lanes[lane]) }
    return best
  }

  /// Suppresses boxes for each class separately; keeps the best detections of all classes.
  package func regular(
    scores: UnsafeMutableBufferPointer<Float>, _ scratch: DetectionScratch,
    into results: DetectionResults
  ) {
    results.clear()
    var count = 0
    for category in 0..<classes {
      for box in 0..<boxes { scratch.best[box] = scores[index(box: box, class: category)] }
      let kept = suppress(scratch, limit: min(detectionsPerClass, maximumDetections))
      for detection in 0..<kept {
        let place = index(box: Int(scratch.candidates[detection]), class: category)
        // If scores are equal, earlier classes come first.
        var position = count
        while position > 0, scores[Int(scratch.merged[position - 1])] < scores[place] {
          position -= 1
        }
        guard position < maximumDetections else { break }
        count = min(count + 1, maximumDetections)
        for i in stride(from: count - 1, to: position, by: -1) {
          scratch.merged[i] = scratch.merged[i - 1]
        }
        scratch.merged[position] = Int32(place)
      }
    }
    let width = classes + (hasBackground ? 1 : 0)
    for row in 0..<count {
      let place = Int(scratch.merged[row])
      results.store(
        row: row, box: place / width, of: scratch.decoded,
        category: place % width - (hasBackground ? 1 : 0), score: scores[place])
    }
    results.count[0] = Float(count)
  }

  /// Moves the selected boxes, at most `limit`, to the start of the candidates, best first, and
  /// returns their number.
  private func suppress(_ scratch: DetectionScratch, limit: Int) -> Int {
    var count = 0
    for box in 0..<boxes where scratch.best[box] >= scoreThreshold {
      scratch.candidates[count] = Int32(box)
      count += 1
    }
    // A heap with the best box at its top, since usually few are taken before `limit` remain.
    // Selected boxes are stored after the heap, which has shrunk by at least as many.
    let (candidates, best) = (scratch.candidates, scratch.best)
    func follows(_ a: Int32, _ b: Int32) -> Bool {
      best[Int(a)] < best[Int(b)] || (best[Int(a)] == best[Int(b)] && a > b)
    }
    Reference.makeHeap(candidates, count: count, by: follows)
    var kept = 0
    for waiting in stride(from: count - 1, through: 0, by: -1) where kept < limit {
      let box = candidates[0]
      candidates[0] = candidates[waiting]
      Reference.siftDown(candidates, from: 0, count: waiting, by: follows)
      let isFree = (0..<kept).allSatisfy {
        overlap(Int(candidates[count - 1 - $0]), Int(box), of: scratch.decoded) <= overlapThreshold
      }
      guard isFree else { continue }
      candidates[count - 1 - kept] = box
      kept += 1
    }
    for place in 0..<count / 2 { candidates.swapAt(place, count - 1 - place) }
    return kept
  }

  /// The intersection over union of two boxes; zero if one has no area.
  private func overlap(
    _ a: Int, _ b: Int, of boxes: UnsafeMutableBufferPointer<Float>
  ) -> Float {
    func area(_ i: Int) -> Float {
      (boxes[4 * i + 2] - boxes[4 * i]) * (boxes[4 * i + 3] - boxes[4 * i + 1])
    }
    guard area(a) > 0, area(b) > 0 else { return 0 }
    func shared(_ axis: Int) -> Float {
      let end = min(boxes[4 * a + 2 + axis], boxes[4 * b + 2 + axis])
      return max(end - max(boxes[4 * a + axis], boxes[4 * b + axis]), 0)
    }
    let intersection = shared(0) * shared(1)
    return intersection / (area(a) + area(b) - intersection)
  }
}
