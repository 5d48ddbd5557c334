//===--- FaceParts.swift - what is to be found of which faces -------------===//
//
// What a caller's options come down to: networks run for what is requested alone.
//
// Checked   Tests/MartletFacesTests/FacePartsTests.swift, Tests/MartletTests/FacePartsRulesTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// What is to be found of which faces.
package struct FaceParts: Sendable, Hashable {
  /// Some of the faces of an image.
  package enum Share: Sendable, Hashable {
    case none
    case mostProminent
    case all
  }

  /// How many faces are given at most: the most prominent ones.
  package var limit = Int.max
  /// Which of them have contours.
  package var contours = Share.none
  /// Whether they have landmarks.
  package var landmarks = false
  /// Whether it is reported if they smile, and if their eyes are open.
  package var expressions = false
  /// Whether it is told how heads are turned.
  package var angles = true
  /// Whether precision counts more than time: then faces are searched for in a larger input, and in parts of the
  /// image where small ones are requested; angles come from the mesh and not from the key points alone, and
  /// meshes from a second look.
  package var isAccurate = false
  /// Whether they have identities from frame to frame.
  package var tracking = false
  /// Whether all points of the mesh are given.
  package var mesh = false
  /// The least score of a face.
  package var leastScore = FaceParts.defaultLeastScore
  /// The least width of a face as a share of the image's; 0 if none is too small.
  package var leastSize: Float = 0

  /// At this score one photograph without people in eighty gives a face; one in thirty where parts of it are
  /// looked at.
  package static let defaultLeastScore: Float = 0.4

  /// All faces, and how they are turned.
  package init() {}

  /// The same by ML Kit's rule: where contours of one face are all that is requested, and time counts
  /// more than precision, that face alone is given, however small, without turn and identifier.
  package var byMLKitsRule: FaceParts {
    guard contours == .mostProminent, !isAccurate, !landmarks, !expressions else { return self }
    var parts = self
    parts.limit = 1
    parts.leastSize = 0
    parts.angles = false
    parts.tracking = false
    return parts
  }

  /// Whether parts of the image are processed, too: for faces of less than a twentieth of its width.
  package var findsSmallFaces: Bool { isAccurate && leastSize < 0.05 }

  /// Whether anything that is requested comes from the mesh.
  package var needsMesh: Bool {
    landmarks || contours != .none || expressions || mesh || (angles && isAccurate)
  }

  /// Whether a face has contours.
  package func hasContours(isMostProminent: Bool) -> Bool {
    contours == .all || contours == .mostProminent && isMostProminent
  }

  /// The faces that are given, of those found, which come by decreasing salience.
  package func given(_ faces: [DetectedFace], imageWidth: Int) -> [DetectedFace] {
    let large = faces.filter { $0.frame.width >= leastSize * Float(imageWidth) }
    return Array(large.prefix(max(limit, 0)))
  }

  /// What is told of faces, which come by decreasing salience.
  package func reported(of faces: [DetectedFace]) -> [FaceResult] {
    faces.enumerated().map { FaceResult($1, self, isMostProminent: $0 == 0) }
  }
}
