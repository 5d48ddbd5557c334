//===--- StreamFinder.swift - objects in the frames of one stream ---------===//
//
// Contract  Frames are taken one after another: who comes with a frame while another is looked at
//           waits.
// Checked   Tests/MartletTests/StreamFinderTests.swift
//===----------------------------------------------------------------------===//

import Synchronization

/// Follows objects from frame to frame.
final class StreamFinder: Sendable {
  private let stream: Mutex<ObjectStream>

  /// A finder that has seen no frame.
  init(_ finder: ObjectFinder, options: ObjectStreamOptions) {
    stream = Mutex(ObjectStream(finder, options: options))
  }

  /// The objects in the next frame, which was turned upright from `orientation`.
  func objects(
    in image: RGBImage, orientation: ImageOrientation
  ) throws(VisionError) -> [DetectedObject] {
    try stream.withLock { stream throws(VisionError) in
      try stream.objects(in: image, orientation: orientation)
    }
  }
}
