//===--- SaliencyMap.swift - where objects are, and how far they reach ----===//
//
// For each cell of a grid and each of its slots, the network gives one logit (is the cell inside an
// object of this slot's size?) and four logarithms of distances from the cell's centre to the box's
// sides, in cells.
//
// Contract  `saliency` is [height, width, slots], `boxes` [height, width, slots, 4] in the order
//           left, top, right, bottom. Distances are clamped to e⁻⁴...e⁴ cells, boxes to the
//           picture. Objects come by falling score, ties by lower index.
// Cost      A logistic for each cell, a sort, four exponentials for each object that is kept.
// Checked   Tests/MartletVisionTests/SaliencyMapTests.swift
//===----------------------------------------------------------------------===//

import MartletMath

/// One level of a localiser's output, in real numbers.
package struct SaliencyMap: Sendable {
  package let width: Int
  package let height: Int
  package let slots: Int
  package let saliency: [Float]
  package let boxes: [Float]

  /// A map of `width` times `height` cells with `slots` boxes each, or `nil` if the arrays do not
  /// hold just that many numbers.
  package init?(width: Int, height: Int, slots: Int, saliency: [Float], boxes: [Float]) {
    let cells = width.multipliedReportingOverflow(by: height)
    let count = cells.partialValue.multipliedReportingOverflow(by: slots)
    guard width > 0, height > 0, slots > 0, !cells.overflow, !count.overflow,
      saliency.count == count.partialValue, boxes.count / 4 == count.partialValue,
      boxes.count % 4 == 0
    else { return nil }
    self.width = width
    self.height = height
    self.slots = slots
    self.saliency = saliency
    self.boxes = boxes
  }

  /// The `limit` best objects with a score of at least `leastScore`, in pixels of a picture of this
  /// size.
  package func objects(in size: ImageSize, leastScore: Float, limit: Int) -> [DetectedObject] {
    let best = saliency.indices.sorted { (saliency[$1], $0) < (saliency[$0], $1) }
    var objects: [DetectedObject] = []
    for index in best.prefix(limit) {
      let score = VectorMath.logistic(saliency[index])
      guard score >= leastScore else { break }
      objects.append(DetectedObject(frame: box(index).pixels(of: size), score: score))
    }
    return objects
  }

  private func box(_ index: Int) -> RelativeBox {
    let cell = index / slots
    let x = Float(cell % width) + 0.5
    let y = Float(cell / width) + 0.5
    func reach(_ side: Int) -> Float {
      VectorMath.exp(min(max(boxes[4 * index + side], -4), 4))
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
