//===--- LineDetector.swift - detection by JSON options -------------------===//
//
// Contract  Each image returns one line of JSON, as in the tool; a failure returns a line with the
//           reason. Use it on one thread.
// Checked   Tests/MartletCTests/LineDetectorTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
package import MartletVision

/// A detector that returns lines of JSON, for still images or the frames of a stream.
package final class LineDetector {
  fileprivate enum Kind {
    case images(ObjectFinder, limit: Int)
    case frames(ObjectStream)
    case faces(FaceFinder)
    case facesOfFrames(FaceStream, FaceFinderOptions)
  }

  private let kind: Kind
  private let decoding: FileDecoding
  private let deadline: ImageDeadline?
  private var frameCount = 0
  /// Whether the last image exceeded its time limit.
  private(set) var isLate = false

  /// A detector for `request`. `classifier` and `detector`, the bytes of `.tflite` files, replace
  /// the shipped networks for objects unless they are empty.
  package init(
    _ request: DetectorRequest, classifier: [UInt8] = [], detector: [UInt8] = []
  ) throws(VisionError) {
    decoding =
      switch request {
      case .objects(let request): request.decoding
      case .faces(let request): request.decoding
      }
    deadline = ImageDeadline(seconds: decoding.timeout)
    let options = Interpreter.Options(cancellation: deadline?.check ?? .never)
    kind =
      switch request {
      case .objects(let request):
        try Kind(request, classifier: classifier, detector: detector, options)
      case .faces(let request): try Kind(request, options)
      }
  }

  /// Detects in an encoded image, turned upright by its file's orientation. Results include the
  /// file's warnings, a failure does not.
  package func line(of name: String, file: [UInt8]) -> JSON {
    begin()
    do throws(ImageFileError) {
      let file = try ImageFile(
        decoding: file,
        minimumSide: decoding.isFullResolution ? nil : ImageFile.detectionSide,
        convertsColors: decoding.convertsColors,
        workers: .serial.checking(deadline?.check ?? .never))
      let warnings = JSON.array(file.warnings.map { .string("\($0)") })
      return line(
        of: name, DetectionImage(file),
        file.warnings.isEmpty ? [] : [("warnings", warnings)])
    } catch {
      if case .interrupted = error { isLate = true }
      return failure(of: name, error.description)
    }
  }

  /// Detects in an upright image.
  package func line(of name: String, _ image: RGBImage) -> JSON {
    begin()
    return line(of: name, DetectionImage(image), [])
  }

  /// Begins the time of an image.
  private func begin() {
    isLate = false
    deadline?.begin()
  }

  /// Detects in an image. Results include the further members.
  private func line(
    of name: String, _ image: DetectionImage, _ members: [(String, JSON)]
  ) -> JSON {
    do throws(VisionError) {
      return try results(of: name, image) + members
    } catch {
      if case .inference(let reason) = error, case .deadlineExceeded = reason.innermost {
        isLate = true
      }
      return failure(of: name, error.description)
    }
  }

  private func results(of name: String, _ image: DetectionImage) throws(VisionError) -> JSON {
    switch kind {
    case .images(let finder, let limit):
      let objects = try finder.objects(in: image.pixels, limit: limit)
      return JSON.line(of: name, image.size, image.full(objects))
    case .faces(let finder):
      let faces = finder.finderOptions.reported(of: image.full(try finder.faces(in: image.pixels)))
      return JSON.line(of: name, image.size, faces)
    case .frames(let stream):
      let objects = image.full(try stream.objects(in: image.pixels))
      return JSON.line(of: name, frame: nextFrame(), image.size, objects)
    case .facesOfFrames(let stream, let finderOptions):
      let faces = finderOptions.reported(of: image.full(try stream.faces(in: image.pixels)))
      return JSON.line(of: name, frame: nextFrame(), image.size, faces)
    }
  }

  /// The line for an image that failed; in a stream it counts as a frame.
  package func failure(of name: String, _ reason: String) -> JSON {
    switch kind {
    case .images, .faces: JSON.failure(of: name, reason)
    case .frames, .facesOfFrames: JSON.failure(of: name, frame: nextFrame(), reason)
    }
  }

  private func nextFrame() -> Int {
    defer { frameCount += 1 }
    return frameCount
  }
}

extension LineDetector.Kind {
  fileprivate init(
    _ request: DetectionRequest, classifier: [UInt8], detector: [UInt8],
    _ interpreterOptions: Interpreter.Options
  ) throws(VisionError) {
    let classifier = try request.classifier(classifier, interpreterOptions)
    let finder = try ObjectFinder(
      classifier: classifier, detector: detector.isEmpty ? nil : ModelFile(detector),
      minimumObjectScore: request.minimumScore, reportsAll: request.reportsAll,
      options: interpreterOptions, lock: .none)
    guard request.isStream else {
      self = .images(finder, limit: request.maximumObjectCount)
      return
    }
    var options = ObjectStreamOptions()
    options.maximumObjectCount = request.maximumObjectCount
    options.shouldEnableClassification = classifier != nil
    options.tracking.detectionInterval = request.detectionInterval
    self = .frames(ObjectStream(finder, options: options))
  }

  fileprivate init(
    _ request: FaceRequest, _ interpreterOptions: Interpreter.Options
  ) throws(VisionError) {
    let finder = try FaceFinder(
      .shipped(isAccurate: request.finderOptions.isAccurate), finderOptions: request.finderOptions,
      options: interpreterOptions, lock: .none)
    guard request.isStream else {
      self = .faces(finder)
      return
    }
    var options = FaceStream.Options()
    options.tracks.isSmoothing = request.isSmoothing
    self = .facesOfFrames(FaceStream(finder, options: options), request.finderOptions)
  }
}

extension DetectionRequest {
  /// The requested classifier, if any: from the bytes `model`, or the coarse one if they are empty.
  fileprivate func classifier(
    _ model: [UInt8], _ options: Interpreter.Options
  ) throws(VisionError) -> Classifier? {
    guard classifies || hasFineLabels || !model.isEmpty else { return nil }
    guard !model.isEmpty else {
      return try Classifier(
        threshold: threshold,
        fineLabeler: hasFineLabels ? FineLabeler(options: options, lock: .none) : nil,
        options: options, lock: .none)
    }
    return try Classifier(
      ModelFile(model, labels: labels, normalization: normalization), threshold: threshold,
      maximumLabelCount: maximumLabelCount, dropsBackground: dropsBackground, filter: filter,
      options: options, lock: .none)
  }
}
