//===--- TrackerConfiguration.swift - options of a tracker of boxes -------===//
//
// In JSON: {"maxObjects":20,"minScore":0.3,"startScore":0.6,"lowScore":0.1,"keepLost":30}.
//===----------------------------------------------------------------------===//

import MartletBase

/// The options of an ``ObjectTracker`` of any detector's boxes.
package struct TrackerConfiguration: JSONConfiguration {
  /// The largest number of returned objects. Default: all.
  package var limit = Int.max
  /// The lowest score of a returned object. Default: 0.
  package var minimumScore: Float = 0
  /// The score of a box that starts an object, the lowest of one that continues it, and the frames
  /// for which a lost object keeps its identifier.
  package var tracking = TrackingParameters.detector

  /// The defaults.
  package init() {}

  package static let members: [ConfigurationMember<TrackerConfiguration>] = [
    .count("maxObjects", { $0.limit }) { $0.limit = $1 },
    .share("minScore", { $0.minimumScore }) { $0.minimumScore = $1 },
    .share("startScore", { $0.tracking.startScore }) { $0.tracking.startScore = $1 },
    .share("lowScore", { $0.tracking.minimumScore }) { $0.tracking.minimumScore = $1 },
    .count("keepLost", from: 0, { $0.tracking.lostFrameCount }) {
      $0.tracking.lostFrameCount = $1
    },
  ]

  /// Reads the configuration from a JSON object.
  package init(_ reader: JSONReader) throws(JSONError) {
    self.init()
    try read(reader)
  }

  /// A tracker with these options.
  package func tracker() -> ObjectTracker {
    ObjectTracker(tracking, limit: limit, minimumScore: minimumScore)
  }
}
