//===--- Object+Coding.swift - results as JSON ----------------------------===//
//
// The format of `martlet detect --json` and `martlet track --json`, for decoding and encoding.
//
// Contract  `frame` is in pixels of the upright image. If the stored image is turned, `storedFrame`
//           is written too. A category is encoded by its name.
//===----------------------------------------------------------------------===//

import Foundation

extension ObjectLabel: Codable {
  private enum CodingKeys: String, CodingKey { case text, index, confidence }

  /// Decodes the members `text`, `index` and `confidence`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      text: try container.decode(String.self, forKey: .text),
      index: try container.decode(Int.self, forKey: .index),
      confidence: try container.decode(Float.self, forKey: .confidence))
  }

  /// Encodes the members `text`, `index` and `confidence`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encode(index, forKey: .index)
    try container.encode(confidence, forKey: .confidence)
  }
}

extension Object: Codable {
  private enum CodingKeys: String, CodingKey {
    case frame, storedFrame, score, trackingID, category, labels, fineLabels
  }

  /// Decodes an object from the JSON of `martlet detect`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let upright = try container.decode(CodedRectangle.self, forKey: .frame).frame
    let stored = try container.decodeIfPresent(CodedRectangle.self, forKey: .storedFrame)?.frame
    let name = try container.decodeIfPresent(String.self, forKey: .category)
    let category = CoarseCategory.allCases.first { $0.name == name }
    if let name, category == nil {
      throw DecodingError.dataCorruptedError(
        forKey: .category, in: container, debugDescription: "unknown category \(name)")
    }
    self.init(
      frame: stored ?? upright,
      trackingID: try container.decodeIfPresent(Int.self, forKey: .trackingID),
      labels: try container.decode([ObjectLabel].self, forKey: .labels),
      score: try container.decode(Float.self, forKey: .score), uprightFrame: upright,
      category: category,
      fineLabels: try container.decodeIfPresent([ObjectLabel].self, forKey: .fineLabels))
  }

  /// Encodes the object as the JSON of `martlet detect`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(CodedRectangle(uprightFrame), forKey: .frame)
    if frame != uprightFrame { try container.encode(CodedRectangle(frame), forKey: .storedFrame) }
    try container.encode(score, forKey: .score)
    try container.encode(trackingIdentifier, forKey: .trackingID)
    try container.encodeIfPresent(category?.name, forKey: .category)
    try container.encode(labels, forKey: .labels)
    try container.encodeIfPresent(fineLabels, forKey: .fineLabels)
  }
}

/// A line of `martlet detect --json` or `martlet track --json`: the objects in an image.
public struct ObjectDetectionRecord: Codable, Hashable, Sendable {
  /// The image's path.
  public let image: String
  /// The frame's number in a video.
  public let frame: Int?
  /// Columns of the upright image.
  public let width: Int
  /// Rows of the upright image.
  public let height: Int
  /// The objects, sorted by decreasing salience.
  public let objects: [Object]
  /// Damage in the file that did not prevent decoding, one sentence each; `nil` for an intact file.
  public let warnings: [String]?

  /// The objects in an image of `width` x `height` pixels, or in a frame of a video. In JSON it is a line
  /// of the tool, with the numbers' own digits.
  public init(
    image: String, frame: Int? = nil, width: Int, height: Int, objects: [Object],
    warnings: [String]? = nil
  ) {
    (self.image, self.frame, self.width, self.height) = (image, frame, width, height)
    (self.objects, self.warnings) = (objects, warnings)
  }
}
