//===--- LineDetector.swift - detection by JSON options -------------------===//
//
// Contract  Each image returns one line of JSON, as in the tool; a failure returns a line with the
//           reason. Use it on one thread.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
package import MartletVision

/// A detector that returns lines of JSON, for still images or the frames of a stream.
package final class LineDetector {
  private enum Kind {
    case images(ObjectFinder)
    case frames(ObjectStream)
    case faces(FaceFinder)
    case facesOfFrames(FaceStream)
  }

  private let kind: Kind
  private let decoding: DecodingConfiguration
  private let minimumSide: Int?
  private let deadline: Deadline
  private var frameCount = 0
  /// The kind of the last image's error; `nil` if it has results.
  private(set) var errorKind: VisionError.Kind?

  /// A detector. `classifier` and `detector`, the bytes of `.tflite` files, replace the shipped
  /// networks for objects unless they are empty.
  package init(
    _ configuration: DetectorConfiguration, classifier: [UInt8] = [], detector: [UInt8] = []
  ) throws(VisionError) {
    (decoding, minimumSide) = configuration.decoding
    deadline = Deadline(seconds: decoding.timeout)
    let execution = Interpreter.Options(cancellation: deadline.check)
    switch configuration {
    case .objects(var objects):
      if !detector.isEmpty { objects.detector = ModelFile(detector) }
      if !classifier.isEmpty {
        var labels = objects.labels ?? LabelConfiguration()
        labels.classifier = ModelFile(classifier)
        objects.labels = labels
      }
      kind =
        objects.isStream
        ? .frames(try ObjectStream(objects, execution: execution, lock: .none))
        : .images(try ObjectFinder(objects, execution: execution, lock: .none))
    case .faces(let faces):
      kind =
        faces.isStream
        ? .facesOfFrames(try FaceStream(faces, execution: execution, lock: .none))
        : .faces(try FaceFinder(faces, execution: execution, lock: .none))
    }
  }

  /// Detects in an encoded image, turned upright by its file's orientation. Results include the
  /// file's warnings, a failure does not.
  package func line(of name: String, file: [UInt8]) -> JSON {
    begin()
    do throws(ImageFileError) {
      let file = try ImageFile(
        decoding: file, limits: decoding.limits, isStrict: decoding.isStrict,
        minimumSide: minimumSide,
        convertsColors: decoding.convertsColors,
        workers: .serial.checking(deadline.check))
      let warnings = JSON.array(file.warnings.map { .string("\($0)") })
      return line(
        of: name, DetectionImage(file),
        file.warnings.isEmpty ? [] : [("warnings", warnings)])
    } catch {
      errorKind = VisionError(error).kind
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
    errorKind = nil
    deadline.begin()
  }

  /// Detects in an image. Results include the further members.
  private func line(
    of name: String, _ image: DetectionImage, _ members: [(String, JSON)]
  ) -> JSON {
    do throws(VisionError) {
      return try results(of: name, image) + members
    } catch {
      errorKind = error.kind
      return failure(of: name, error.description)
    }
  }

  private func results(of name: String, _ image: DetectionImage) throws(VisionError) -> JSON {
    switch kind {
    case .images(let finder):
      return JSON.line(of: name, image.size, try finder.objects(in: image))
    case .faces(let finder):
      return JSON.line(of: name, image.size, try finder.results(in: image))
    case .frames(let stream):
      let objects = try stream.objects(in: image)
      return JSON.line(of: name, frame: nextFrame(), image.size, objects)
    case .facesOfFrames(let stream):
      let faces = try stream.results(in: image)
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

extension Deadline {
  /// Throws if a time limit is set but there is no clock, as in the module for browsers.
  static func requireClock(for timeout: Double?) throws(JSONError) {
    guard timeout != nil, !hasClock else { return }
    throw .mismatch(path: "timeout", expected: "option of martlet.js, the module has no clock")
  }
}
