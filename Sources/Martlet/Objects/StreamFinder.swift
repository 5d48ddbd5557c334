//===--- StreamFinder.swift - objects in the frames of one stream ---------===//
//
// Contract  Frames are taken one after another: who comes with a frame while another is processed
//           waits. Where there is a region, what leaves it has left the stream.
// Checked   Tests/MartletTests/StreamFinderTests.swift
//===----------------------------------------------------------------------===//

import MartletVision
import Synchronization

/// Follows objects from frame to frame.
final class StreamFinder: Sendable {
  private struct State {
    let stream: ObjectStream
    /// The size of the frames, of which a region may be a part.
    var size: ImageSize?
  }

  private let state: Mutex<State>
  /// The part of each upright frame that is processed, if not all.
  private let region: Box?

  /// A finder that has seen no frame.
  init(_ finder: ObjectFinder, options: ObjectStreamOptions, region: Box?) {
    state = Mutex(State(stream: ObjectStream(finder, options: options)))
    self.region = region
  }

  /// The objects in the next frame, which was turned upright from `orientation`.
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
