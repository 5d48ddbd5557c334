//===--- DetectionRequest.swift - what a page asks for --------------------===//
//
// The options of `martlet detect` and `martlet track` as members of a JSON object, by their names in
// camel case: {"maxObjects":5,"classify":true,"threshold":0.5}.
//
// Contract  What is not asked for is as the tool has it. An unknown member is an error, as an unknown option
//           is; so is a value out of its range.
// Checked   Tests/MartletWebTests/DetectionRequestTests.swift
//===----------------------------------------------------------------------===//

import MartletJSON
import MartletVision

/// What is searched for, and how strictly.
package struct DetectionRequest: Sendable, Equatable {
  /// Whether a page shows frame after frame, of which each is followed by the next.
  package var isStream = false
  package var maximumObjectCount = 1
  package var classifies = false
  /// The least confidence of a label; the classifier's own where it is `nil`.
  package var threshold: Float?
  package var maximumLabelCount: Int?
  /// The least score of an object; the network's own where it is `nil`.
  package var minimumScore: Float?
  /// Names of a custom classifier's classes, in place of its own.
  package var labels: [String]?
  package var filter = LabelFilter.deny([])
  package var dropsBackground = false
  /// Mean and standard deviation of a custom classifier's pixels, in place of its own.
  package var normalization: PixelNormalization?
  /// Every how many frames of a stream the localizer runs.
  package var detectionInterval = ObjectStreamOptions().detectionInterval

  package init() {}
}

extension DetectionRequest: JSONReadable {
  private static let members: Set = [
    "stream", "multiple", "maxObjects", "classify", "threshold", "maxLabels", "minScore", "labels",
    "allowLabels", "denyLabels", "dropBackground", "mean", "std", "detectEvery", "faces",
  ]

  /// The options that a JSON object holds.
  package init(_ reader: JSONReader) throws(JSONError) {
    try reader.refuseOthers(than: DetectionRequest.members)
    isStream = try reader.optional("stream") ?? false
    let isMultiple: Bool = try reader.optional("multiple") ?? false
    maximumObjectCount =
      try reader.count("maxObjects") ?? (isMultiple ? 5 : 1)
    classifies = try reader.optional("classify") ?? false
    threshold = try reader.share("threshold")
    maximumLabelCount = try reader.count("maxLabels")
    minimumScore = try reader.share("minScore")
    labels = try reader.optional("labels")
    dropsBackground = try reader.optional("dropBackground") ?? false
    if let allowed: [String] = try reader.optional("allowLabels") { filter = .allow(Set(allowed)) }
    if let denied: [String] = try reader.optional("denyLabels") {
      guard try !reader.has("allowLabels") else {
        throw .mismatch(path: "denyLabels", expected: "option beside allowLabels")
      }
      filter = .deny(Set(denied))
    }
    normalization = try DetectionRequest.normalization(reader)
    detectionInterval = try reader.count("detectEvery") ?? detectionInterval
  }

  private static func normalization(
    _ reader: JSONReader
  ) throws(JSONError) -> PixelNormalization? {
    let means: [Float]? = try reader.optional("mean")
    let deviations: [Float]? = try reader.optional("std")
    guard means != nil || deviations != nil else { return nil }
    guard let means, let deviations else { throw .missing(path: means == nil ? "mean" : "std") }
    do throws(ImageError) {
      return try PixelNormalization(mean: means, deviation: deviations)
    } catch {
      throw .mismatch(path: "std", expected: "list of numbers other than zero, as many as of mean")
    }
  }
}
