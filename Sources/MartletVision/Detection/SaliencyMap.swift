//===--- SaliencyMap.swift - where objects are, and how far they reach ----===//
//
// For each cell of a grid the network gives two logits (does the cell say where an object is, and is
// that what the image is about?) and four logarithms of distances from the cell's center to the box's
// sides, in cells.
//
// Contract  `logits` is [height, width, 2], `boxes` [height, width, 4] in the order left, top, right,
//           bottom. Distances are clamped to e⁻⁴...e⁴ cells, boxes to the image. Objects come by
//           decreasing score, ties by lower index.
// Cost      A logistic for each cell; a sort, two logistics and four exponentials for those that are kept.
// Checked   Tests/MartletVisionTests/SaliencyMapTests.swift
//===----------------------------------------------------------------------===//

import MartletMath

/// One level of a localizer's output, in real numbers.
package struct SaliencyMap: Sendable {
  package let width: Int
  package let height: Int
  package private(set) var logits: [Float]
  package private(set) var boxes: [Float]

  /// A map of `width` times `height` cells, or `nil` if the arrays do not hold just that many numbers.
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

  /// The mean of this map and one of the same size of the image's mirror image.
  package func averaged(withMirrored other: SaliencyMap) -> SaliencyMap {
    var mean = self
    for cell in 0..<width * height {
      let twin = cell / width * width + width - 1 - cell % width
      for i in 0..<2 {
        mean.logits[2 * cell + i] = (logits[2 * cell + i] + other.logits[2 * twin + i]) / 2
      }
      for side in 0..<4 {
        // What is on the left of one is on the right of the other.
        let opposite = side.isMultiple(of: 2) ? 2 - side : side
        mean.boxes[4 * cell + side] =
          (boxes[4 * cell + side] + other.boxes[4 * twin + opposite]) / 2
      }
    }
    return mean
  }

  /// The `limit` best objects with a score of at least `leastScore`, in pixels of an image of this
  /// size.
  package func objects(in size: ImageSize, leastScore: Float, limit: Int) -> [DetectedObject] {
    let sure = (0..<width * height).filter { VectorMath.logistic(logits[2 * $0]) >= leastScore }
    let best = sure.sorted { (logits[2 * $1], $0) < (logits[2 * $0], $1) }
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
  /// The `limit` best objects of all levels with a score of at least `leastScore`; of equals, the
  /// earlier level's come first.
  package func objects(in size: ImageSize, leastScore: Float, limit: Int) -> [DetectedObject] {
    let all = flatMap { $0.objects(in: size, leastScore: leastScore, limit: limit) }
    let best = all.indices.sorted { (all[$1].score, $0) < (all[$0].score, $1) }
    return best.prefix(limit).map { all[$0] }
  }
}
