//===--- FaceResult.swift - requested results of a face -------------------===//
//
// Limits what is known of a face to what was requested, for the API, the tool and drawings.
//===----------------------------------------------------------------------===//

package import MartletImage

/// The requested results of a face.
package struct FaceResult: Sendable {
  /// Everything that is known of the face.
  package let face: DetectedFace
  private let configuration: FaceConfiguration
  private let isMostProminent: Bool

  /// The results of `face` that `configuration` requests.
  ///
  /// - Parameter isMostProminent: Whether this is the most salient face of the image.
  package init(_ face: DetectedFace, _ configuration: FaceConfiguration, isMostProminent: Bool) {
    self.face = face
    self.configuration = configuration
    self.isMostProminent = isMostProminent
  }

  /// The identifier in a stream; `nil` if tracking was not requested.
  package var trackingID: Int? { configuration.tracking ? face.trackingID : nil }
  /// The head angles in degrees; `nil` if they were not requested.
  package var angles: HeadEulerAngles? { configuration.angles ? face.angles : nil }
  /// The probability that the face smiles, 0...1.
  package var smile: Float? { configuration.expressions ? face.smile : nil }
  /// The probability that the left eye is open, 0...1.
  package var leftEyeOpen: Float? { configuration.expressions ? face.leftEyeOpen : nil }
  /// The probability that the right eye is open, 0...1.
  package var rightEyeOpen: Float? { configuration.expressions ? face.rightEyeOpen : nil }

  /// The visible landmarks, in the order of their types; empty if not requested.
  package var landmarks: [(type: FaceLandmarkType, place: Point)] {
    guard configuration.landmarks else { return [] }
    return FaceLandmarkType.allCases.compactMap { type in face.landmark(type).map { (type, $0) } }
  }

  /// The contours, in the order of their types; empty if not requested.
  package var contours: [(type: FaceContourType, points: [Point])] {
    guard let mesh = face.mesh, configuration.hasContours(isMostProminent: isMostProminent) else {
      return []
    }
    return FaceContourType.allCases.map { ($0, mesh.contour($0)) }
  }

  /// All points, in MediaPipe's order; empty if not requested.
  package var mesh: [SIMD3<Float>] { configuration.mesh ? face.mesh?.points ?? [] : [] }
}
