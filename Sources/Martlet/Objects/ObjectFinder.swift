//===--- ObjectFinder.swift - what a detector finds objects with ----------===//
//
// Checked   Tests/MartletTests/ObjectDetectorTests.swift, Tests/MartletTests/StreamFinderTests.swift
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

/// Networks that are ready, and what has been seen of a stream.
enum ObjectFinder: Sendable {
  case stills(StillFinder)
  case stream(StreamFinder)

  /// A finder as the settings ask for.
  ///
  /// - Parameter classifier: What names objects, if anything does, in place of the settings' own.
  init(_ settings: DetectorSettings, classifier given: Classifier? = nil) throws(VisionError) {
    let localiser = try settings.makeLocaliser()
    var classifier: Classifier?
    if settings.classifies {
      if let given { classifier = given } else { classifier = try settings.makeClassifier() }
    }
    switch settings.mode {
    case .singleImage:
      self = .stills(
        StillFinder(localiser: localiser, classifier: classifier, limit: settings.objectLimit))
    case .stream:
      self = .stream(
        StreamFinder(
          options: settings.streamOptions, localiser: localiser, classifier: classifier))
    }
  }

  /// The objects in a picture, in the picture turned upright.
  func objects(in image: Image) throws(VisionError) -> [DetectedObject] {
    switch self {
    case .stills(let finder): try finder.objects(in: image.upright)
    case .stream(let finder):
      try finder.objects(in: image.upright, orientation: image.imageOrientation)
    }
  }
}
