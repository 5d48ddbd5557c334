//===--- SaliencyMap.swift - where objects are, and how far they reach ----===//
//
// For each cell of a grid the network gives two logits (does the cell say where an object is, and is
// that what the picture is about?) and four logarithms of distances from the cell's centre to the box's
// sides, in cells.
//
// Contract  `logits` is [height, width, 2], `boxes` [height, width, 4] in the order left, top, right,
//           bottom. Distances are clamped to e⁻⁴...e⁴ cells, boxes to the picture. Objects come by
//           falling score, ties by lower index.
// Cost      A sort of the cells, two logistics and four exponentials for each object that is kept.
// Checked   Tests/MartletVisionTests/SaliencyMapTests.swift
//===----------------------------------------------------------------------===//

import MartletMath

/// One level of a localiser's output, in real numbers.
package struct SaliencyMap: Sendable {
  package let width: Int
  package let height: Int
  package let logits: [Float]
  package let boxes: [Float]

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

  /// The `limit` best objects with a score of at least `leastScore`, in pixels of a picture of this
  /// size.
  package func objects(in size: ImageSize, leastScore: Float, limit: Int) -> [DetectedObject] {
    let best = (0..<width * height).sorted { (logits[2 * $1], $0) < (logits[2 * $0], $1) }
    var objects: [DetectedObject] = []
    for cell in best.prefix(limit) {
      let score = VectorMath.logistic(logits[2 * cell])
      guard score >= leastScore else { break }
      var object = DetectedObject(frame: box(cell).pixels(of: size), score: score)
      object.prominence = VectorMath.logistic(logits[2 * cell + 1])
      objects.append(object)
    }
    return objects
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
