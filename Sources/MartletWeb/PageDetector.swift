//===--- PageDetector.swift - pictures of a page in, JSON out -------------===//
//
// Contract  Each picture is answered by one line of JSON, the tool's own; what can't be looked at by a line
//           with the reason. For one thread.
// Checked   Tests/MartletWebTests/PageDetectorTests.swift
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletJSON
import MartletVision

/// A detector as a page asked for it: of single pictures, or of frames one after another.
package final class PageDetector {
  private enum Kind {
    case pictures(ObjectFinder, limit: Int)
    case frames(ObjectStream)
  }

  private let kind: Kind
  private var frameCount = 0

  /// The detector of `request`, with `classifier` and `detector`, the bytes of `.tflite` files, in place of
  /// the shipped networks where they are not empty.
  package init(
    _ request: DetectionRequest, classifier: [UInt8] = [], detector: [UInt8] = []
  ) throws(VisionError) {
    let classifier = try request.classifier(classifier)
    let finder = try ObjectFinder(
      classifier: classifier, detector: detector.isEmpty ? nil : ModelFile(detector),
      minimumObjectScore: request.minimumScore, lock: .none)
    guard request.isStream else {
      kind = .pictures(finder, limit: request.maximumObjectCount)
      return
    }
    var options = ObjectStreamOptions()
    options.maximumObjectCount = request.maximumObjectCount
    options.shouldEnableClassification = classifier != nil
    options.detectionInterval = request.detectionInterval
    kind = .frames(ObjectStream(finder, options: options))
  }

  /// The line of an encoded picture, turned upright as its file asks.
  package func line(of name: String, file: [UInt8]) -> JSON {
    do throws(ImageFileError) {
      return line(of: name, try ImageFile(decoding: file).upright)
    } catch { return failure(of: name, error.description) }
  }

  /// The line of an upright picture.
  package func line(of name: String, _ picture: RGBImage) -> JSON {
    do throws(VisionError) {
      switch kind {
      case .pictures(let finder, let limit):
        return JSON.line(of: name, picture.size, try finder.objects(in: picture, limit: limit))
      case .frames(let stream):
        let objects = try stream.objects(in: picture)
        defer { frameCount += 1 }
        return JSON.line(of: name, frame: frameCount, picture.size, objects)
      }
    } catch { return failure(of: name, error.description) }
  }

  /// The line of a picture that could not be looked at; as a frame it counts.
  package func failure(of name: String, _ reason: String) -> JSON {
    guard case .frames = kind else { return JSON.failure(of: name, reason) }
    defer { frameCount += 1 }
    return JSON.failure(of: name, frame: frameCount, reason)
  }
}

extension DetectionRequest {
  /// The classifier that is asked for, if any: of `model`'s bytes, or the coarse one where they are empty.
  fileprivate func classifier(_ model: [UInt8]) throws(VisionError) -> Classifier? {
    guard classifies || !model.isEmpty else { return nil }
    guard !model.isEmpty else { return try Classifier(threshold: threshold, lock: .none) }
    return try Classifier(
      ModelFile(model, labels: labels, normalization: normalization), threshold: threshold,
      maximumLabelCount: maximumLabelCount, dropsBackground: dropsBackground, filter: filter,
      lock: .none)
  }
}
