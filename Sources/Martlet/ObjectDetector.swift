//===--- ObjectDetector.swift - objects in still pictures -----------------===//
//
// The localiser finds boxes, the classifier names what is in each.
//
// Contract  The most prominent object alone, or several by falling prominence; five of them unless
//           more are asked for. The same picture and options give the same objects, at every
//           number of workers.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift
//===----------------------------------------------------------------------===//

@_exported public import MartletDetection

/// What an object detector looks for.
public struct ObjectDetectorOptions: Sendable, Hashable {
  /// Whether several objects are found, or the most prominent one alone.
  public var shouldEnableMultipleObjects: Bool
  /// Whether objects are classified.
  public var shouldEnableClassification: Bool
  /// How many objects are found at most where several are.
  public var maximumObjectCount: Int

  /// The number of objects that ML Kit stops at.
  public static let defaultMaximumObjectCount = 5

  /// One object, without classification, unless told otherwise.
  public init(
    shouldEnableMultipleObjects: Bool = false, shouldEnableClassification: Bool = false,
    maximumObjectCount: Int = ObjectDetectorOptions.defaultMaximumObjectCount
  ) {
    self.shouldEnableMultipleObjects = shouldEnableMultipleObjects
    self.shouldEnableClassification = shouldEnableClassification
    self.maximumObjectCount = maximumObjectCount
  }
}

/// An object in a picture.
public struct DetectedObject: Sendable, Hashable {
  /// Where it is, in pixels, origin top left.
  public let frame: Box
  /// How sure the detector is that an object is there, 0...1.
  public let score: Float
  /// Its coarse category, or `nil` unless the coarse classifier was asked.
  public let category: CoarseCategory?
  /// What the classifier says, by falling confidence.
  public let labels: [ObjectLabel]
}

/// Finds objects in pictures and tells what they are.
public final class ObjectDetector {
  private let options: ObjectDetectorOptions
  private let localiser: Localiser
  private let classifier: Classifier?

  /// A detector with the shipped networks, or with `classifier` in place of the coarse one.
  ///
  /// - Throws: `VisionError` where a network can't be prepared.
  public init(
    options: ObjectDetectorOptions = .init(), classifier: Classifier? = nil,
    interpreterOptions: Interpreter.Options = .init()
  ) throws(VisionError) {
    self.options = options
    localiser = try Localiser(options: interpreterOptions)
    if !options.shouldEnableClassification {
      self.classifier = nil
    } else if let classifier {
      self.classifier = classifier
    } else {
      self.classifier = try Classifier(options: interpreterOptions)
    }
  }

  /// The objects in an upright picture, by falling prominence; none is no error.
  public func objects(in image: RGBImage) throws(VisionError) -> [DetectedObject] {
    let limit = options.shouldEnableMultipleObjects ? max(options.maximumObjectCount, 1) : 1
    var objects: [DetectedObject] = []
    for (box, score) in try localiser.objects(in: image, limit: limit) {
      let labels = try classifier?.labels(in: image, box: box) ?? []
      let category = labels.first.flatMap { CoarseCategory(rawValue: $0.index) } ?? .unknown
      objects.append(
        DetectedObject(
          frame: box, score: score, category: classifier?.isCoarse == true ? category : nil,
          labels: labels))
    }
    return objects
  }
}
