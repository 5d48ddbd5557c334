//===--- FaceLandmarkType.swift - the ten landmarks of a face -------------===//
//
// Source    ML Kit's `FaceLandmarkType` and its table of landmarks by Euler Y.
// Checked   Tests/MartletFacesTests/FaceLandmarkTypeTests.swift
//===----------------------------------------------------------------------===//

/// A place in a face. Left and right are the subject's own.
public enum FaceLandmarkType: String, Sendable, CaseIterable {
  /// The middle of the lower lip's edge.
  case mouthBottom
  /// The right corner of the mouth.
  case mouthRight
  /// The left corner of the mouth.
  case mouthLeft
  /// The left ear, between its tip and its lobe.
  case leftEar
  /// The right ear, between its tip and its lobe.
  case rightEar
  /// The middle of the left eye.
  case leftEye
  /// The middle of the right eye.
  case rightEye
  /// The left cheek.
  case leftCheek
  /// The right cheek.
  case rightCheek
  /// The place between the nostrils where the nose meets the face.
  case noseBase
}

extension FaceLandmarkType {
  /// The turn, in degrees, from which a face is seen from one side, and that from which it is a profile.
  private static let (side, profile): (Float, Float) = (12, 36)

  /// Whether the landmark is given of a face that is turned by `angle` degrees about the vertical axis
  /// (Euler Y, positive towards the right of the image).
  ///
  /// From the front all but the ears are; a profile shows its own half of the face.
  package func isVisible(atEulerY angle: Float) -> Bool {
    let turn = angle.magnitude
    return switch self {
    case .noseBase: true
    case .mouthBottom: turn <= FaceLandmarkType.profile
    case .leftEye: angle <= FaceLandmarkType.profile
    case .rightEye: -angle <= FaceLandmarkType.profile
    case .mouthLeft, .leftCheek: angle <= FaceLandmarkType.side
    case .mouthRight, .rightCheek: -angle <= FaceLandmarkType.side
    case .leftEar: -angle > FaceLandmarkType.side
    case .rightEar: angle > FaceLandmarkType.side
    }
  }
}
