//===--- Face+Coding.swift - faces as JSON --------------------------------===//
//
// The format of `martlet faces --json`.
//
// Contract  Places are in pixels of the upright image. If the stored image is turned, its
//           orientation and size are written too. Unknown values are absent, except the identifier,
//           which is `null`. Landmarks and contours are JSON objects with their types as keys.
//===----------------------------------------------------------------------===//

import Foundation
import MartletVision

extension Face: Codable {
  private enum CodingKeys: String, CodingKey {
    case frame, score, trackingID, eulerX, eulerY, eulerZ, smilingProbability
    case leftEyeOpenProbability, rightEyeOpenProbability, landmarks, contours, mesh
    case orientation, storedWidth, storedHeight
  }

  /// Decodes a face from the JSON of `martlet faces`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Float? {
      try container.decodeIfPresent(Float.self, forKey: key)
    }
    let landmarks = try container.decodeIfPresent([String: VisionPoint].self, forKey: .landmarks)
    let contours = try container.decodeIfPresent([String: [VisionPoint]].self, forKey: .contours)
    let angles = (try number(.eulerX), try number(.eulerY), try number(.eulerZ))
    var headEulerAngles: HeadEulerAngles?
    if case (let x?, let y?, let z?) = angles {
      headEulerAngles = HeadEulerAngles(x: x, y: y, z: z)
    }
    let turned = try container.decodeIfPresent(Int.self, forKey: .orientation)
    guard let orientation = ImageOrientation(rawValue: turned ?? 1) else {
      throw DecodingError.dataCorruptedError(
        forKey: .orientation, in: container, debugDescription: "an orientation is 1...8")
    }
    self.init(
      Places(
        frame: try container.decode(CodedRectangle.self, forKey: .frame).frame,
        landmarks: FaceLandmarkType.allCases.compactMap { type in
          landmarks?[type.rawValue].map { FaceLandmark(type: type, position: $0) }
        },
        contours: FaceContourType.allCases.compactMap { type in
          contours?[type.rawValue].map { FaceContour(type: type, points: $0) }
        },
        mesh: try container.decodeIfPresent([Vision3DPoint].self, forKey: .mesh) ?? []),
      orientation: orientation,
      storedSize: ImageSize(
        width: try container.decodeIfPresent(Int.self, forKey: .storedWidth) ?? 0,
        height: try container.decodeIfPresent(Int.self, forKey: .storedHeight) ?? 0),
      trackingID: try container.decodeIfPresent(Int.self, forKey: .trackingID),
      headEulerAngles: headEulerAngles, smile: try number(.smilingProbability),
      leftEyeOpen: try number(.leftEyeOpenProbability),
      rightEyeOpen: try number(.rightEyeOpenProbability),
      score: try container.decode(Float.self, forKey: .score))
  }

  /// Encodes the face as the JSON of `martlet faces`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(CodedRectangle(places.frame), forKey: .frame)
    try container.encode(score, forKey: .score)
    try container.encode(trackingIdentifier, forKey: .trackingID)
    try container.encodeIfPresent(headEulerAngles?.x, forKey: .eulerX)
    try container.encodeIfPresent(headEulerAngles?.y, forKey: .eulerY)
    try container.encodeIfPresent(headEulerAngles?.z, forKey: .eulerZ)
    try container.encodeIfPresent(smile, forKey: .smilingProbability)
    try container.encodeIfPresent(leftEyeOpen, forKey: .leftEyeOpenProbability)
    try container.encodeIfPresent(rightEyeOpen, forKey: .rightEyeOpenProbability)
    try encodePlaces(into: &container)
    if orientation != .up {
      try container.encode(orientation.rawValue, forKey: .orientation)
      try container.encode(storedSize.width, forKey: .storedWidth)
      try container.encode(storedSize.height, forKey: .storedHeight)
    }
  }

  private func encodePlaces(into container: inout KeyedEncodingContainer<CodingKeys>) throws {
    if !places.landmarks.isEmpty {
      let landmarks = places.landmarks.map { ($0.type.rawValue, $0.position) }
      try container.encode(
        Dictionary(landmarks, uniquingKeysWith: { first, _ in first }), forKey: .landmarks)
    }
    if !places.contours.isEmpty {
      let contours = places.contours.map { ($0.type.rawValue, $0.points) }
      try container.encode(
        Dictionary(contours, uniquingKeysWith: { first, _ in first }), forKey: .contours)
    }
    if !places.mesh.isEmpty { try container.encode(places.mesh, forKey: .mesh) }
  }
}

/// A line of `martlet faces --json`: the faces in an image.
public struct FaceDetectionRecord: Codable, Hashable, Sendable {
  /// The image's path.
  public let image: String
  /// The frame's number in a video.
  public let frame: Int?
  /// Columns of the upright image.
  public let width: Int
  /// Rows of the upright image.
  public let height: Int
  /// The faces, sorted by decreasing salience.
  public let faces: [Face]
  /// Damage in the file that did not prevent decoding, one sentence each; `nil` for an intact file.
  public let warnings: [String]?

  /// The faces in an image of `width` x `height` pixels, or in a frame of a video. In JSON it is a line
  /// of the tool, with the numbers' own digits.
  public init(
    image: String, frame: Int? = nil, width: Int, height: Int, faces: [Face],
    warnings: [String]? = nil
  ) {
    (self.image, self.frame, self.width, self.height) = (image, frame, width, height)
    (self.faces, self.warnings) = (faces, warnings)
  }
}
