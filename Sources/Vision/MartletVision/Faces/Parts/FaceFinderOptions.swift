//===--- FaceFinderOptions.swift - requested parts of faces ---------------===//
//
// The caller's options in internal form. Only the networks that a request needs are run.
//
// Checked   Tests/MartletVisionTests/Faces/FaceFinderOptionsTests.swift,
//           Tests/MartletTests/FaceFinderOptionsRulesTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// What to compute for which faces.
package struct FaceFinderOptions: Sendable, Hashable {
  /// A subset of the faces of an image.
  package enum Selection: Sendable, Hashable {
    case none
    case mostProminent
    case all
  }

  /// The maximum number of faces returned; the most salient are kept.
  package var limit = Int.max
  /// Which faces get contours.
  package var contours = Selection.none
  /// Whether to return landmarks.
  package var landmarks = false
  /// Whether to return the probabilities of a smile and of open eyes.
  package var expressions = false
  /// Whether to return head angles.
  package var angles = true
  /// Whether accuracy counts more than speed. If true, the detector's input is larger and, if small
  /// faces are requested, parts of the image are searched, too. Angles come from the mesh instead
  /// of the key points, and a second pass refines the mesh.
  package var isAccurate = false
  /// Whether faces keep identifiers from frame to frame.
  package var tracking = false
  /// Whether to return all points of the mesh.
  package var mesh = false
  /// The minimum score of a face.
  package var minimumScore = FaceFinderOptions.defaultMinimumScore
  /// The minimum width of a face as a fraction of the image's width; 0 disables the filter.
  package var minimumSize: Float = 0

  /// At this score, 1 in 80 photographs without people yields a false face; 1 in 30 if parts of the
  /// image are searched, too.
  package static let defaultMinimumScore: Float = 0.4

  /// All faces, with head angles only.
  package init() {}

  /// The request after ML Kit's rule for contours: if only contours of the most salient face are
  /// requested, and speed counts more than accuracy, only that face is returned. It may be of any
  /// size and has no angles and no identifier.
  package var applyingMLKitRules: FaceFinderOptions {
    guard contours == .mostProminent, !isAccurate, !landmarks, !expressions else { return self }
    var finderOptions = self
    finderOptions.limit = 1
    finderOptions.minimumSize = 0
    finderOptions.angles = false
    finderOptions.tracking = false
    return finderOptions
  }

  /// Whether parts of the image are searched, too: in accurate mode, if faces under 1/20 of the
  /// image's width are requested.
  package var findsSmallFaces: Bool { isAccurate && minimumSize < 0.05 }

  /// Whether any requested value comes from the mesh.
  package var needsMesh: Bool {
    landmarks || contours != .none || expressions || mesh || (angles && isAccurate)
  }

  /// Whether a face has contours.
  package func hasContours(isMostProminent: Bool) -> Bool {
    contours == .all || contours == .mostProminent && isMostProminent
  }

  /// The faces that are returned: wide enough, and at most `limit`. `faces` must be sorted by
  /// decreasing salience.
  package func filtered(_ faces: [DetectedFace], imageWidth: Int) -> [DetectedFace] {
    Array(wideEnough(faces, imageWidth: imageWidth).prefix(max(limit, 0)))
  }

  /// The faces that are wide enough to be returned.
  func wideEnough(_ faces: [DetectedFace], imageWidth: Int) -> [DetectedFace] {
    faces.filter { $0.frame.width >= minimumSize * Float(imageWidth) }
  }

  /// The requested results for faces sorted by decreasing salience.
  package func reported(of faces: [DetectedFace]) -> [FaceResult] {
    faces.enumerated().map { FaceResult($1, self, isMostProminent: $0 == 0) }
  }
}
