//===--- ObjectDetector.swift - object detection and tracking -------------===//
//
// Contract  May be used from any number of tasks at once: networks are shared, the memory to run
//           them is not. The frames of a stream are processed one after another, those of tasks in
//           the order of the calls. Frames of objects are in the stored image.
// Cost      Each task that runs at the same time needs an arena.
//===----------------------------------------------------------------------===//

import MartletBase
public import MartletVision

/// Detects objects in images or tracks them in streams, and labels them.
///
/// ```swift
/// let detector = try ObjectDetector(.init(limit: 5, labels: .coarse()))
/// for object in try await detector.objects(inFile: "a.jpg") {
///   print(object.frame, object.labels.first?.text ?? "unknown")
/// }
/// ```
public final class ObjectDetector: Sendable {
  package let calls: DetectorCalls<Object>
  /// The configuration, maybe without its models.
  private let configuration: ObjectConfiguration

  /// A detector whose networks are prepared when they are first needed. `make` returns its
  /// configuration with models, and a classifier that replaces the one of the configuration.
  package init(
    _ configuration: ObjectConfiguration, refusesMainThread: Bool = false,
    execution: Interpreter.Options,
    _ make: @escaping @Sendable () throws(VisionError) -> (ObjectConfiguration, Classifier?)
  ) {
    self.configuration = configuration
    let isFull = configuration.minimumSide == nil
    calls = DetectorCalls(
      isStream: configuration.isStream, refusesMainThread: refusesMainThread,
      timeLimit: configuration.decoding.timeLimit
    ) { () throws(VisionError) in
      let (configuration, classifier) = try make()
      let finder = try ObjectFinder(
        configuration, classifier: classifier, execution: execution.stoppingWithCall)
      guard configuration.isStream else {
        return .init(trim: { finder.trim() }) { (image) throws(VisionError) in
          try finder.objects(in: image.detectionImage(isFull: isFull)).map {
            Object($0, in: image)
          }
        }
      }
      let stream = Mutex(ObjectStream(finder))
      return .init(trim: { finder.trim() }) { (image) throws(VisionError) in
        let frame = image.detectionImage(isFull: isFull)
        return try stream.withLock { stream throws(VisionError) in
          try stream.objects(in: frame, orientation: image.imageOrientation)
        }.map { Object($0, in: image) }
      }
    }
  }

  /// A detector.
  ///
  /// - Parameters:
  ///   - configuration: What is detected and returned.
  ///   - classifier: The source of labels instead of that of the configuration.
  ///   - execution: The kernels, workers and limits of the networks. They use all processors by
  ///     default; the number of workers does not change the results.
  /// - Throws: `VisionError` if a network cannot be prepared.
  public convenience init(
    _ configuration: ObjectConfiguration = .init(), classifier: Classifier? = nil,
    execution: Interpreter.Options = .init(workers: .pool)
  ) throws(VisionError) {
    self.init(configuration, execution: execution) { (configuration, classifier) }
    try prepare()
  }

  /// Prepares the networks, so that the first image takes no longer than the others.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public func prepare() throws(VisionError) { try calls.prepare() }

  /// Frees the memory that no running call uses, for example when the system warns of low memory.
  /// The next call allocates it again. Networks stay prepared, and a stream goes on.
  public func trim() { calls.trim() }
}

// MARK: - Calls

extension ObjectDetector {
  /// Detects the objects in an image on the calling thread, which blocks. They are sorted by
  /// decreasing salience; the array is empty if none is detected.
  ///
  /// - Throws: `VisionError`.
  public func objects(in image: some MLKitCompatibleImage) throws(VisionError) -> [Object] {
    try calls.results(in: image)
  }

  /// Detects the objects in an image, sorted by decreasing salience, on a thread of the detectors.
  ///
  /// - Throws: `VisionError`; `.cancelled` if the task is canceled.
  public func objects(in image: some MLKitCompatibleImage) async throws(VisionError) -> [Object] {
    try await calls.found(in: image)
  }

  /// Decodes the file with these bytes as the configuration says, and detects the objects in it, both
  /// on a thread of the detectors.
  ///
  /// - Throws: `VisionError`; `.cancelled` if the task is canceled.
  public func objects(inFile bytes: [UInt8]) async throws(VisionError) -> [Object] {
    try await calls.found { [configuration] () throws(VisionError) in
      try InputImage(
        encoded: bytes, configuration.decoding, isFull: configuration.minimumSide == nil)
    }
  }

  /// Reads and decodes the file at `path` as the configuration says, and detects the objects in it, all
  /// on a thread of the detectors.
  ///
  /// - Throws: `VisionError`; `.cancelled` if the task is canceled.
  public func objects(inFile path: String) async throws(VisionError) -> [Object] {
    try await calls.found { [configuration] () throws(VisionError) in
      try InputImage(
        contentsOfFile: path, configuration.decoding, isFull: configuration.minimumSide == nil)
    }
  }

  /// Detects or tracks the objects in a sequence of frames.
  ///
  /// ```swift
  /// for try await result in detector.objects(over: frames) {
  ///   draw(result.objects, on: result.frame)
  /// }
  /// ```
  public func objects<Frames: AsyncSequence>(
    over frames: Frames
  ) -> DetectionResults<Frames, Object> where Frames.Element: MLKitCompatibleImage {
    DetectionResults(calls: calls, frames: frames)
  }
}
