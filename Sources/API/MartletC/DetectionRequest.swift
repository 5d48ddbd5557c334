//===--- DetectionRequest.swift - options of object detection -------------===//
//
// The options of `martlet detect` and `martlet track` as members of a JSON object, with their names
// in camel case: {"maxObjects":5,"classify":true,"threshold":0.5}.
//
// Contract  Missing members have the tool's defaults. Unknown members and values out of range are
//           errors, as in the tool.
// Checked   Tests/MartletCTests/DetectionRequestTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
package import MartletVision

/// The options of an object detector.
package struct DetectionRequest: Sendable, Equatable {
  /// Whether the images are the frames of a stream, in order.
  package var isStream = false
  /// How files are decoded.
  package var decoding = FileDecoding()
  package var maximumObjectCount = 1
  package var classifies = false
  /// Whether the built-in classifier also returns fine labels.
  package var hasFineLabels = false
  /// The lowest confidence of a label; `nil` for the classifier's own threshold.
  package var threshold: Float?
  package var maximumLabelCount: Int?
  /// The lowest score of an object; `nil` for the detector's own rules.
  package var minimumScore: Float?
  /// Whether parts of better boxes and doubtful boxes of the whole image are reported, too.
  package var reportsAll = false
  /// The class names of a custom classifier; `nil` keeps the model's own.
  package var labels: [String]?
  package var filter = LabelFilter.deny([])
  package var dropsBackground = false
  /// The pixel normalization of a custom classifier; `nil` keeps the model's own.
  package var normalization: PixelNormalization?
  /// The number of frames of a stream from one detection to the next.
  package var detectionInterval = TrackingParameters().detectionInterval

  package init() {}
}

extension DetectionRequest: JSONReadable {
  private static let members: Set = [
    "stream", "multiple", "maxObjects", "classify", "fineLabels", "threshold", "maxLabels",
    "minScore", "allBoxes", "labels", "allowLabels", "denyLabels", "dropBackground", "mean", "std",
    "detectEvery", "faces",
  ]

  /// Decodes the options from a JSON object.
  package init(_ reader: JSONReader) throws(JSONError) {
    try reader.refuseOthers(than: DetectionRequest.members.union(FileDecoding.members))
    decoding = try FileDecoding(reader)
    isStream = try reader.optional("stream") ?? false
    let isMultiple: Bool = try reader.optional("multiple") ?? false
    maximumObjectCount =
      try reader.count("maxObjects") ?? (isMultiple ? 5 : 1)
    classifies = try reader.optional("classify") ?? false
    hasFineLabels = try reader.optional("fineLabels") ?? false
    threshold = try reader.share("threshold")
    maximumLabelCount = try reader.count("maxLabels")
    minimumScore = try reader.share("minScore")
    reportsAll = try reader.optional("allBoxes") ?? false
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
