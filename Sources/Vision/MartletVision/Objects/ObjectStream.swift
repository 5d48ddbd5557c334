//===--- ObjectStream.swift - objects in a video or before a camera -------===//
//
// The localizer runs on every frame, or on every few frames, and its detections continue and start
// objects. User-provided boxes are tracked by their pixels, and corrected by detections.
//
// The lowest score to report does not change what is tracked: objects that score less are tracked, and
// reported again with the same identifier once their score is high enough.
//
// Contract  Intervals count frames, not time: the same frames give the same objects, for every number of
//           workers. A frame of another size or orientation restarts the stream; identifiers count from 0
//           and are never reused. One object is classified per frame, from the second frame on, so the
//           labels of an object can come some frames later than its box. Labels are cached.
// Cost      The localizer on the frame and on `closerLookCount` crops, the classifier for one object,
//           and a correlation filter for each user-provided box.
//===----------------------------------------------------------------------===//

/// Tracks objects from frame to frame.
///
/// The score of an object is the mean of its latest detections, and falls while it is not detected.
/// Without a minimum score of the finder, objects are reported from 0.25 on, or from
/// ``TrackingParameters/reportedShare`` of the best one's score on, at least 0.08. With a minimum score
/// all objects in sight of at least this score are reported, and none below; 0 reports every tracked
/// object in sight. In both cases parts of better objects are not reported.
public final class ObjectStream {
  /// The number of frames after which an object is classified again.
  private static let labelLifetime = 30
  /// The number of boxes used from each detection.
  private static let boxCount = 20

  /// The largest number of user-provided boxes. Each tracked object takes about 1 MiB.
  public static let initialBoxLimit = 100

  private let finder: ObjectFinder
  private let limit: Int
  private let tracking: TrackingParameters
  private var tracker: ObjectTracker
  private var userTracks: UserTracks
  private var features = FeatureMap()
  private var cachedLabels: [Int: CachedLabels] = [:]
  /// The number of frames since the stream started.
  private var frameCount = 0
  private var size: ImageSize?
  /// The size of the whole frames, even if a region is processed.
  private var frameSize: ImageSize?
  private var orientation = ImageOrientation.up

  /// The labels of an object and the frame in which they were computed.
  private struct CachedLabels {
    let classification: Classification
    let frame: Int
  }

  /// A stream. `classifier` replaces the configuration's labels.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public convenience init(
    _ configuration: ObjectConfiguration = .init(), classifier: Classifier? = nil,
    execution: Interpreter.Options = .init(), lock: Lock = .automatic()
  ) throws(VisionError) {
    self.init(
      try ObjectFinder(configuration, classifier: classifier, execution: execution, lock: lock))
  }

  /// A stream with the networks and the configuration of `finder`.
  public init(_ finder: ObjectFinder) {
    self.finder = finder
    let configuration = finder.configuration
    (limit, tracking) = (max(configuration.limit, 1), configuration.tracking)
    tracker = ObjectTracker(
      tracking, limit: finder.candidateLimit, minimumScore: configuration.minimumScore,
      hasParts: configuration.detector == nil)
    userTracks = UserTracks(tracking, minimumScore: configuration.minimumScore)
  }

  /// Frees the memory that no run of the networks uses.
  public func trim() { finder.trim() }

  /// Removes all objects; the next frame starts a new stream.
  public func reset() {
    tracker.reset()
    userTracks.reset()
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
    if let frameSize, frameSize != frame.size { reset() }
    frameSize = frame.size
    return try frame.objects(inside: finder.configuration.region) { part throws(VisionError) in
      try objects(inPart: part, orientation)
    }
  }

  /// The objects in the next frame, in pixels of the full frame.
  package func objects(
    in frame: DetectionImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    frame.full(try objects(in: frame.pixels, orientation: orientation))
  }

  /// The objects in the part of the next frame that the stream processes.
  private func objects(
    inPart frame: RGBImage, _ orientation: ImageOrientation
  ) throws(VisionError) -> [DetectedObject] {
    let isDetecting = advance(frame, orientation)
    if isDetecting {
      var detections = try detections(in: frame)
      try tracker.update(&detections) { (crop) throws(VisionError) in
        try boxes(in: frame, crop)
      }
    } else {
      tracker.carry(in: frame.size)
    }
    let objects = try labeled(tracker.visible, in: frame, known: tracker.identifiers)
    return Array(objects.prefix(limit))
  }

  /// Tracks the user-provided objects in the next frame and starts no others.
  public func trackedObjects(
    in frame: RGBImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    let isDetecting = advance(frame, orientation)
    try userTracks.update(
      FramePyramid(frame), try detections(in: frame, isRunning: isDetecting)
    ) { (crop) throws(VisionError) in
      isDetecting ? try boxes(in: frame, crop) : []
    }
    return try labeled(userTracks.visible, in: frame, known: userTracks.identifiers)
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
    try userTracks.begin(boxes, FramePyramid(frame), try detections(in: frame)) {
      (crop) throws(VisionError) in try self.boxes(in: frame, crop)
    }
    return try labeled(userTracks.visible, in: frame, known: userTracks.identifiers)
  }

  /// The localizer's detections with their appearance; none if it is not running.
  private func detections(
    in frame: RGBImage, isRunning: Bool = true
  ) throws(VisionError) -> FrameDetections {
    guard isRunning else {
      return FrameDetections([], reader: AppearanceReader(frame, features: nil))
    }
    let (objects, candidates, hasFeatures) = try finder.detections(
      in: frame, limit: max(ObjectStream.boxCount, finder.candidateLimit), features: &features)
    return FrameDetections(
      objects.filter { $0.score >= tracking.minimumScore }, candidates: candidates,
      reader: AppearanceReader(frame, features: hasFeatures ? features : nil))
  }

  /// The localizer's boxes in a crop, in pixels of the frame. A custom detector runs once a frame.
  private func boxes(
    in frame: RGBImage, _ crop: Box
  ) throws(VisionError) -> [DetectedObject] {
    guard finder.configuration.detector == nil else { return [] }
    return try frame.objects(inside: crop) { (part) throws(VisionError) in
      try finder.detections(in: part, limit: ObjectStream.boxCount)
    }
  }

  /// Starts the next frame; returns whether the localizer runs on it.
  @discardableResult
  private func advance(_ frame: RGBImage, _ orientation: ImageOrientation) -> Bool {
    if let size, size != frame.size || self.orientation != orientation { reset() }
    size = frame.size
    self.orientation = orientation
    frameCount += 1
    return (frameCount - 1).isMultiple(of: max(tracking.detectionInterval, 1))
  }

  /// Clips the objects to the frame, and adds their labels; those of the localizer are dropped if
  /// objects are classified. Classifies the object that has waited longest, new objects first.
  private func labeled(
    _ objects: [DetectedObject], in frame: RGBImage, known identifiers: [Int]
  ) throws(VisionError) -> [DetectedObject] {
    var objects = objects
    for index in objects.indices {
      objects[index].frame = objects[index].frame.clipped(
        toWidth: Float(frame.width), height: Float(frame.height))
    }
    guard let classifier = finder.classifier else { return permitted(objects) }
    // Forget the labels of removed objects.
    cachedLabels = cachedLabels.filter { identifiers.contains($0.key) }
    func age(_ object: DetectedObject) -> Int {
      object.trackingID.flatMap { cachedLabels[$0] }.map { frameCount - $0.frame } ?? .max
    }
    if frameCount > 1, let oldest = objects.max(by: { age($0) < age($1) }),
      let id = oldest.trackingID, age(oldest) >= ObjectStream.labelLifetime
    {
      let classification = try classifier.classification(in: frame, box: oldest.frame)
      cachedLabels[id] = CachedLabels(classification: classification, frame: frameCount)
    }
    for index in objects.indices {
      let known = objects[index].trackingID.flatMap { cachedLabels[$0] }
      objects[index].label(known?.classification)
    }
    return permitted(objects)
  }

  /// The objects that the filter permits.
  private func permitted(_ objects: [DetectedObject]) -> [DetectedObject] {
    finder.isFiltered ? objects.filter(finder.permits) : objects
  }
}
