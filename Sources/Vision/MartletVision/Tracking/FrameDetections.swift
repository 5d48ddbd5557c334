//===--- FrameDetections.swift - detections of one frame ------------------===//
//
// Contract  Each detection continues or starts at most one object.
// Cost      The appearance of a detection is computed once, if it is needed.
//===----------------------------------------------------------------------===//

package import MartletImage

/// The detections of one frame, and which of them are assigned to objects.
package struct FrameDetections {
  /// The IoU from which a box before suppression belongs to a detection, and its lowest score in
  /// relation to the detection's.
  private static let (agreement, agreeingShare): (Float, Float) = (0.7, 0.3)

  /// The detections without overlapping ones, by decreasing salience.
  let objects: [DetectedObject]
  /// The boxes before suppression of overlapping ones, by decreasing score.
  let candidates: [DetectedObject]
  let reader: AppearanceReader
  private var appearances: [Appearance?]
  var isUsed: [Bool]

  package init(
    _ objects: [DetectedObject], candidates: [DetectedObject] = [], reader: AppearanceReader
  ) {
    self.objects = objects
    self.candidates = candidates
    self.reader = reader
    appearances = [Appearance?](repeating: nil, count: objects.count)
    isUsed = [Bool](repeating: false, count: objects.count)
  }

  var size: ImageSize { reader.size }

  /// The indices of the detections that are not used.
  var unused: [Int] { objects.indices.filter { !isUsed[$0] } }

  func appearance(of box: Box) -> Appearance { reader.appearance(of: box) }

  mutating func appearance(of index: Int) -> Appearance {
    if let appearance = appearances[index] { return appearance }
    let appearance = reader.appearance(of: objects[index].frame)
    appearances[index] = appearance
    return appearance
  }

  /// The mean of the boxes before suppression that agree with a detection, by score and overlap.
  func averaged(_ detection: DetectedObject) -> Box {
    var sum = SIMD4<Float>.zero
    var weights: Float = 0
    for candidate in candidates
    where candidate.score >= FrameDetections.agreeingShare * detection.score {
      let box = candidate.frame
      let overlap = box.intersectionOverUnion(with: detection.frame)
      guard overlap >= FrameDetections.agreement else { continue }
      let weight = candidate.score * overlap
      sum += SIMD4(box.x, box.y, box.maxX, box.maxY) * weight
      weights += weight
    }
    guard weights > 0 else { return detection.frame }
    let mean = sum / weights
    return Box(minX: mean[0], minY: mean[1], maxX: mean[2], maxY: mean[3])
  }
}
