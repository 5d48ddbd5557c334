//===--- ObjectDetector+MLKit.swift - object detection by ML Kit's names --===//
//
// Contract  Frames of `process` and their callbacks are in the order of the calls.
//===----------------------------------------------------------------------===//

public import Foundation

/// The completion handler, called on the main thread with objects, or with `nil` and an error.
public typealias ObjectDetectionCallback = @MainActor @Sendable ([Object]?, (any Error)?) -> Void

extension ObjectDetector {
  /// A detector with a copy of these options.
  ///
  /// Networks are prepared at the first image. If that fails, the call throws the error, and the
  /// next call tries again.
  public static func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector {
    ObjectDetector(options.values, nil)
  }

  /// A detector with these options and prepared networks. If objects are classified, `classifier`
  /// replaces the one of the options. Beyond ML Kit.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public convenience init(
    options: CommonObjectDetectorOptions, classifier: Classifier? = nil
  ) throws(VisionError) {
    self.init(options.values, classifier)
    try prepare()
  }

  private convenience init(_ values: ObjectOptionValues, _ classifier: Classifier?) {
    self.init(
      values.configuration, refusesMainThread: values.refusesMainThread,
      execution: values.execution
    ) { () throws(VisionError) in
      (
        try values.completed(readsClassifier: classifier == nil),
        values.classifies ? classifier : nil
      )
    }
  }

  /// Detects the objects in an image on the calling thread. They are sorted by decreasing salience;
  /// the array is empty if none is detected.
  ///
  /// On the main thread it blocks, or throws if the options set `shouldThrowOnMainThread`; ML Kit
  /// raises an exception.
  ///
  /// - Throws: `VisionError`.
  public func results(in image: some MLKitCompatibleImage) throws(VisionError) -> [Object] {
    try calls.results(in: image)
  }

  /// Detects the objects in an image and calls `completion` on the main thread.
  ///
  /// The main thread must run its run loop, as in an app or a program with an asynchronous `main`.
  /// Otherwise use a queue, or `objects(in:)`.
  ///
  /// Returns immediately. Waiting frames of a stream take at most 64 MiB; beyond that, the oldest
  /// are dropped with `VisionError.frameDropped`. Waiting images of `.singleImage` mode take at most
  /// 256 MiB; beyond that, an image is refused with `VisionError.tooManyImages`. `objects(in:)` waits
  /// instead.
  public func process(
    _ image: some MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback
  ) {
    calls.detect(image) { result in
      Task { @MainActor in result.deliver(completion) }
    }
  }

  /// Detects the objects in an image and calls `completion` on `callbackQueue`. Beyond ML Kit.
  public func process(
    _ image: some MLKitCompatibleImage, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable ([Object]?, (any Error)?) -> Void
  ) {
    calls.detect(image) { result in
      callbackQueue.async { result.deliver(completion) }
    }
  }
}
