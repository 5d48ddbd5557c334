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

  private let model: ImageModel
  private let parameters: DetectionParameters
  private let outputs: Outputs
  let classifier: Classifier?

  /// A finder with the built-in localizer, or with `detector` instead: a model that ends in
  /// `TFLite_Detection_PostProcess`.
  ///
  /// Boxes scoring below `minimumObjectScore` are dropped; if it is `nil`, below the network's own
  /// minimum: 0.03, or the threshold of a detector's metadata.
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
        bytes: FileBytes(ShippedModel.localizer.bytes), options: options, lock: lock)
      outputs = .saliency
    }
    if let minimumObjectScore { parameters.minimumScore = minimumObjectScore }
    self.parameters = parameters
    self.classifier = classifier
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
          objects[index].labels = try classifier.labels(in: part, box: objects[index].frame)
          objects[index].category = classifier.category(objects[index].labels)
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
    let whole = Box(x: 0, y: 0, width: Float(image.width), height: Float(image.height))
    let input = try model.input(of: image, in: whole)
    let results = try model.run(on: input, outputs: model.outputs.indices)
    switch outputs {
    case .saliency:
      let boxes = try levels(results, of: input, testTimeAugmentation: testTimeAugmentation)
        .objects(
          in: image.size, minimumScore: parameters.minimumScore, limit: parameters.candidates)
      return parameters.selected(boxes, in: image.size, limit: limit)
    case .detections(let reader):
      let boxes = try reader.objects(
        results, in: image.size, minimumScore: parameters.minimumScore)
      return Array(boxes.byProminence(in: image.size, parameters: parameters).prefix(limit))
    }
  }

  /// The maps for `input`; with `testTimeAugmentation`, their mean with those of its mirror image.
  private func levels(
    _ outputs: [ImageModel.Output], of input: RGBImage, testTimeAugmentation: Bool
  ) throws(VisionError) -> [SaliencyMap] {
    let levels = try ObjectFinder.levels(outputs)
    guard testTimeAugmentation else { return levels }
    let mirrored = try model.run(
      on: input.upright(from: .upMirrored), outputs: model.outputs.indices)
    return zip(levels, try ObjectFinder.levels(mirrored)).map { $0.averaged(withMirrored: $1) }
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
