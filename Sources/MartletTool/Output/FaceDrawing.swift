//===--- FaceDrawing.swift - the lines and dots that show a face ----------===//
//
// Points of the mesh, contours in a color for each part, landmarks as dots, and how the head is turned: from
// the tip of the nose red to the subject's left, green up, blue out of the face.
//
// Contract  Lines are as thick as suits the face, not the image. The mesh of a face under 40 pixels, which
//           it would hide, is not drawn.
// Checked   Tests/MartletToolTests/FaceFindingTests.swift
//===----------------------------------------------------------------------===//

import MartletFaces
import MartletVision

/// What is drawn of a face beside its box.
struct FaceDrawing {
  private let result: FaceResult
  /// A small part of the face's size: the thickness of thin lines.
  private let unit: Float

  init(_ result: FaceResult) {
    self.result = result
    unit = max(result.face.frame.width, result.face.frame.height) / 160
  }

  /// In the order in which they are drawn.
  var strokes: [Stroke] { mesh + contours + pose + landmarks }

  private var mesh: [Stroke] {
    guard unit >= 0.25 else { return [] }
    return result.mesh.map { point in
      Stroke([Point(x: point.x, y: point.y)], .meshPoint, thickness: unit)
    }
  }

  private var contours: [Stroke] {
    result.contours.map { type, points in
      Stroke(
        type.line(through: points), type.color, thickness: points.count == 1 ? 4 * unit : unit)
    }
  }

  /// Dots, with a rim where there is room for it, so that they are seen on every skin.
  private var landmarks: [Stroke] {
    let size = 4 * unit
    let dots = result.landmarks.map { Stroke([$0.place], .landmark, thickness: size) }
    let rims = result.landmarks.map { Stroke([$0.place], .black, thickness: size + 2) }
    return (size < 3 ? [] : rims) + dots
  }

  private var pose: [Stroke] {
    guard let angles = result.angles else { return [] }
    let (across, up) = angles.rows
    let start = result.face.keyPoints.noseTip
    return [RGBImage.Color.axisX, .axisY, .axisZ].enumerated().map { axis, color in
      let end = Point(
        x: start.x + 40 * unit * across[axis], y: start.y - 40 * unit * up[axis])
      return Stroke([start, end], color, thickness: 2 * unit)
    }
  }
}

extension FaceContourType {
  /// The points of the contour in the order of a line, back to the first where it is closed.
  fileprivate func line(through points: [Point]) -> [Point] {
    switch self {
    case .face, .leftEye, .rightEye: points + points.prefix(1)
    case .noseBottom: points.count == 3 ? [points[1], points[0], points[2]] : points
    default: points
    }
  }

  /// One for each part of a face.
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
