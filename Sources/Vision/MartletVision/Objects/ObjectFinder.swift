//===--- ObjectFinder.swift - pixels in, objects out ----------------------===//
//
// Image ▶ saliency maps ▶ boxes ▶ non-maximum suppression ▶ salience ▶ labels.
//
// The localizer detects boxes, the classifier labels them. The outputs of the built-in localizer come
// in pairs, one for each level: logits and boxes. A custom detector has a head of its own:
// `CustomDetector`.
//
// ```swift
// let finder = try ObjectFinder(ObjectConfiguration(limit: 5, labels: .coarse()))
// let objects = try finder.objects(in: image)
// ```
//
// Contract  Objects are sorted by decreasing salience. The same image and networks give the same
//           objects, for every number of workers. Can be used from any number of tasks at once,
//           unless its lock is `none`.
// Cost      The networks dominate: 308 million multiply-adds for the built-in localizer, 231 million
//           for a square image. With a filter up to 20 objects are classified.
//===----------------------------------------------------------------------===//

/// Detects objects in upright images, and labels them if there is a classifier.
public final class ObjectFinder: Sendable {
  private enum Detector {
    case builtIn(Localizer)
    case custom(CustomDetector)
  }

  /// The largest number of a custom detector's boxes of which the most salient ones are returned.
  private static let detectorLimit = 300

  private let detector: Detector
  private let parameters = DetectionParameters()
  /// What the finder does.
  public let configuration: ObjectConfiguration
  /// The lowest score of a reported object; `nil` for the detector's own.
  var minimumObjectScore: Float? { configuration.minimumScore }
  private let rules: ReportingRules?
  let classifier: Classifier?

  /// A finder with the built-in localizer, or with the configuration's detector instead, whose outputs
  /// have a form of ``DetectorHead``. `classifier` replaces the configuration's labels.
  ///
  /// Objects scoring below the minimum score are not returned, neither of images nor of streams. If
  /// it is `nil`, the built-in localizer returns a single object of an image from 0.03 on, several
  /// and filtered ones from 0.25 on, and a custom detector all from the threshold of its metadata on,
  /// or from that of its family, 0.25 to 0.5.
  ///
  /// If several objects of an image are requested, the built-in localizer never returns boxes that
  /// lie in a better one, and boxes below 0.5 that cover three quarters of the image, unless
  /// `reportsAll` is set: for programs that filter by themselves. `ObjectStream` documents the scores
  /// of streams.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public init(
    _ configuration: ObjectConfiguration = .init(), classifier: Classifier? = nil,
    execution: Interpreter.Options = .init(), lock: Lock = .automatic()
  ) throws(VisionError) {
    if let classifier {
      self.classifier = classifier
    } else {
      self.classifier = try configuration.classifierLabels?.makeClassifier(
        configuration.filter, execution: execution, lock: lock)
    }
    if let file = configuration.detectorFile {
      self.detector = .custom(
        try CustomDetector(file, configuration, options: execution, lock: lock))
    } else {
      self.detector = .builtIn(Localizer(options: execution, lock: lock))
    }
    self.configuration = configuration
    rules = configuration.reportsAll ? nil : ReportingRules()
    if self.classifier == nil { try configuration.filter.check(labelNames) }
    if let classifier = self.classifier, classifier.isCoarse {
      try classifier.check(configuration.filter)
    }
  }

  /// The names of all labels that objects may have.
  package var labelNames: [String] {
    if let classifier { return classifier.labelNames }
    if case .custom(let detector) = detector { return detector.classNames }
    return []
  }

  /// Whether some objects are not reported because of their labels.
  var isFiltered: Bool { configuration.filter != .none }

  /// The number of objects to detect, of which at most the configuration's limit pass the filter.
  var candidateLimit: Int {
    let limit = max(configuration.limit, 1)
    if !isFiltered { return limit }
    if case .custom = detector { return max(limit, ObjectFinder.detectorLimit) }
    return max(limit, parameters.survivors)
  }

  /// Whether the filter permits an object with these labels. A custom classifier has filtered them.
  func permits(_ object: DetectedObject) -> Bool {
    guard classifier?.isCoarse == false else {
      return configuration.filter.permits(object, classifier?.fineLabeler)
    }
    if case .allow = configuration.filter { return !object.labels.isEmpty }
    return true
  }

  /// Frees the memory that no run of the networks uses; the next run allocates it again.
  public func trim() {
    switch detector {
    case .builtIn(let localizer): localizer.trim()
    case .custom(let detector): detector.trim()
    }
    classifier?.trim()
  }

  /// The most salient object in an upright image, and the best-scoring others; the array is empty if
  /// none is detected. Boxes are in pixels of the whole image.
  ///
  /// - Throws: `VisionError.image` if the region lies outside the image.
  public func objects(in image: RGBImage) throws(VisionError) -> [DetectedObject] {
    try image.objects(inside: configuration.region) { part throws(VisionError) in
      var objects = try reportedObjects(in: part, limit: candidateLimit)
      if let classifier {
        for index in objects.indices {
          objects[index].label(try classifier.classification(in: part, box: objects[index].frame))
        }
      }
      guard isFiltered else { return objects }
      return objects.filter(permits).selected(
        max(configuration.limit, 1), in: part.size, parameters: parameters)
    }
  }

  /// The objects in an image, in pixels of the full image.
  package func objects(in image: DetectionImage) throws(VisionError) -> [DetectedObject] {
    image.full(try objects(in: image.pixels))
  }

  /// At most `limit` objects to report of an image, with the detector's own labels if it has some.
  private func reportedObjects(
    in image: RGBImage, limit: Int
  ) throws(VisionError) -> [DetectedObject] {
    switch detector {
    case .builtIn:
      let least = limit > 1 ? ReportingRules.minimumScore : parameters.minimumScore
      return try objects(
        in: image, limit: limit, least: minimumObjectScore ?? least, rules: limit > 1 ? rules : nil)
    case .custom(let detector):
      return try objects(
        in: image, limit: limit, least: minimumObjectScore ?? detector.threshold, rules: nil)
    }
  }

  /// At most `limit` objects of a frame or of a part of it, for tracking. The lowest score to report
  /// does not matter, except that a custom detector's threshold is lowered to it.
  package func detections(
    in image: RGBImage, limit: Int
  ) throws(VisionError) -> [DetectedObject] {
    let least =
      switch detector {
      case .builtIn: parameters.minimumScore
      case .custom(let detector):
        min(detector.threshold, minimumObjectScore ?? detector.threshold)
      }
    return try objects(in: image, limit: limit, least: least, rules: nil)
  }

  /// At most `limit` objects of an image from the score `least` on. `rules` apply to the built-in
  /// localizer.
  private func objects(
    in image: RGBImage, limit: Int, least: Float, rules: ReportingRules?
  ) throws(VisionError) -> [DetectedObject] {
    switch detector {
    case .builtIn(let localizer):
      let model = try localizer.model(for: image.size)
      let candidates = try candidates(
        model.run(on: image, in: image.bounds, outputs: model.outputs.indices), in: image.size,
        least: least)
      return parameters.selected(
        candidates, in: image.size, limit: limit, least: least, rules: rules)
    case .custom(let detector):
      return try detector.objects(
        in: image, least: least, limit: max(limit, ObjectFinder.detectorLimit)
      )
      .selected(limit, in: image.size, parameters: parameters)
    }
  }

  /// At most `limit` objects of a frame for tracking, the boxes before suppression of overlapping ones
  /// by decreasing score, and whether there are features. A custom detector returns neither boxes nor
  /// features.
  func detections(
    in frame: RGBImage, limit: Int, features: inout FeatureMap
  ) throws(VisionError) -> (
    objects: [DetectedObject], candidates: [DetectedObject], hasFeatures: Bool
  ) {
    guard case .builtIn(let localizer) = detector else {
      return (try detections(in: frame, limit: limit), [], false)
    }
    let model = try localizer.model(for: frame.size)
    let (outputs, hasFeatures) = try model.run(
      on: model.input(of: frame, in: frame.bounds), outputs: model.outputs.indices,
      reading: model.outputs.count
    ) { features.read($0) }
    let least = parameters.minimumScore
    let candidates = try candidates(outputs, in: frame.size, least: least)
    return (
      parameters.selected(candidates, in: frame.size, limit: limit, least: least), candidates,
      hasFeatures
    )
  }

  /// The boxes of the localizer's outputs, by decreasing score: those from `minimumScore` on, on which
  /// the scores of groups depend, and those from `least` on.
  private func candidates(
    _ outputs: [ImageModel.Output], in size: ImageSize, least: Float
  ) throws(VisionError) -> [DetectedObject] {
    try ObjectFinder.levels(outputs).objects(
      in: size, minimumScore: min(parameters.minimumScore, least), limit: parameters.candidates)
  }

  private static func levels(_ outputs: [ImageModel.Output]) throws(VisionError) -> [SaliencyMap] {
    guard !outputs.isEmpty, outputs.count.isMultiple(of: 2) else {
      throw .unsuitable(.outputCount(found: outputs.count, needed: outputs.count + 1))
    }
    var levels: [SaliencyMap] = []
    for index in stride(from: 0, to: outputs.count, by: 2) {
      let shape = outputs[index].shape
      guard shape.rank == 4,
        let map = SaliencyMap(
          width: shape[2], height: shape[1], logits: outputs[index].elements,
          boxes: outputs[index + 1].elements)
      else { throw .unsuitable(.outputShape(tensor: "objects", found: shape)) }
      levels.append(map)
    }
    return levels
  }
}

extension RGBImage {
  /// The whole image as a box.
  fileprivate var bounds: Box {
    Box(x: 0, y: 0, width: Float(width), height: Float(height))
  }

  /// The result of `find` for the crop `region`, or for the whole image, with boxes in pixels of
  /// the whole image.
  ///
  /// - Throws: `VisionError.image` if the region lies outside the image, or the error of `find`.
  package func objects(
    inside region: Box?, _ find: (RGBImage) throws(VisionError) -> [DetectedObject]
  ) throws(VisionError) -> [DetectedObject] {
    guard let region else { return try find(self) }
    guard let part = PixelRectangle(covering: region, in: size),
      let crop = croppedClipping(to: part)
    else { throw .image(.boxOutsideImage(region, size)) }
    var objects = try find(crop)
    for index in objects.indices {
      objects[index].frame.x += Float(part.x)
      objects[index].frame.y += Float(part.y)
    }
    return objects
  }
}
