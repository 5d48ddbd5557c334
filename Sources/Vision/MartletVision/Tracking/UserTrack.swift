//===--- UserTrack.swift - tracking of a user-provided box ----------------===//
//
// A correlation filter follows what the user pointed at. Detections correct its size and drift. An object
// that no longer looks as in the first frame is lost; a detection that does is the same object again.
//
// A detector's box of an object may be larger or smaller than the user's. Their relation is taken from
// one of the first frames, and later detections are converted by it.
//
// Contract  The score is the probability that the box still holds the object, by its appearance.
//===----------------------------------------------------------------------===//

package import MartletImage
import MartletBase

/// The track of a user-provided box.
package struct UserTrack {
  /// The similarity to the first frame and the filter's response below which, together, the object is
  /// lost; and those below which it is lost in any case.
  private static let lost: (similarity: Float, response: Float) = (0.5, 0.3)
  private static let surelyLost: (similarity: Float, response: Float) = (0.2, 0.15)
  /// The lowest IoU, score and similarity of a detection that corrects the filter.
  private static let correction: (overlap: Float, score: Float, similarity: Float) = (
    0.5, 0.2, 0.75
  )
  /// How far a detection moves the center and the logarithms of the sides, 0...`most`: the sum of
  /// `constant`, `overlap` times that of the user's box and the detector's, the detection's score, and
  /// `similarity` times how much more similar it is than the filter's box, minus the filter's response.
  private static let gain: (most: Float, constant: Float, overlap: Float, similarity: Float) = (
    0.9, -1.2, 2, 5
  )
  /// The lowest score and similarity of a detection to which a track jumps, and how much more similar
  /// than the filter's box it must be; less if the track is lost.
  private static let jump: (score: Float, similarity: Float, margin: Float) = (0.2, 0.8, 0.2)
  private static let lostJump: (score: Float, similarity: Float, margin: Float) = (0.1, 0.75, 0.1)
  /// The lowest score of a reported object, unless another one is requested.
  static let reportedScore: Float = 0.1
  /// The frames in which the relation to a detection is taken.
  private static let relatingFrames = 5

  let identifier: Int
  package private(set) var object: DetectedObject
  private var filter: TargetTracker
  /// The appearance in the first frame, and the mean of similar ones.
  private let first: Appearance
  private var recent: Appearance
  private var relation: BoxRelation?
  /// The box in the frame before.
  private var lastBox: Box
  private var frameCount = 0
  /// The frames since the object was lost.
  private(set) var lostCount = 0

  /// Starts a track in its first frame; `nil` if the box is outside of it.
  init?(_ box: Box, identifier: Int, in pyramid: FramePyramid, _ reader: AppearanceReader) {
    guard let filter = TargetTracker(box, in: pyramid) else { return nil }
    self.filter = filter
    self.identifier = identifier
    object = DetectedObject(frame: filter.box, score: 1, trackingID: identifier)
    first = reader.appearance(of: filter.box)
    recent = first
    lastBox = filter.box
  }

  /// Finds the object by its pixels, without learning from them.
  mutating func find(in pyramid: FramePyramid, _ reader: AppearanceReader) {
    frameCount += 1
    lastBox = object.frame
    filter.find(in: pyramid)
    object.frame = filter.box
    let similarity = similarity(of: object.frame, reader)
    let isLost =
      filter.confidence < UserTrack.surelyLost.response
      || similarity < UserTrack.surelyLost.similarity
      || filter.confidence < UserTrack.lost.response && similarity < UserTrack.lost.similarity
    lostCount = isLost ? lostCount + 1 : 0
  }

  /// The crop in which to detect the object: wider if it is lost.
  func crop(in size: ImageSize) -> Box {
    object.frame.crop(lostCount > 0 ? 4 : 2.5, smallest: 48, in: size)
  }

  /// Corrects the box by the detections of the frame and of the crop, and learns from the frame.
  mutating func correct(
    by detections: [DetectedObject], in pyramid: FramePyramid, _ reader: AppearanceReader
  ) {
    defer { rate(reader) }
    if let relation {
      let boxes = detections.map { relation.box(beside: $0.frame) }
      let similarity = similarity(of: object.frame, reader)
      if let box = target(detections, boxes, similarity, reader),
        let fresh = TargetTracker(box, in: pyramid)
      {
        (filter, object.frame, lostCount) = (fresh, fresh.box, 0)
        return
      }
      if lostCount == 0,
        let (box, evidence) = correction(detections, boxes, similarity, reader)
      {
        let gain = UserTrack.gain.overlap * relation.overlap + evidence - filter.confidence
        let share = min(max(gain + UserTrack.gain.constant, 0), UserTrack.gain.most)
        object.frame = object.frame.approaching(box, by: share, sides: share)
        filter.move(to: object.frame)
      }
    } else if lostCount == 0, frameCount <= UserTrack.relatingFrames {
      relate(to: detections, minimumOverlap: 0.6)
    }
    guard lostCount == 0 else { return }
    filter.learn(from: pyramid)
    if similarity(of: object.frame, reader) >= UserTrack.correction.similarity {
      recent.learn(reader.appearance(of: object.frame), rate: 0.05)
    }
  }

  /// How much a box looks as in the first frames, -1...1.
  private func similarity(of box: Box, _ reader: AppearanceReader) -> Float {
    let appearance = reader.appearance(of: box)
    return max(first.similarity(to: appearance), recent.similarity(to: appearance) - 0.05)
  }

  /// The score: logistic regression of overlap with the true box on similarity.
  private mutating func rate(_ reader: AppearanceReader) {
    let similarity = similarity(of: object.frame, reader)
    object.score = VectorMath.logistic(16.5 * similarity - 10.6)
  }

  /// Takes the relation to the best of the detections that overlap the box, unless it is known.
  mutating func relate(to detections: [DetectedObject], minimumOverlap: Float = 0.5) {
    guard relation == nil else { return }
    var most: Float = 0
    var best: Box?
    for detection in detections where detection.score >= 0.1 {
      let overlap = object.frame.intersectionOverUnion(with: detection.frame)
      let rating = overlap * detection.score.squareRoot()
      if overlap >= minimumOverlap, rating > most { (most, best) = (rating, detection.frame) }
    }
    relation = best.flatMap { BoxRelation(of: object.frame, to: $0) }
  }

  /// The box of a detection of the same object in the same place, and the evidence for it.
  private func correction(
    _ detections: [DetectedObject], _ boxes: [Box], _ similarity: Float, _ reader: AppearanceReader
  ) -> (box: Box, evidence: Float)? {
    let least = max(UserTrack.correction.similarity, similarity - 0.1)
    var most: Float = 0
    var best: (Box, Float)?
    for (detection, box) in zip(detections, boxes)
    where detection.score >= UserTrack.correction.score {
      let overlap = box.intersectionOverUnion(with: object.frame)
      guard overlap >= UserTrack.correction.overlap else { continue }
      let likeness = self.similarity(of: box, reader)
      guard likeness >= least, overlap * likeness > most else { continue }
      most = overlap * likeness
      best = (box, detection.score + UserTrack.gain.similarity * (likeness - similarity))
    }
    return best
  }

  /// The box of a detection elsewhere that looks clearly more like the object.
  private func target(
    _ detections: [DetectedObject], _ boxes: [Box], _ similarity: Float, _ reader: AppearanceReader
  ) -> Box? {
    let jump = lostCount > 0 ? UserTrack.lostJump : UserTrack.jump
    var most: Float = 0
    var best: Box?
    for (detection, box) in zip(detections, boxes) where detection.score >= jump.score {
      let distance = lastBox.distance(to: box)
      let ratio = box.area / max(lastBox.area, 1)
      guard distance < 2 + 0.2 * Float(lostCount), ratio > 0.3, ratio < 3.3 else { continue }
      let likeness = self.similarity(of: box, reader)
      let rating = likeness - 0.05 * distance
      if likeness >= jump.similarity, likeness > similarity + jump.margin, rating > most {
        (most, best) = (rating, box)
      }
    }
    return best
  }
}
