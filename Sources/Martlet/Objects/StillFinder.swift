//===--- StillFinder.swift - objects in one upright picture ---------------===//
//
// The localiser finds boxes, the classifier names what is in each.
//
// Contract  The most prominent object alone, or several by falling prominence. The same picture and
//           settings give the same objects, at every number of workers. May be used from any number
//           of tasks at once.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift
//===----------------------------------------------------------------------===//

/// Finds objects in pictures that stand for themselves.
final class StillFinder: Sendable {
  private let localiser: Localiser
  private let classifier: Classifier?
  private let limit: Int

  /// A finder of at most `limit` objects, which names them if there is a classifier.
  init(localiser: Localiser, classifier: Classifier?, limit: Int) {
    self.localiser = localiser
    self.classifier = classifier
    self.limit = limit
  }

  /// The objects in an upright picture, by falling prominence; none is no error.
  func objects(in image: RGBImage) throws(VisionError) -> [DetectedObject] {
    var objects: [DetectedObject] = []
    for object in try localiser.objects(in: image, limit: limit) {
      // Without a classifier, what the localiser says, if it says anything.
      let labels =
        try classifier?.labels(in: image, box: object.box) ?? [object.label].compactMap { $0 }
      objects.append(
        DetectedObject(
          frame: object.box, score: object.score, category: classifier?.category(labels),
          labels: labels))
    }
    return objects
  }
}
