//===--- FaceDetector.swift - faces in images and streams -----------------===//
//
// Contract  May be used from any number of tasks at once: networks are shared, the memory to run
//           them is not. The frames of a stream are processed one after another, those of tasks in
//           the order of the calls. Places of faces are in the stored image.
// Cost      Only the networks that the configuration needs are prepared and run.
//===----------------------------------------------------------------------===//

import MartletBase
public import MartletVision

/// Detects faces in images or tracks them in streams.
///
/// ```swift
/// let detector = try FaceDetector(.init(landmarks: true, expressions: true))
/// for face in try await detector.faces(in: InputImage(contentsOfFile: "a.jpg")) {
///   print(face.frame, face.smile ?? "unknown")
///   print(face.landmark(ofType: .leftEye)?.position ?? "hidden")
/// }
/// ```
///
/// Faces are tracked by position and motion; people are not identified.
public final class FaceDetector: Sendable {
  package let calls: DetectorCalls<Face>
  private let decoding: DecodingConfiguration

  /// A detector whose networks are prepared when they are first needed; `models` returns those that
  /// replace the shipped ones.
  package init(
    lazily configuration: FaceConfiguration, refusesMainThread: Bool = false,
    execution: Interpreter.Options, models: (@Sendable () -> FaceModels)? = nil
  ) {
    decoding = configuration.decoding
    let isFull = configuration.minimumSide == nil
    calls = DetectorCalls(
      isStream: configuration.tracking, refusesMainThread: refusesMainThread,
      timeLimit: decoding.timeLimit
    ) { () throws(VisionError) in
      let finder = try FaceFinder(
        configuration, models: models?(), execution: execution.stoppingWithCall)
      guard configuration.tracking else {
        return .init(trim: { finder.trim() }) { (image) throws(VisionError) in
          try finder.results(in: image.detectionImage(isFull: isFull)).map { Face($0, in: image) }
        }
      }
      let stream = Mutex(FaceStream(finder))
      return .init(trim: { finder.trim() }) { (image) throws(VisionError) in
        let frame = image.detectionImage(isFull: isFull)
        return try stream.withLock { stream throws(VisionError) in
          try stream.results(in: frame, orientation: image.imageOrientation)
        }.map { Face($0, in: image) }
      }
    }
  }

  /// A detector.
  ///
  /// - Parameters:
  ///   - configuration: What is detected and returned.
  ///   - execution: The kernels, workers and limits of the networks. They use all processors by
  ///     default; the number of workers does not change the results.
  /// - Throws: `VisionError` if a network cannot be prepared.
  public convenience init(
    _ configuration: FaceConfiguration = .init(),
    execution: Interpreter.Options = .init(workers: .pool)
  ) throws(VisionError) {
    self.init(lazily: configuration, execution: execution)
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

extension FaceDetector {
  /// Detects the faces in an image on the calling thread, which blocks. They are sorted by decreasing
  /// salience; the array is empty if none is detected.
  ///
  /// - Throws: `VisionError`.
  public func faces(in image: some MLKitCompatibleImage) throws(VisionError) -> [Face] {
    try calls.results(in: image)
  }

  /// Detects the faces in an image, sorted by decreasing salience, on a thread of the detectors.
  ///
  /// - Throws: `VisionError`; `.cancelled` if the task is canceled.
  public func faces(in image: some MLKitCompatibleImage) async throws(VisionError) -> [Face] {
    try await calls.found(in: image)
  }

  /// Decodes the file with these bytes as the configuration says, and detects the faces in it, both
  /// on a thread of the detectors.
  ///
  /// - Throws: `VisionError`; `.cancelled` if the task is canceled.
  public func faces(inFile bytes: [UInt8]) async throws(VisionError) -> [Face] {
    try await calls.found { [decoding] () throws(VisionError) in
      try InputImage(encoded: bytes, decoding, isFull: decoding.isFullResolution)
    }
  }

  /// Reads and decodes the file at `path` as the configuration says, and detects the faces in it, all on
  /// a thread of the detectors.
  ///
  /// - Throws: `VisionError`; `.cancelled` if the task is canceled.
  public func faces(inFile path: String) async throws(VisionError) -> [Face] {
    try await calls.found { [decoding] () throws(VisionError) in
      try InputImage(contentsOfFile: path, decoding, isFull: decoding.isFullResolution)
    }
  }

  /// Detects or tracks the faces in a sequence of frames.
  ///
  /// ```swift
  /// let detector = try FaceDetector(.init(isStream: true))
  /// for try await result in detector.faces(over: frames) {
  ///   for face in result.faces { print(face.frame) }
  /// }
  /// ```
  public func faces<Frames: AsyncSequence>(
    over frames: Frames
  ) -> DetectionResults<Frames, Face> where Frames.Element: MLKitCompatibleImage {
    DetectionResults(calls: calls, frames: frames)
  }
}
