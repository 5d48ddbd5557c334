//===--- ObjectFinder.swift - pixels in, objects out ----------------------===//
//
// Image ▶ saliency maps ▶ boxes ▶ non-maximum suppression ▶ salience ▶ labels.
//
// The localizer detects boxes, the classifier labels them. The outputs of the built-in localizer come
// in pairs, one for each level: logits and boxes. It can run on the image and on its mirror image;
// the mean of both maps ranks objects better. A custom detector ends in boxes, which only have to be
// sorted.
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
// Cost      The network dominates: 156 million multiply-adds for each run of the built-in localizer.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift, Tests/MartletTests/CustomDetectorTests.swift
//===----------------------------------------------------------------------===//

import MartletWeights

/// Detects objects in upright images, and labels them if there is a classifier.
public final class ObjectFinder: Sendable {
  /// The kind of the localizer's outputs.
  private enum Outputs {
    case saliency
    case detections(DetectionReader)
  }

  /// The tensor of the built-in localizer that its heads read: 96 features for each of 24 x 24 cells.
  package static let featureTensor = "functional_1_1/functional_1/add_12_1/Add"

  private let model: ImageModel
  private let parameters: DetectionParameters
  /// Which of several objects are reported; `nil` if a minimum score is set.
  private let rules: ReportingRules?
  private let outputs: Outputs
  private let options: Interpreter.Options
  private let lock: Lock
  let classifier: Classifier?

  /// A finder with the built-in localizer, or with `detector` instead: a model that ends in
  /// `TFLite_Detection_PostProcess`.
  ///
  /// Boxes scoring below `minimumObjectScore` are dropped. If it is `nil`, a custom detector drops
  /// boxes below the threshold of its metadata. The built-in localizer drops boxes below 0.03. If
  /// several objects of a still image are requested, it then drops all boxes below 0.3, boxes that
  /// lie in a better one, and boxes below 0.5 that cover the whole image.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public init(
    classifier: Classifier? = nil, detector: ModelFile? = nil, minimumObjectScore: Float? = nil,
    options: Interpreter.Options = .init(), lock: Lock = .automatic()
  ) throws(VisionError) {
    var parameters = DetectionParameters()
    if let detector {
      model = try ImageModel(
        bytes: detector.bytes, normalization: detector.normalization, options: options, lock: lock)
      let reader = try DetectionReader(model, labels: detector.labels)
      parameters.minimumScore = reader.threshold
      outputs = .detections(reader)
    } else {
      model = try ImageModel(
        bytes: FileBytes(ShippedModel.localizer.bytes),
        additionalOutput: ObjectFinder.featureTensor, options: options, lock: lock)
      outputs = .saliency
    }
    if let minimumObjectScore { parameters.minimumScore = minimumObjectScore }
    rules = minimumObjectScore == nil ? ReportingRules() : nil
    self.parameters = parameters
    self.options = options
    self.lock = lock
    self.classifier = classifier
  }

  /// The built-in localizer for frames of a video: one side of its input is longer, as the frame's
  /// is, which finds smaller objects; `nil` if a custom detector runs.
  ///
  /// - Complexity: Prepares the network.
  func frameLocalizer(for size: ImageSize) throws(VisionError) -> ImageModel? {
    guard case .saliency = outputs else { return nil }
    let (short, long) = (model.inputSize.width, model.inputSize.width * 4 / 3)
    return try ImageModel(
      bytes: FileBytes(ShippedModel.localizer.bytes),
      additionalOutput: ObjectFinder.featureTensor,
      size: ImageSize(
        width: size.width >= size.height ? long : short,
        height: size.width >= size.height ? short : long), options: options, lock: lock)
  }

  /// The `limit` most salient objects in an upright image, or in `region`; the array is empty if
  /// none is detected. Boxes are in pixels of the whole image. The built-in localizer runs on the
  /// image and on its mirror image, which ranks objects better than one run.
  ///
  /// - Throws: `VisionError.image` if the region lies outside the image.
  public func objects(
    in image: RGBImage, limit: Int = 1, region: Box? = nil
  ) throws(VisionError) -> [DetectedObject] {
    try image.objects(inside: region) { part throws(VisionError) in
      var objects = try boxes(in: part, limit: limit, testTimeAugmentation: true)
      if let classifier {
        for index in objects.indices {
          objects[index].label(try classifier.classification(in: part, box: objects[index].frame))
        }
      }
      return objects
    }
  }

  /// The `limit` most salient objects of `image`, with the localizer's own labels if it has some.
  /// `testTimeAugmentation`: whether the shipped network also runs on the mirror image, for twice the
  /// work.
  package func boxes(
    in image: RGBImage, limit: Int, testTimeAugmentation: Bool
  ) throws(VisionError) -> [DetectedObject] {
    guard testTimeAugmentation, case .saliency = outputs else {
      return try detections(in: image, limit: limit)
    }
    let (mean, _) = try twoViews(of: image, model)
    return parameters.selected(
      candidates(mean, in: image.size), in: image.size, limit: limit,
      rules: limit > 1 ? rules : nil)
  }

  /// The `limit` most salient objects of one run on `image`.
  package func detections(
    in image: RGBImage, limit: Int
  ) throws(VisionError) -> [DetectedObject] {
    let input = try model.input(of: image, in: image.bounds)
    let results = try model.run(on: input, outputs: model.outputs.indices)
    switch outputs {
    case .saliency:
      let candidates = candidates(try ObjectFinder.levels(results), in: image.size)
      return parameters.selected(candidates, in: image.size, limit: limit)
    case .detections(let reader):
      let objects = try reader.objects(
        results, in: image.size, minimumScore: parameters.minimumScore)
      return Array(objects.byProminence(in: image.size, parameters: parameters).prefix(limit))
    }
  }

  /// The `limit` most salient objects of two views of a frame, the boxes before suppression of
  /// overlapping ones by decreasing score, and whether there are features, those of the upright
  /// view. `localizer` is that of ``frameLocalizer(for:)``; a custom detector runs once and returns
  /// no boxes and no features.
  func detections(
    in frame: RGBImage, localizer: ImageModel?, limit: Int, features: inout FeatureMap
  ) throws(VisionError) -> (
    objects: [DetectedObject], candidates: [DetectedObject], hasFeatures: Bool
  ) {
    guard let localizer else { return (try detections(in: frame, limit: limit), [], false) }
    let (mean, hasFeatures) = try twoViews(of: frame, localizer) { features.read($0) }
    let candidates = candidates(mean, in: frame.size)
    return (parameters.selected(candidates, in: frame.size, limit: limit), candidates, hasFeatures)
  }

  /// The means of the localizer's levels on an image and on its mirror image, and the result of `body`
  /// for the features of the upright one.
  private func twoViews(
    of image: RGBImage, _ model: ImageModel, _ body: (ImageModel.Reals) -> Bool = { _ in false }
  ) throws(VisionError) -> ([SaliencyMap], Bool) {
    let input = try model.input(of: image, in: image.bounds)
    let (upright, result) = try model.run(
      on: input, outputs: model.outputs.indices, reading: model.outputs.count, body)
    let mirrored = try model.run(
      on: input.upright(from: .upMirrored), outputs: model.outputs.indices)
    let levels = zip(try ObjectFinder.levels(upright), try ObjectFinder.levels(mirrored))
    return (levels.map { $0.averaged(withMirrored: $1) }, result)
  }

  private func candidates(_ levels: [SaliencyMap], in size: ImageSize) -> [DetectedObject] {
    levels.objects(
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
