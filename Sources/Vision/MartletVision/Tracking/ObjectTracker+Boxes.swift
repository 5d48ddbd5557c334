//===--- ObjectTracker+Boxes.swift - tracking the boxes of a detector -----===//
//
// The public methods, for boxes of any detector.
//===----------------------------------------------------------------------===//

package import MartletImage

extension ObjectTracker {
  /// The tracked objects in sight in the next frame, sorted by decreasing salience, each with its
  /// identifier and a smoothed box.
  ///
  /// An object's score is the mean of its recent boxes', and its label the most frequent one. A frame of
  /// another size removes all objects.
  ///
  /// - Parameters:
  ///   - boxes: The detector's boxes in pixels of the frame, in any order. Empty, infinite and NaN boxes
  ///     and scores are ignored.
  ///   - image: The frame. Its pixels tell objects that look different apart.
  public mutating func update(
    _ boxes: [DetectedObject], in image: RGBImage
  ) -> [DetectedObject] {
    update(boxes, AppearanceReader(image, features: nil))
  }

  /// The tracked objects in sight in the next frame, by the places of boxes alone, in less time and
  /// with more switched identifiers than ``update(_:in:)-(_,RGBImage)``.
  public mutating func update(
    _ boxes: [DetectedObject], in size: ImageSize
  ) -> [DetectedObject] {
    update(boxes, AppearanceReader(size))
  }

  private mutating func update(
    _ boxes: [DetectedObject], _ reader: AppearanceReader
  ) -> [DetectedObject] {
    start(reader.size)
    let usable = boxes.filter { $0.isUsable && $0.score >= parameters.minimumScore }
    var frame = FrameDetections(usable, reader: reader)
    begin(&frame)
    complete(&frame)
    return visible
  }

  /// The tracked objects in a frame in which the detector does not run, at their expected places.
  public mutating func skip(in size: ImageSize) -> [DetectedObject] {
    start(size)
    carry(in: size)
    return visible
  }

  /// Removes all objects if the frame has another size than the last one.
  private mutating func start(_ size: ImageSize) {
    if let last = self.size, last != size { reset() }
    self.size = size
  }
}

extension DetectedObject {
  /// Whether the box and the score are numbers, and the box is not empty.
  fileprivate var isUsable: Bool {
    !frame.isEmpty && score.isFinite && frame.x.isFinite && frame.y.isFinite && frame.maxX.isFinite
      && frame.maxY.isFinite
  }
}
