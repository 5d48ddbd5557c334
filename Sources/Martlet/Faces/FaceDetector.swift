//===--- FaceDetector.swift - faces in pictures and streams ---------------===//
//
// One detector, asked in three ways: `results(in:)` on the caller's thread, `process` with a callback,
// `faces(in:)` in a task. Not public as long as its networks are brought along.
//
// Contract  May be used from any number of tasks at once: networks are shared, the memory to run them is not.
//           Where faces are tracked, pictures are looked at one after another, those of `process` and of
//           `faces(in:)` in the order of the calls. Places of faces lie in the picture as given.
// Cost      Networks are prepared at the first picture, or by `prepare()`, and only those that are asked for.
// Checked   Tests/MartletTests/FaceDetectorTests.swift
//===----------------------------------------------------------------------===//

import Foundation
import MartletFaces
import MartletVision
import MartletWorkers
import Synchronization

/// What a detector calls when it is done, on the main thread: faces, or `nil` and an error.
typealias FaceDetectionCallback = @MainActor @Sendable ([Face]?, (any Error)?) -> Void

/// Finds faces in pictures.
final class FaceDetector: Sendable {
  private let calls: DetectorCalls<Face>

  /// A detector with these options, of which it takes a copy, and networks.
  init(options: FaceDetectorOptions, models: FaceModels) {
    let settings = options.values
    calls = DetectorCalls(
      isStream: settings.parts.tracking, refusesMainThread: settings.refusesMainThread
    ) { () throws(VisionError) in
      try FaceDetector.look(settings, models)
    }
  }

  /// What looks for faces as the settings say.
  private static func look(
    _ settings: FaceDetectorSettings, _ models: FaceModels
  ) throws(VisionError) -> DetectorCalls<Face>.Look {
    let parts = settings.parts
    let finder = try FaceFinder(
      models, parts: parts, options: settings.interpreter, lock: .mutex())
    guard parts.tracking else {
      return { (image) throws(VisionError) in
        try finder.faces(in: image.upright).asked(parts, in: image)
      }
    }
    var options = FaceStream.Options()
    options.tracks.isSmoothing = settings.smooths
    let stream = Mutex(FaceStream(finder, options: options))
    return { (image) throws(VisionError) in
      try stream.withLock { stream throws(VisionError) in
        try stream.faces(in: image.upright, orientation: image.imageOrientation)
      }.asked(parts, in: image)
    }
  }

  /// Makes networks ready, so that the first picture takes no longer than others.
  func prepare() throws(VisionError) { try calls.prepare() }

  /// The faces in a picture, found on the calling thread, by falling prominence; none is no error.
  func results(in image: some MLKitCompatibleImage) throws(VisionError) -> [Face] {
    try calls.results(in: image)
  }

  /// Finds the faces in a picture and calls `completion` on the main thread.
  func process(
    _ image: some MLKitCompatibleImage, completion: @escaping FaceDetectionCallback
  ) {
    calls.detect(image) { result in
      Task { @MainActor in result.deliver(completion) }
    }
  }

  /// The faces in a picture, by falling prominence; none is no error.
  func faces(in image: some MLKitCompatibleImage) async throws(VisionError) -> [Face] {
    try await calls.found(in: image)
  }
}

extension [DetectedFace] {
  /// What is asked for of faces that come by falling prominence.
  fileprivate func asked(_ parts: FaceParts, in image: Picture) -> [Face] {
    enumerated().map { index, face in
      Face(face, isMostProminent: index == 0, parts: parts, in: image)
    }
  }
}
