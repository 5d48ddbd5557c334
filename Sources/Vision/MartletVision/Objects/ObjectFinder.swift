//===--- ObjectFinder.swift - pixels in, objects out ----------------------===//
//
// Image ▶ saliency maps ▶ boxes ▶ non-maximum suppression ▶ salience ▶ labels.
//
// The localizer detects boxes, the classifier labels them. The outputs of the built-in localizer come
// in pairs, one for each level: logits and boxes. A custom detector ends in boxes, which only have to
// be sorted.
//
// ```swift
// let finder = try ObjectFinder(classifier: Classifier())
// let objects = try finder.objects(in: image, limit: 5)
// let stream = ObjectStream(finder)  // for frames: `stream.objects(in: frame)`
// ```
//
// Contract  Objects are sorted by decreasing salience. The same image and networks give the same
//           objects, for every number of workers. Can be used from any number of tasks at once,
//           unless its lock is `none`.
// Cost      The networks dominate: 308 million multiply-adds for the built-in localizer, 231 million
//           for a square image.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift, Tests/MartletTests/CustomDetectorTests.swift
//===----------------------------------------------------------------------===//

/// Detects objects in upright images, and labels them if there is a classifier.
public final class ObjectFinder: Sendable {
  private enum Detector {
    case builtIn(Localizer)
    case custom(ImageModel, DetectionReader)
  }

  private let detector: Detector
  private let parameters: DetectionParameters
  /// Which of several objects are reported; `nil` if a minimum score is set.
  private let rules: ReportingRules?
  let classifier: Classifier?

  /// A finder with the built-in localizer, or with `detector` instead: a model that ends in
  /// `TFLite_Detection_PostProcess`.
  ///
  /// Boxes scoring below `minimumObjectScore` are dropped. If it is `nil`, a custom detector drops
  /// boxes below the threshold of its metadata. The built-in localizer drops boxes below 0.03. If
  /// several objects of a still image are requested, it then drops all boxes below 0.3, boxes that
  /// lie in a better one, and boxes below 0.5 that cover three quarters of the image.
  ///
  /// - Throws: `VisionError` if the custom detector cannot be prepared.
  public init(
    classifier: Classifier? = nil, detector: ModelFile? = nil, minimumObjectScore: Float? = nil,
    options: Interpreter.Options = .init(), lock: Lock = .automatic()
  ) throws(VisionError) {
    var parameters = DetectionParameters()
    if let detector {
      let model = try ImageModel(
        bytes: detector.bytes, normalization: detector.normalization, options: options, lock: lock)
      let reader = try DetectionReader(model, labels: detector.labels)
      parameters.minimumScore = reader.threshold
      self.detector = .custom(model, reader)
    } else {
      self.detector = .builtIn(Localizer(options: options, lock: lock))
    }
    if let minimumObjectScore { parameters.minimumScore = minimumObjectScore }
    rules = minimumObjectScore == nil ? ReportingRules() : nil
    self.parameters = parameters
    self.classifier = classifier
  }

  /// The most salient object in an upright image, or in `region`, and the best-scoring others, at
  /// most `limit` in all; the array is empty if none is detected. Boxes are in pixels of the whole
  /// image.
  ///
  /// - Throws: `VisionError.image` if the region lies outside the image.
  public func objects(
    in image: RGBImage, limit: Int = 1, region: Box? = nil
  ) throws(VisionError) -> [DetectedObject] {
    try image.objects(inside: region) { part throws(VisionError) in
      var objects = try detections(in: part, limit: limit, rules: limit > 1 ? rules : nil)
      if let classifier {
        for index in objects.indices {
          objects[index].label(try classifier.classification(in: part, box: objects[index].frame))
        }
      }
      return objects
    }
  }

  /// At most `limit` objects of `image`, with the localizer's own labels if it has some. `rules` apply to the built-in localizer.
  package func detections(
    in image: RGBImage, limit: Int, rules: ReportingRules? = nil
  ) throws(VisionError) -> [DetectedObject] {
    switch detector {
    case .builtIn(let localizer):
      let model = try localizer.model(for: image.size)
      let candidates = try candidates(
        model.run(on: image, in: image.bounds, outputs: model.outputs.indices), in: image.size)
      return parameters.selected(candidates, in: image.size, limit: limit, rules: rules)
    case .custom(let model, let reader):
      let objects = try reader.objects(
        model.run(on: image, in: image.bounds, outputs: model.outputs.indices), in: image.size,
        minimumScore: parameters.minimumScore)
      return objects.selected(limit, in: image.size, parameters: parameters)
    }
  }

  /// At most `limit` objects of a frame, the boxes before suppression of overlapping ones by
  /// decreasing score, and whether there are features. A custom detector returns neither boxes nor
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
    let candidates = try candidates(outputs, in: frame.size)
    return (parameters.selected(candidates, in: frame.size, limit: limit), candidates, hasFeatures)
  }

  /// The boxes of the localizer's outputs, by decreasing score.
  private func candidates(
    _ outputs: [ImageModel.Output], in size: ImageSize
  ) throws(VisionError) -> [DetectedObject] {
    try ObjectFinder.levels(outputs).objects(
      in: size, minimumScore: parameters.minimumScore, limit: parameters.candidates)
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
