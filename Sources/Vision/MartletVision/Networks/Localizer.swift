//===--- Localizer.swift - where objects are ------------------------------===//
//
// Image ▶ saliency maps ▶ boxes ▶ non-maximum suppression ▶ salience.
//
// The outputs of the shipped network come in pairs, one for each level: logits and boxes. It can run on the
// image and on its mirror image; the mean of both maps ranks objects better. A custom detector does all
// steps but the last itself.
//
// Contract  Boxes are in pixels of the image, sorted by decreasing salience. Can be used from any number
//           of tasks at once.
// Cost      The network dominates: 156 million multiply-adds for each run of the shipped one.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift, Tests/MartletTests/CustomDetectorTests.swift
//===----------------------------------------------------------------------===//

import MartletWeights

/// Detects objects.
package final class Localizer: Sendable {
  /// The kind of the network's outputs.
  private enum Outputs {
    case saliency
    case detections(DetectionReader)
  }

  private let model: ImageModel
  private let parameters: DetectionParameters
  private let outputs: Outputs

  /// The shipped localizer for objects of any kind. Boxes scoring below `minimumScore`, by default 0.03, are
  /// dropped.
  package init(
    options: Interpreter.Options, minimumScore: Float? = nil, lock: Lock
  ) throws(VisionError) {
    var parameters = DetectionParameters()
    if let minimumScore { parameters.minimumScore = minimumScore }
    self.parameters = parameters
    model = try ImageModel(
      bytes: FileBytes(ShippedModel.localizer.bytes), options: options, lock: lock)
    outputs = .saliency
  }

  /// A custom detector from a file. Boxes scoring below `minimumScore`, by default the threshold of the
  /// metadata, are dropped.
  package init(
    detector: ModelFile, options: Interpreter.Options, minimumScore: Float? = nil, lock: Lock
  ) throws(VisionError) {
    model = try ImageModel(
      bytes: detector.bytes, normalization: detector.normalization, options: options, lock: lock)
    let reader = try DetectionReader(model, labels: detector.labels)
    var parameters = DetectionParameters()
    parameters.minimumScore = minimumScore ?? reader.threshold
    self.parameters = parameters
    outputs = .detections(reader)
  }

  /// The `limit` most salient objects of `image`, with the network's own labels if it has some. `testTimeAugmentation`:
  /// whether the shipped network also runs on the mirror image, for twice the work.
  package func objects(
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
    let levels = try Localizer.levels(outputs)
    guard testTimeAugmentation else { return levels }
    let mirrored = try model.run(
      on: input.upright(from: .upMirrored), outputs: model.outputs.indices)
    return zip(levels, try Localizer.levels(mirrored)).map { $0.averaged(withMirrored: $1) }
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
