//===--- ObjectStream.swift - objects in a video or before a camera -------===//
//
// Every frame the objects found before are followed by their pixels; every few frames the localizer
// looks for them, and for new ones, and twice as often at the part of a frame around one object: what is
// small in the frame is large there. What moves by itself is found between.
//
// Contract  Frames are counted, no clock is read: the same frames give the same objects, at every
//           number of workers. A frame of another size or orientation begins anew; identifiers
//           count from 0 and are never used again. Objects may lack their labels in their first
//           frames: one object is classified in a frame, in frames without detection where there
//           are such, and what it is said to be stays with it until it is asked again.
// Cost      A tracker's work for each object; the localizer's on every `detectionInterval`-th frame, and
//           twice as often for one small object, where objects are only tracked for one that is doubted;
//           the classifier's for one object on the others.
// Checked   Tests/MartletTests/ObjectStreamTests.swift; scores in Sources/MartletTracking/Tracking.md
//===----------------------------------------------------------------------===//

import MartletTracking

/// What an object stream looks for.
public struct ObjectStreamOptions: Sendable, Hashable {
  /// How many objects are tracked at most: the most prominent one alone by default.
  public var maximumObjectCount: Int
  /// Whether objects are classified.
  public var shouldEnableClassification: Bool
  /// Every how many frames the localizer looks at all of a frame, at least 1. Twice as often it looks at
  /// the part around one small object.
  public var detectionInterval: Int
  /// For how many frames an object that is lost is kept, unseen, to be found again.
  public var lostFrameCount: Int
  /// Whether what moves by itself is an object, whatever the localizer says.
  public var shouldDetectMotion: Bool

  /// One object, without classification, by default.
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

/// Follows objects from frame to frame.
public final class ObjectStream {
  /// After how many frames an object is classified again.
  private static let labelLifetime = 30
  /// How many of the localizer's boxes are used.
  private static let boxCount = 10

  /// With how many boxes a stream begins at most. Each tracked object takes about 1 MiB.
  public static let startLimit = 100

  private let options: ObjectStreamOptions
  private let localizer: Localizer
  private let classifier: Classifier?
  private var tracks: ObjectTracks
  private var knowledge: [Int: Knowledge] = [:]
  /// Frames since the stream began anew.
  private var frameCount = 0
  private var size: ImageSize?
  private var orientation = ImageOrientation.up

  /// What the classifier said of an object, and in which frame.
  private struct Knowledge {
    let labels: [ObjectLabel]
    let frame: Int
  }

  /// A stream in which `finder` finds objects, and names them where the options say so and it has a
  /// classifier.
  public init(_ finder: ObjectFinder, options: ObjectStreamOptions = .init()) {
    self.options = options
    localizer = finder.localizer
    classifier = options.shouldEnableClassification ? finder.classifier : nil
    var parameters = ObjectTracks.Parameters()
    parameters.limit = max(options.maximumObjectCount, 1)
    parameters.patience = max(options.lostFrameCount, 0)
    if !options.shouldDetectMotion { parameters.motionInterval = 0 }
    let weights = DetectionParameters()
    tracks = ObjectTracks(parameters) { weights.prominence(of: $0, in: $1) }
  }

  /// Forgets all objects; the next frame is a first one.
  public func reset() {
    tracks.reset()
    knowledge = [:]
    frameCount = 0
    size = nil
  }

  /// The objects in the next frame, by decreasing salience; none is no error.
  ///
  /// `frame` is upright; `orientation` says what it was turned from, as a camera's frames are. Where
  /// it changes, the stream begins anew.
  public func objects(
    in frame: RGBImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    advance(frame, orientation)
    func isDue(every count: Int) -> Bool { (frameCount - 1).isMultiple(of: max(count, 1)) }
    let isDetecting = isDue(every: options.detectionInterval)
    tracks.associate(isDetecting ? try detections(in: frame) : nil)
    if isDue(every: options.detectionInterval / 2) { try lookClosely(at: frame) }
    if !isDetecting || options.detectionInterval <= 1 { try classifyOne(in: frame) }
    return objects(in: frame.size)
  }

  /// Follows objects in the next frame without looking for new ones: those of `begin`. The localizer looks
  /// at those that are tracked doubtfully, and takes them back to where they are.
  public func followedObjects(
    in frame: RGBImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    advance(frame, orientation)
    try lookClosely(at: frame)
    try classifyOne(in: frame)
    return objects(in: frame.size)
  }

  /// Begins anew with this frame and the objects in these boxes, and returns them.
  ///
  /// A box without a part in the frame is no object.
  ///
  /// - Throws: ``VisionError/tooManyBoxes(found:limit:)`` if there are more than ``startLimit``.
  public func begin(
    with boxes: [Box], in frame: RGBImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    guard boxes.count <= ObjectStream.startLimit else {
      throw .tooManyBoxes(found: boxes.count, limit: ObjectStream.startLimit)
    }
    reset()
    advance(frame, orientation)
    tracks.begin(boxes)
    return objects(in: frame.size)
  }

  private func detections(in frame: RGBImage) throws(VisionError) -> [DetectedObject] {
    try localizer.objects(
      in: frame, limit: max(ObjectStream.boxCount, options.maximumObjectCount), twice: false)
  }

  /// Lets the localizer look at the part of the frame around one object.
  private func lookClosely(at frame: RGBImage) throws(VisionError) {
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

  /// Classifies the object that waits longest: first those of which nothing is known.
  private func classifyOne(in frame: RGBImage) throws(VisionError) {
    guard let classifier else { return }
    let visible = tracks.visible
    // Nothing is remembered of objects that are gone.
    let known = Set(tracks.identifiers)
    knowledge = knowledge.filter { known.contains($0.key) }
    func age(_ object: DetectedObject) -> Int {
      object.trackingID.flatMap { knowledge[$0] }.map { frameCount - $0.frame } ?? .max
    }
    guard let oldest = visible.max(by: { age($0) < age($1) }), let id = oldest.trackingID,
      age(oldest) >= ObjectStream.labelLifetime
    else { return }
    let labels = try classifier.labels(in: frame, box: oldest.frame)
    knowledge[id] = Knowledge(labels: labels, frame: frameCount)
  }

  /// The objects in sight. Where objects are classified, what the localizer calls them does not count.
  private func objects(in size: ImageSize) -> [DetectedObject] {
    tracks.visible.map { object in
      var object = object
      object.frame = object.frame.clipped(
        toWidth: Float(size.width), height: Float(size.height))
      if let classifier {
        let known = object.trackingID.flatMap { knowledge[$0] }
        object.labels = known?.labels ?? []
        object.category = known.flatMap { classifier.category($0.labels) }
      }
      return object
    }
  }
}
