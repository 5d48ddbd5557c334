//===--- PreparedDetector.swift - a detector with prepared networks -------===//
//
// Checked   Tests/MartletTests/ObjectDetectorTests.swift,
//           Tests/MartletTests/StreamFinderTests.swift
//===----------------------------------------------------------------------===//

import MartletVision

/// Prepared networks, and the state of a stream.
enum PreparedDetector: Sendable {
  case stills(ObjectFinder, limit: Int, region: Box?)
  case stream(StreamFinder)

  /// A detector with these settings.
  ///
  /// - Parameter classifier: The classifier that replaces the settings' own; `nil` keeps it.
  init(_ settings: DetectorSettings, classifier given: Classifier? = nil) throws(VisionError) {
    var classifier: Classifier?
    if settings.classifies {
      if let given { classifier = given } else { classifier = try settings.makeClassifier() }
    } else if given == nil {
      try settings.checkClassifier()
    }
    let finder = try settings.makeFinder(classifier)
    switch settings.mode {
    case .singleImage:
      self = .stills(finder, limit: settings.objectLimit, region: settings.region)
    case .stream:
      self = .stream(
        StreamFinder(finder, options: settings.streamOptions, region: settings.region))
    }
  }

  /// Detects the objects in an image; boxes are in the upright image. A region is examined in full
  /// resolution.
  func objects(in input: InputImage) throws(VisionError) -> [DetectedObject] {
    let image = region == nil ? input.detectionImage : DetectionImage(input.upright)
    let objects =
      switch self {
      case .stills(let finder, let limit, let region):
        try finder.objects(in: image.pixels, limit: limit, region: region)
      case .stream(let finder):
        try finder.objects(in: image.pixels, orientation: input.imageOrientation)
      }
    return image.full(objects)
  }

  /// Frees the memory that no run of the networks uses.
  func trim() {
    switch self {
    case .stills(let finder, _, _): finder.trim()
    case .stream(let finder): finder.trim()
    }
  }

  private var region: Box? {
    switch self {
    case .stills(_, _, let region): region
    case .stream(let finder): finder.region
    }
  }
}
