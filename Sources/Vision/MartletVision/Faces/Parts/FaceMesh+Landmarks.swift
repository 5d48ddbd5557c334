//===--- FaceMesh+Landmarks.swift - the landmarks of a mesh ---------------===//
//
// Contract  The mesh has no ears: its outermost vertices on each side are used instead.
//===----------------------------------------------------------------------===//

package import MartletImage

extension FaceMesh {
  /// The position of a landmark, visible or not.
  package func landmark(_ type: FaceLandmarkType) -> Point {
    middle(of: FaceMesh.vertices(of: type))
  }

  /// The vertices whose mean is the landmark.
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

  /// The center of the mouth, between the lips.
  var mouth: Point { middle(of: [13, 14]) }
}
