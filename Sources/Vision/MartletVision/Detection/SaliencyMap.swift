//===--- SaliencyMap.swift - localizer output -----------------------------===//
//
// For each cell of a grid the network returns two logits (whether the cell is on an object, and
// whether the image is about that object) and four logarithms of distances from the cell's center
// to the box's sides, in cells.
//
// Contract  `logits` is [height, width, 2], `boxes` [height, width, 4] in the order left, top,
//           right, bottom. Distances are clamped to e⁻⁴...e⁴ cells, boxes to the image. Objects are
//           sorted by decreasing score, ties by lower index.
// Cost      A logistic per cell; a sort, two logistics and four exponentials per returned object.
//===----------------------------------------------------------------------===//

import MartletBase

/// One level of a localizer's output, in real numbers.
package struct SaliencyMap: Sendable {
  package let width: Int
  package let height: Int
  package let logits: [Float]
  package let boxes: [Float]

  /// Creates a map of `width` times `height` cells. Returns `nil` if the arrays' sizes do not fit.
  package init?(width: Int, height: Int, logits: [Float], boxes: [Float]) {
    let (cells, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, logits.count / 2 == cells, logits.count % 2 == 0,
      boxes.count / 4 == cells, boxes.count % 4 == 0
    else { return nil }
    self.width = width
    self.height = height
    self.logits = logits
    self.boxes = boxes
  }

  /// Returns the `limit` best objects with a score of at least `minimumScore`, in pixels of an image
  /// of this size.
  package func objects(in size: ImageSize, minimumScore: Float, limit: Int) -> [DetectedObject] {
    let candidates = (0..<width * height).filter {
      VectorMath.logistic(logits[2 * $0]) >= minimumScore
    }
    let best = candidates.sorted { (logits[2 * $1], $0) < (logits[2 * $0], $1) }
    return best.prefix(limit).map { cell in
      var object = DetectedObject(
        frame: box(cell).pixels(of: size), score: VectorMath.logistic(logits[2 * cell]))
      object.prominence = VectorMath.logistic(logits[2 * cell + 1])
      return object
    }
  }

  private func box(_ cell: Int) -> RelativeBox {
    let x = Float(cell % width) + 0.5
    let y = Float(cell / width) + 0.5
    func reach(_ side: Int) -> Float {
      VectorMath.exp(min(max(boxes[4 * cell + side], -4), 4))
    }
    let columns = Float(width)
    let rows = Float(height)
    return RelativeBox(
      minX: max((x - reach(0)) / columns, 0), minY: max((y - reach(1)) / rows, 0),
      maxX: min((x + reach(2)) / columns, 1), maxY: min((y + reach(3)) / rows, 1))
  }
}

extension [SaliencyMap] {
  /// Returns the `limit` best objects of all levels with a score of at least `minimumScore`; ties go
  /// to the earlier level.
  package func objects(in size: ImageSize, minimumScore: Float, limit: Int) -> [DetectedObject] {
    let all = flatMap { $0.objects(in: size, minimumScore: minimumScore, limit: limit) }
    let best = all.indices.sorted { (all[$1].score, $0) < (all[$0].score, $1) }
    return best.prefix(limit).map { all[$0] }
  }
}
