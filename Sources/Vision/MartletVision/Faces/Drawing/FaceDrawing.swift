//===--- FaceDrawing.swift - lines and dots on a face ---------------------===//
//
// Draws the mesh's points, the contours in one color per part, landmarks as dots, and the head pose
// as axes from the tip of the nose: red to the subject's left, green up, blue out of the face.
//
// Contract  Line widths scale with the face, not with the image. The mesh of a face under 40 pixels
//           is not drawn, because it would hide the face.
//===----------------------------------------------------------------------===//

package import MartletImage

/// What is drawn of a face besides its box, in pixels of the upright image.
package struct FaceDrawing {
  package let frame: Box
  package var mesh: [Point] = []
  package var contours: [(type: FaceContourType, points: [Point])] = []
  package var landmarks: [Point] = []
  package var pose: (angles: HeadEulerAngles, origin: Point)?

  package init(frame: Box) { self.frame = frame }

  package init(_ result: FaceResult) {
    frame = result.face.frame
    mesh = result.mesh.map { Point(x: $0.x, y: $0.y) }
    contours = result.contours.map { (type: $0.type, points: $0.points) }
    landmarks = result.landmarks.map { $0.place }
    pose = result.angles.map { (angles: $0, origin: result.face.keyPoints.noseTip) }
  }

  /// The width of thin lines.
  private var unit: Float { max(frame.width, frame.height) / 160 }

  /// Lines and dots in drawing order.
  package var strokes: [Stroke] { meshStrokes + contourStrokes + poseStrokes + landmarkStrokes }

  private var meshStrokes: [Stroke] {
    guard unit >= 0.25 else { return [] }
    return mesh.map { Stroke([$0], .meshPoint, thickness: unit) }
  }

  private var contourStrokes: [Stroke] {
    contours.map { type, points in
      Stroke(
        type.line(through: points), type.color, thickness: points.count == 1 ? 4 * unit : unit)
    }
  }

  /// Dots, with a black rim if they are at least 3 pixels wide, so that they are visible on any
  /// skin.
  private var landmarkStrokes: [Stroke] {
    let size = 4 * unit
    let dots = landmarks.map { Stroke([$0], .landmark, thickness: size) }
    let outlines = landmarks.map { Stroke([$0], .black, thickness: size + 2) }
    return (size < 3 ? [] : outlines) + dots
  }

  private var poseStrokes: [Stroke] {
    guard let pose else { return [] }
    let (across, up) = pose.angles.rows
    return [RGBImage.Color.axisX, .axisY, .axisZ].enumerated().map { axis, color in
      let end = Point(
        x: pose.origin.x + 40 * unit * across[axis], y: pose.origin.y - 40 * unit * up[axis])
      return Stroke([pose.origin, end], color, thickness: 2 * unit)
    }
  }
}

extension FaceContourType {
  /// The contour's points in drawing order; closed contours return to the first point.
  fileprivate func line(through points: [Point]) -> [Point] {
    switch self {
    case .face, .leftEye, .rightEye: points + points.prefix(1)
    case .noseBottom: points.count == 3 ? [points[1], points[0], points[2]] : points
    default: points
    }
  }

  /// One color per part of a face.
  fileprivate var color: RGBImage.Color {
    switch self {
    case .face: RGBImage.Color(red: 240, green: 240, blue: 240)
    case .leftEyebrowTop, .leftEyebrowBottom, .rightEyebrowTop, .rightEyebrowBottom:
      RGBImage.Color(red: 255, green: 170, blue: 60)
    case .leftEye, .rightEye: RGBImage.Color(red: 60, green: 220, blue: 255)
    case .upperLipTop, .upperLipBottom, .lowerLipTop, .lowerLipBottom:
      RGBImage.Color(red: 255, green: 70, blue: 140)
    case .noseBridge, .noseBottom: RGBImage.Color(red: 255, green: 230, blue: 60)
    case .leftCheek, .rightCheek: RGBImage.Color(red: 190, green: 140, blue: 255)
    }
  }
}

extension RGBImage.Color {
  fileprivate static let black = RGBImage.Color(red: 0, green: 0, blue: 0)
  fileprivate static let meshPoint = RGBImage.Color(red: 200, green: 235, blue: 255)
  fileprivate static let landmark = RGBImage.Color(red: 120, green: 255, blue: 80)
  fileprivate static let axisX = RGBImage.Color(red: 255, green: 60, blue: 60)
  fileprivate static let axisY = RGBImage.Color(red: 60, green: 230, blue: 60)
  fileprivate static let axisZ = RGBImage.Color(red: 70, green: 120, blue: 255)
}
