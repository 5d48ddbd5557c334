//===--- BoxMotion.swift - motion of a box --------------------------------===//
//
// Two predictions of an object's box: it stays where it was, or it moves on with its velocity in the
// image. Cameras follow objects, so that both are common. The one that has fitted better is the expected
// box; either can match a detection.
//
// Contract  Velocities are in pixels per frame. NaN is read as no motion.
//===----------------------------------------------------------------------===//

internal import MartletImage

/// The recent motion of a box.
struct BoxMotion {
  /// The share of the velocity that is left after a frame without detection.
  private static let persistence: Float = 0.8

  /// The box of the last detection, and the prediction that it stays there.
  private(set) var still: Box
  private var velocity = SIMD2<Float>.zero
  /// The predicted way since the last detection, and the frames that it took.
  private var way = SIMD2<Float>.zero
  private var frameCount: Float = 0
  /// The mean overlap of both predictions with detections.
  private var fits: (still: Float, moving: Float) = (0.5, 0.5)

  init(_ box: Box) { still = box }

  /// The prediction that the box moves on.
  var moving: Box { still.offset(x: way.x, y: way.y) }

  /// The better prediction.
  var expected: Box { fits.still >= fits.moving ? still : moving }

  /// The larger overlap (intersection over union) of both predictions with a box.
  func overlap(with box: Box) -> Float {
    max(still.intersectionOverUnion(with: box), moving.intersectionOverUnion(with: box))
  }

  /// The prediction that overlaps a box more.
  func nearest(to box: Box) -> Box {
    let moving = moving
    return still.intersectionOverUnion(with: box) >= moving.intersectionOverUnion(with: box)
      ? still : moving
  }

  /// Predicts the next frame.
  mutating func advance() {
    way += velocity
    frameCount += 1
  }

  /// Slows down after a frame without detection.
  mutating func lose() { velocity *= BoxMotion.persistence }

  /// Continues from the box of a detection; after a gap without detections the velocity is unknown.
  mutating func update(_ box: Box, afterGap: Bool) {
    if afterGap || frameCount == 0 {
      velocity = .zero
    } else {
      fits.still += 0.3 * (still.intersectionOverUnion(with: box) - fits.still)
      fits.moving += 0.3 * (moving.intersectionOverUnion(with: box) - fits.moving)
      let (from, to) = (still.center, box.center)
      velocity += (SIMD2(to.x - from.x, to.y - from.y) / frameCount - velocity) / 2
    }
    (still, way, frameCount) = (box, .zero, 0)
  }
}
