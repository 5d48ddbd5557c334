//===--- TrackModule.swift - tracks objects of a video in a module ---------===//

import MartletVision

/// The lines about the video, or a sentence about what failed.
func answer(_ video: [UInt8]) -> [UInt8] {
  do throws(VisionError) {
    return try trackedLines(of: video).flatMap { Array(($0 + "\n").utf8) }
  } catch { return Array(error.description.utf8) }
}
