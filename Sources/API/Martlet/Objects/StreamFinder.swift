//===--- StreamFinder.swift - objects in the frames of one stream ---------===//
//
// Contract  Frames are processed one after another: a concurrent call waits. An object that leaves
//           the region of interest is lost.
// Checked   Tests/MartletTests/StreamFinderTests.swift
//===----------------------------------------------------------------------===//

import MartletVision
import Synchronization

/// Tracks objects from frame to frame.
final class StreamFinder: Sendable {
  private struct State {
    let stream: ObjectStream
    /// The size of the whole frames, even if a region is processed.
    var size: ImageSize?
  }

  private let state: Mutex<State>
  private let finder: ObjectFinder
  /// The part of each upright frame to process; `nil` for all of it.
  let region: Box?

  /// A finder without frames.
  init(_ finder: ObjectFinder, options: ObjectStreamOptions, region: Box?) {
    state = Mutex(State(stream: ObjectStream(finder, options: options)))
    self.finder = finder
    self.region = region
  }

  /// Frees the memory that no run of the networks uses.
  func trim() { finder.trim() }

  /// Detects or tracks the objects in the next frame, which was turned upright from `orientation`.
  func objects(
    in image: RGBImage, orientation: ImageOrientation
  ) throws(VisionError) -> [DetectedObject] {
    try state.withLock { state throws(VisionError) in
      if state.size != image.size { state.stream.reset() }
      state.size = image.size
      return try image.objects(inside: region) { part throws(VisionError) in
        try state.stream.objects(in: part, orientation: orientation)
      }
    }
  }
}
