//===--- FaceResult.swift - what is told of a face ------------------------===//
//
// Of all that is known of a face, what was requested: what the API gives and what is printed and drawn.
//
// Checked   Tests/MartletFacesTests/FaceResultTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage

/// What is told of a face.
package struct FaceResult: Sendable {
  /// All that is known of it.
  package let face: DetectedFace
  private let parts: FaceParts
  private let isMostProminent: Bool

  /// What `parts` ask for of a face.
  ///
  /// - Parameter isMostProminent: Whether it is the first of the image's faces.
  package init(_ face: DetectedFace, _ parts: FaceParts, isMostProminent: Bool) {
    self.face = face
    self.parts = parts
    self.isMostProminent = isMostProminent
  }

  /// What tells it from others in a stream.
  package var trackingID: Int? { parts.tracking ? face.trackingID : nil }
  /// How the head is turned.
  package var angles: HeadEulerAngles? { parts.angles ? face.angles : nil }
  /// How likely it smiles, 0...1.
  package var smile: Float? { parts.expressions ? face.smile : nil }
  /// How likely the left eye is open, 0...1.
  package var leftEyeOpen: Float? { parts.expressions ? face.leftEyeOpen : nil }
  /// How likely the right eye is open, 0...1.
  package var rightEyeOpen: Float? { parts.expressions ? face.rightEyeOpen : nil }

  /// The landmarks that are seen, in the order of their types.
  package var landmarks: [(type: FaceLandmarkType, place: Point)] {
    guard parts.landmarks else { return [] }
    return FaceLandmarkType.allCases.compactMap { type in face.landmark(type).map { (type, $0) } }
  }

  /// The contours, in the order of their types.
  package var contours: [(type: FaceContourType, points: [Point])] {
    guard let mesh = face.mesh, parts.hasContours(isMostProminent: isMostProminent) else {
      return []
    }
    return FaceContourType.allCases.map { ($0, mesh.contour($0)) }
  }

  /// All points, by MediaPipe's numbers.
  package var mesh: [SIMD3<Float>] { parts.mesh ? face.mesh?.points ?? [] : [] }
}
