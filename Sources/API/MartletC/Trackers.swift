//===--- Trackers.swift - trackers of any detector's boxes for C ----------===//
//
//     float boxes[] = {60, 40, 80, 120, 0.9, 2};  // left, top, width, height, score, class
//     martlet_tracker_make("{\"maxObjects\":20}", &tracker, &error);
//     martlet_tracker_update(tracker, boxes, 1, pixels, MartletPixelFormatRgb, 640, 480, 0, &line);
//
// Contract  Calls with one tracker wait for each other. Lines are those of a stream of objects, whose
//           labels have an index and no text.
//===----------------------------------------------------------------------===//

import MartletBase
internal import MartletVision

private let trackers = Handles<Shared<LineTracker>>()

/// The numbers of a box: left, top, width, height, score and class.
private let boxLength = 6

/// Creates a tracker of the boxes that any detector finds in the frames of a video.
///
/// `options` is a JSON object: `"maxObjects":20` limits the returned objects, the most salient ones,
/// and `"minScore":0.3` their scores. A box of at least `startScore` (0.6 by default) starts an object,
/// one of at least `lowScore` (0.1) continues it, and a lost object keeps its identifier for
/// `keepLost` frames (30).
///
/// On success `*tracker` is its handle, which is never 0. On failure `*error` is a sentence, to be
/// released with `martlet_text_release`; `error` may be null.
@c(martlet_tracker_make)
public func makeTracker(
  _ options: UnsafePointer<CChar>?, _ tracker: UnsafeMutablePointer<Int32>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  guard let options = unsafe options, let tracker = unsafe tracker else {
    unsafe store("an argument is null", in: error)
    return .invalidArgument
  }
  do throws(JSONError) {
    let text = unsafe string(at: options)
    let configuration = try TrackerConfiguration(json: Array(text.utf8))
    unsafe tracker.pointee = trackers.add(Shared(LineTracker(configuration.tracker())))
    return .success
  } catch let reason {
    unsafe store(reason.description, in: error)
    return .invalidOptions
  }
}

/// Tracks objects in the next frame.
///
/// `boxes` are `count` times six numbers: the left, top, width and height of a box in pixels of the
/// frame, its score, and the index of its class, below 0 if it has none. Pass all boxes from a low score
/// on, after suppression of overlapping ones. Boxes and scores that are empty or not finite are ignored.
///
/// `pixels` are those of the frame, as for `martlet_detector_detect_pixels`; they tell objects that look
/// different apart. They may be null: boxes are then tracked by their places alone. A frame of another
/// size removes all objects.
///
/// `*line` is a line of JSON with the frame's number and the objects in sight, each with its
/// `trackingID`, to be released with `martlet_text_release`.
@c(martlet_tracker_update)
public func updateTracker(
  _ tracker: Int32, _ boxes: UnsafePointer<Float>?, _ count: Int, _ pixels: UnsafeRawPointer?,
  _ format: Int32, _ width: Int32, _ height: Int32, _ bytesPerRow: Int,
  _ line: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  let size = ImageSize(width: Int(width), height: Int(height))
  guard unsafe line != nil, let shared = trackers[tracker], size.isValid,
    let objects = unsafe objects(boxes, count)
  else { return .invalidArgument }
  var image: RGBImage?
  if let pixels = unsafe pixels {
    image = unsafe RGBImage(pixels, format: format, size, bytesPerRow: bytesPerRow)
    if image == nil { return .invalidArgument }
  }
  let result = shared.withLock { tracker in
    tracker.line(size) {
      if let image { $0.update(objects, in: image) } else { $0.update(objects, in: size) }
    }
  }
  unsafe store(result.description, in: line)
  return .success
}

/// Continues in a frame of `width` times `height` pixels for which the detector did not run: objects
/// move on as before. `*line` is that of `martlet_tracker_update`.
@c(martlet_tracker_skip)
public func skipTracker(
  _ tracker: Int32, _ width: Int32, _ height: Int32,
  _ line: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  let size = ImageSize(width: Int(width), height: Int(height))
  guard unsafe line != nil, let shared = trackers[tracker], size.isValid else {
    return .invalidArgument
  }
  let result = shared.withLock { tracker in tracker.line(size) { $0.skip(in: size) } }
  unsafe store(result.description, in: line)
  return .success
}

/// Removes all objects; their identifiers are not used again. Frames count on.
@c(martlet_tracker_reset)
public func resetTracker(_ tracker: Int32) -> MartletStatus {
  guard let shared = trackers[tracker] else { return .invalidArgument }
  shared.withLock { $0.tracker.reset() }
  return .success
}

/// Releases a tracker.
@c(martlet_tracker_release)
public func releaseTracker(_ tracker: Int32) { trackers.remove(tracker) }

/// The objects in `count` boxes; `nil` for a null pointer or an invalid count.
private func objects(_ boxes: UnsafePointer<Float>?, _ count: Int) -> [DetectedObject]? {
  guard count >= 0, count <= Int.max / (4 * boxLength), unsafe boxes != nil || count == 0 else {
    return nil
  }
  let numbers = unsafe UnsafeBufferPointer(start: boxes, count: count * boxLength)
  return (0..<count).map { box in
    func number(_ place: Int) -> Float { unsafe numbers[box * boxLength + place] }
    let index = Int(exactly: number(5).rounded()) ?? -1
    return DetectedObject(
      frame: Box(x: number(0), y: number(1), width: number(2), height: number(3)),
      score: number(4),
      labels: index < 0 ? [] : [ObjectLabel(text: "", index: index, confidence: number(4))])
  }
}

extension ImageSize {
  fileprivate var isValid: Bool {
    do throws(ImageError) {
      try validate()
      return true
    } catch { return false }
  }
}

/// A tracker and the number of its frames.
private final class LineTracker {
  var tracker: ObjectTracker
  private var frameCount = 0

  init(_ tracker: ObjectTracker) { self.tracker = tracker }

  /// The line of the next frame, whose objects `update` returns.
  func line(_ size: ImageSize, _ update: (inout ObjectTracker) -> [DetectedObject]) -> JSON {
    defer { frameCount += 1 }
    return JSON.line(of: "", frame: frameCount, size, update(&tracker))
  }
}
