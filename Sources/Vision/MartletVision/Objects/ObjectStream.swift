//===--- ObjectStream.swift - objects in a video or before a camera -------===//
//
// In every frame the known objects are tracked by their pixels. Every few frames the localizer runs on the
// whole frame, and twice as often on a crop around one small object. Moving regions are detected between.
//
// Contract  Intervals count frames, not time: the same frames give the same objects, for every number of
//           workers. A frame of another size or orientation restarts the stream; identifiers count from 0
//           and are never reused. One object is classified per frame, in frames without detection if
//           there are any, so the labels of a new object can come some frames later. Labels are cached.
// Cost      A tracker for each object; the localizer on every `detectionInterval`-th frame, and twice as
//           often on a crop; the classifier for one object in the other frames.
//===----------------------------------------------------------------------===//

/// The options of an object stream.
public struct ObjectStreamOptions: Sendable, Hashable {
  /// The largest number of tracked objects. Default: 1, the most prominent one.
  public var maximumObjectCount: Int
  /// Whether objects are classified. Default: `false`.
  public var shouldEnableClassification: Bool
  /// The number of frames from one detection to the next, at least 1. The localizer runs twice as
  /// often on a crop around one small object. Default: 5.
  public var detectionInterval: Int
  /// The number of frames for which a lost object keeps its identifier. Default: 15.
  public var lostFrameCount: Int
  /// Whether moving regions are objects, even if the localizer detects none. Default: `true`.
  public var shouldDetectMotion: Bool

  /// Options for one object without classification, by default.
  public init(
    maximumObjectCount: Int = 1, shouldEnableClassification: Bool = false,
    detectionInterval: Int = 5, lostFrameCount: Int = 15, shouldDetectMotion: Bool = true
  ) {
    self.maximumObjectCount = maximumObjectCount
    self.shouldEnableClassification = shouldEnableClassification
    self.detectionInterval = detectionInterval
    self.lostFrameCount = lostFrameCount
    self.shouldDetectMotion = shouldDetectMotion
  }
}

/// Tracks objects from frame to frame.
public final class ObjectStream {
  /// The number of frames after which an object is classified again.
  private static let labelLifetime = 30
  /// The number of boxes used from each detection.
  private static let boxCount = 10

  /// The largest number of user-provided boxes. Each tracked object takes about 1 MiB.
  public static let initialBoxLimit = 100

  private let options: ObjectStreamOptions
  private let finder: ObjectFinder
  private let classifier: Classifier?
  private var tracks: ObjectTracks
  private var cachedLabels: [Int: CachedLabels] = [:]
  /// The number of frames since the stream started.
  private var frameCount = 0
  private var size: ImageSize?
  private var orientation = ImageOrientation.up

  /// The labels of an object and the frame in which they were computed.
  private struct CachedLabels {
    let labels: [ObjectLabel]
    let frame: Int
  }

  /// A stream with the networks of `finder`. Objects are classified if the options enable it and
  /// the finder has a classifier.
  public init(_ finder: ObjectFinder, options: ObjectStreamOptions = .init()) {
    self.options = options
    self.finder = finder
    classifier = options.shouldEnableClassification ? finder.classifier : nil
    var parameters = ObjectTracks.Parameters()
    parameters.limit = max(options.maximumObjectCount, 1)
    parameters.maximumLostFrames = max(options.lostFrameCount, 0)
    if !options.shouldDetectMotion { parameters.motionInterval = 0 }
    let weights = DetectionParameters()
    tracks = ObjectTracks(parameters) { weights.prominence(of: $0, in: $1) }
  }

  /// Removes all objects; the next frame starts a new stream.
  public func reset() {
    tracks.reset()
    cachedLabels = [:]
    frameCount = 0
    size = nil
  }

  /// The objects in the next frame, sorted by decreasing salience; empty if there are none.
  ///
  /// - Parameters:
  ///   - frame: An upright image.
  ///   - orientation: The orientation that `frame` was rotated from. A change restarts the stream.
  public func objects(
    in frame: RGBImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    advance(frame, orientation)
    func isDue(every count: Int) -> Bool { (frameCount - 1).isMultiple(of: max(count, 1)) }
    let isDetecting = isDue(every: options.detectionInterval)
    tracks.associate(isDetecting ? try detections(in: frame) : nil)
    if isDue(every: options.detectionInterval / 2) { try detectInCrop(of: frame) }
    if !isDetecting || options.detectionInterval <= 1 { try classifyOne(in: frame) }
    return objects(in: frame.size)
  }

  /// Tracks the user-provided objects in the next frame and starts no others. Uncertain objects are
  /// corrected by the localizer.
  public func trackedObjects(
    in frame: RGBImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    advance(frame, orientation)
    try detectInCrop(of: frame)
    try classifyOne(in: frame)
    return objects(in: frame.size)
  }

  /// Restarts the stream with this frame and these boxes, and returns their objects.
  ///
  /// A box outside the frame is ignored.
  ///
  /// - Throws: ``VisionError/tooManyBoxes(found:limit:)`` if there are more than
  ///   ``initialBoxLimit``.
  public func begin(
    with boxes: [Box], in frame: RGBImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    guard boxes.count <= ObjectStream.initialBoxLimit else {
      throw .tooManyBoxes(found: boxes.count, limit: ObjectStream.initialBoxLimit)
    }
    reset()
    advance(frame, orientation)
    tracks.begin(boxes)
    return objects(in: frame.size)
  }

  private func detections(in frame: RGBImage) throws(VisionError) -> [DetectedObject] {
    try finder.boxes(
      in: frame, limit: max(ObjectStream.boxCount, options.maximumObjectCount),
      testTimeAugmentation: false)
  }

  /// Runs the localizer on a crop around one object.
  private func detectInCrop(of frame: RGBImage) throws(VisionError) {
    guard let (identifier, part) = tracks.nextCrop() else { return }
    let found = try frame.objects(inside: part) { (part) throws(VisionError) in
      try detections(in: part)
    }
    tracks.matchInCrop(of: identifier, found: found)
  }

  private func advance(_ frame: RGBImage, _ orientation: ImageOrientation) {
    if let size, size != frame.size || self.orientation != orientation { reset() }
    size = frame.size
    self.orientation = orientation
    tracks.update(frame)
    frameCount += 1
  }

  /// Classifies the object that has waited longest, new objects first.
  private func classifyOne(in frame: RGBImage) throws(VisionError) {
    guard let classifier else { return }
    let visible = tracks.visible
    // Forget the labels of removed objects.
    let known = Set(tracks.identifiers)
    cachedLabels = cachedLabels.filter { known.contains($0.key) }
    func age(_ object: DetectedObject) -> Int {
      object.trackingID.flatMap { cachedLabels[$0] }.map { frameCount - $0.frame } ?? .max
    }
    guard let oldest = visible.max(by: { age($0) < age($1) }), let id = oldest.trackingID,
      age(oldest) >= ObjectStream.labelLifetime
    else { return }
    let labels = try classifier.labels(in: frame, box: oldest.frame)
    cachedLabels[id] = CachedLabels(labels: labels, frame: frameCount)
  }

  /// The visible objects. If objects are classified, the labels of the localizer are dropped.
  private func objects(in size: ImageSize) -> [DetectedObject] {
    tracks.visible.map { object in
      var object = object
      object.frame = object.frame.clipped(
        toWidth: Float(size.width), height: Float(size.height))
      if let classifier {
        let known = object.trackingID.flatMap { cachedLabels[$0] }
        object.labels = known?.labels ?? []
        object.category = known.flatMap { classifier.category($0.labels) }
      }
      return object
    }
  }
}
