//===--- ObjectTrack.swift - state of a tracked object --------------------===//
//
// A detection corrects the box of an object: by most of the way, which removes jitter without a lag of a
// frame. The score of an object is the running mean of its detections' scores, and falls while it is not
// detected.
//===----------------------------------------------------------------------===//

internal import MartletImage
import MartletBase

/// A tracked object.
struct ObjectTrack {
  /// How far a detection moves the center and the logarithms of the sides, 0...1.
  private static let gains: (center: Float, size: Float) = (0.8, 0.7)
  /// The weight of a new frame in the appearance.
  private static let learningRate: Float = 0.1
  /// The mean confidence below which a label is forgotten.
  private static let leastConfidence: Float = 0.01

  /// The object with its box in the last frame, and its mean score and salience. It has no identifier
  /// until it is certain enough.
  var object: DetectedObject
  /// The labels of all detections, each with the running mean of its confidence.
  private var labels: [ObjectLabel]
  private(set) var motion: BoxMotion
  private(set) var appearance: Appearance
  /// The score of the latest detection.
  private(set) var lastScore: Float
  private(set) var detectionCount = 1
  /// The detections in a row that missed the object, and the frames since the last one that did not.
  var missCount = 0
  private(set) var lostFrameCount = 0
  /// The frame of the latest closer look.
  var lastLook = -1
  /// Whether the object is detected in this frame.
  private(set) var isSeen = true

  init(_ detection: DetectedObject, box: Box, _ appearance: Appearance) {
    object = detection
    object.frame = box
    object.trackingID = nil
    labels = detection.labels
    motion = BoxMotion(box)
    self.appearance = appearance
    lastScore = detection.score
  }

  var box: Box { object.frame }
  /// How much supports the object: its score, times up to eight detections; 0 without identifier.
  var support: Float { object.trackingID == nil ? 0 : object.score * Float(min(detectionCount, 8)) }
  /// Whether the object was detected recently, so that its expected box is known.
  var isNear: Bool { missCount <= 2 }

  /// Moves on to the next frame; if the detector does not run, an object in sight stays in sight.
  mutating func advance() {
    motion.advance()
    isSeen = false
    object.frame = motion.expected
    if missCount > 0 { lostFrameCount += 1 }
  }

  /// Corrects the object by a detection with this box and appearance.
  mutating func update(
    _ detection: DetectedObject, box: Box, _ appearance: Appearance, scoreWeight: Float
  ) {
    let gains = missCount == 0 ? ObjectTrack.gains : (center: 1, size: 1)
    object.frame = motion.nearest(to: detection.frame)
      .approaching(box, by: gains.center, sides: gains.size)
    motion.update(object.frame, afterGap: missCount > 0)
    self.appearance.learn(appearance, rate: ObjectTrack.learningRate)
    detectionCount += 1
    let weight = max(scoreWeight, 1 / Float(detectionCount))
    object.score += weight * (detection.score - object.score)
    if let prominence = detection.prominence {
      let last = object.prominence ?? prominence
      object.prominence = last + weight * (prominence - last)
    }
    if !detection.labels.isEmpty { vote(for: detection.labels, weight: weight) }
    (lastScore, missCount, lostFrameCount, isSeen) = (detection.score, 0, 0, true)
  }

  /// Averages the labels of a detection with those before; the object keeps as many as the detection
  /// has, the most confident ones.
  private mutating func vote(for found: [ObjectLabel], weight: Float) {
    labels = labels.map { $0.scaled(by: 1 - weight) }
    for label in found.map({ $0.scaled(by: weight) }) {
      if let index = labels.firstIndex(where: { $0.index == label.index && $0.text == label.text })
      {
        labels[index] = ObjectLabel(
          text: label.text, index: label.index,
          confidence: labels[index].confidence + label.confidence)
      } else {
        labels.append(label)
      }
    }
    let order = labels.indices.sorted {
      (labels[$1].confidence, $0) < (labels[$0].confidence, $1)
    }
    labels = order.map { labels[$0] }.filter { $0.confidence >= ObjectTrack.leastConfidence }
    object.labels = Array(labels.prefix(found.count))
  }

  /// Notes that the detector missed the object.
  mutating func lose(scoreWeight: Float) {
    if missCount == 0 { lostFrameCount = 1 }
    missCount += 1
    motion.lose()
    object.score *= 1 - scoreWeight
  }

  /// Takes over the place of another track of the same object, which was seen later.
  mutating func takePlace(of other: ObjectTrack) {
    object.frame = other.object.frame
    object.score = max(object.score, other.object.score)
    (motion, appearance) = (other.motion, other.appearance)
    (missCount, lostFrameCount, isSeen) = (other.missCount, other.lostFrameCount, other.isSeen)
  }
}

extension ObjectLabel {
  fileprivate func scaled(by factor: Float) -> ObjectLabel {
    ObjectLabel(text: text, index: index, confidence: factor * confidence)
  }
}

extension Box {
  /// This box moved towards another one: by a share of the way between their centers, and of the
  /// difference of the logarithms of their sides.
  func approaching(_ other: Box, by share: Float, sides: Float) -> Box {
    func side(_ from: Float, _ to: Float) -> Float {
      let from = max(from, 1e-3)
      return sides == 1 ? to : from * VectorMath.exp(sides * VectorMath.log(max(to, 1e-3) / from))
    }
    let (from, to) = (center, other.center)
    return Box(
      center: Point(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y)),
      width: side(width, other.width), height: side(height, other.height))
  }

  /// The distance of both centers, in units of the larger box's side.
  func distance(to other: Box) -> Float {
    let (dx, dy) = (center.x - other.center.x, center.y - other.center.y)
    return ((dx * dx + dy * dy) / max(area, other.area, 1)).squareRoot()
  }
}
