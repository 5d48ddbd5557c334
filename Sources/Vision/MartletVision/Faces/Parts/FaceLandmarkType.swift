//===--- FaceLandmarkType.swift - the ten landmarks of a face -------------===//
//
// Source    ML Kit's `FaceLandmarkType` and its table of landmarks by Euler Y.
//===----------------------------------------------------------------------===//

/// A landmark of a face. Left and right are the subject's own.
public enum FaceLandmarkType: String, Sendable, CaseIterable {
  /// The middle of the lower edge of the lower lip.
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
  /// The left cheek, below the eye and beside the nose.
  case leftCheek
  /// The right cheek, below the eye and beside the nose.
  case rightCheek
  /// The point between the nostrils where the nose meets the face.
  case noseBase
}

extension FaceLandmarkType {
  /// Angles in degrees above which a face counts as seen from one side, and as a profile.
  private static let (side, profile): (Float, Float) = (12, 36)

  /// Whether the landmark is returned for a face turned by `angle` degrees about the vertical axis
  /// (Euler Y, positive towards the right of the image).
  ///
  /// A frontal face has all landmarks except the ears; a profile has those of the visible half.
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
