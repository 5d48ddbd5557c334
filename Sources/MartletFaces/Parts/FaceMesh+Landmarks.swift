//===--- FaceMesh+Landmarks.swift - the landmarks of a mesh ---------------===//
//
// Contract  The mesh ends before the ears: its outermost vertices stand for them where nothing better
//           is known.
// Checked   Tests/MartletFacesTests/FaceMeshTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage

extension FaceMesh {
  /// Where a landmark is, seen or not.
  package func landmark(_ type: FaceLandmarkType) -> Point {
    middle(of: FaceMesh.vertices(of: type))
  }

  /// The vertices in whose middle a landmark lies.
  package static func vertices(of type: FaceLandmarkType) -> [Int] {
    switch type {
    case .mouthBottom: [17]
    case .mouthRight: [61]
    case .mouthLeft: [291]
    case .leftEar: [454]
    case .rightEar: [234]
    case .leftEye: vertices(of: FaceContourType.leftEye)
    case .rightEye: vertices(of: FaceContourType.rightEye)
    case .leftCheek: [425]
    case .rightCheek: [205]
    case .noseBase: [2]
    }
  }

  /// The middle of the mouth, between the lips.
  var mouth: Point { middle(of: [13, 14]) }
}
