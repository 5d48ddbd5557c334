//===--- ObjectFinder.swift - objects in one upright picture --------------===//
//
// The localiser finds boxes, the classifier names what is in each.
//
// Contract  The most prominent object alone, or several by falling prominence. The same picture and
//           settings give the same objects, at every number of workers.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift
//===----------------------------------------------------------------------===//

@_exported public import MartletDetection

/// An object in an upright picture.
struct DetectedObject: Sendable, Hashable {
  /// Where it is, in pixels, origin top left.
  let frame: Box
  /// How sure the detector is that an object is there, 0...1.
  let score: Float
  /// Its coarse category, or `nil` unless the coarse classifier was asked.
  let category: CoarseCategory?
  /// What the classifier says, by falling confidence.
  let labels: [ObjectLabel]
  /// What tells it from others in a stream.
  var trackingID: Int?
}

/// Finds objects in pictures that stand for themselves.
final class ObjectFinder: Sendable {
  let localiser: Localiser
  let classifier: Classifier?
  private let limit: Int

  /// A finder as the settings ask for.
  ///
  /// - Parameter classifier: What names objects, if anything does, in place of the settings' own.
  init(_ settings: DetectorSettings, classifier given: Classifier? = nil) throws(VisionError) {
    localiser = try Localiser(options: settings.interpreter, leastScore: settings.leastScore)
    if settings.classifies, given == nil {
      classifier = try settings.makeClassifier()
    } else {
      classifier = settings.classifies ? given : nil
    }
    limit = settings.objectLimit
  }

  /// The objects in an upright picture, by falling prominence; none is no error.
  func objects(in image: RGBImage) throws(VisionError) -> [DetectedObject] {
    var objects: [DetectedObject] = []
    for (box, score) in try localiser.objects(in: image, limit: limit) {
      let labels = try classifier?.labels(in: image, box: box) ?? []
      objects.append(
        DetectedObject(
          frame: box, score: score, category: classifier?.category(labels), labels: labels))
    }
    return objects
  }
}
