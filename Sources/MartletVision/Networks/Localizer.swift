//===--- Localizer.swift - where objects are ------------------------------===//
//
// Picture ▶ saliency maps ▶ boxes ▶ non-maximum suppression ▶ prominence.
//
// The shipped network's outputs come in pairs, one for each level: logits and boxes. It may look twice, at
// the image and at its mirror image: the mean of both maps ranks objects better. A detector of one's own
// does all but prominence itself.
//
// Contract  Boxes are pixels of the image; objects come by decreasing salience. May run from any
//           number of tasks at once.
// Cost      The network dominates: 156 million multiply-adds a look of the shipped one.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift, Tests/MartletTests/CustomDetectorTests.swift
//===----------------------------------------------------------------------===//

import MartletWeights

/// Finds objects.
package final class Localizer: Sendable {
  /// What a network's outputs are.
  private enum Outputs {
    case saliency
    case detections(DetectionReader)
  }

  private let model: ImageModel
  private let parameters: DetectionParameters
  private let outputs: Outputs

  /// The shipped localizer, of objects of any kind; what it is less sure of than `leastScore`, or than is
  /// usual where that is `nil`, is no object.
  package init(
    options: Interpreter.Options, leastScore: Float? = nil, lock: Lock
  ) throws(VisionError) {
    var parameters = DetectionParameters()
    if let leastScore { parameters.leastScore = leastScore }
    self.parameters = parameters
    model = try ImageModel(
      bytes: FileBytes(ShippedModel.localiser.bytes), options: options, lock: lock)
    outputs = .saliency
  }

  /// The detector in a file, with what its owner says of it. What it is less sure of than
  /// `leastScore` is no object; where that is `nil`, its metadata's threshold decides.
  package init(
    detector: ModelFile, options: Interpreter.Options, leastScore: Float? = nil, lock: Lock
  ) throws(VisionError) {
    model = try ImageModel(
      bytes: detector.bytes, normalization: detector.normalization, options: options, lock: lock)
    let reader = try DetectionReader(model, labels: detector.labels)
    var parameters = DetectionParameters()
    parameters.leastScore = leastScore ?? reader.threshold
    self.parameters = parameters
    outputs = .detections(reader)
  }

  /// The `limit` most prominent objects of `image`, with what the network calls them, if it does.
  /// `twice`: whether the shipped network looks at the mirror image, too, for twice the work.
  package func objects(
    in image: RGBImage, limit: Int, twice: Bool
  ) throws(VisionError) -> [DetectedObject] {
    let whole = Box(x: 0, y: 0, width: Float(image.width), height: Float(image.height))
    let input = try model.input(of: image, in: whole)
    let results = try model.run(on: input, outputs: model.outputs.indices)
    let objects =
      switch outputs {
      case .saliency:
        try levels(results, of: input, twice: twice)
          .objects(
            in: image.size, leastScore: parameters.leastScore, limit: parameters.candidates
          )
          .suppressingOverlaps(of: parameters.overlap, limit: max(parameters.survivors, limit))
      case .detections(let reader):
        try reader.objects(results, in: image.size, leastScore: parameters.leastScore)
      }
    return Array(objects.byProminence(in: image.size, parameters: parameters).prefix(limit))
  }

  /// What was found in `input`; with `twice`, the mean of that and what its mirror image shows.
  private func levels(
    _ outputs: [ImageModel.Output], of input: RGBImage, twice: Bool
  ) throws(VisionError) -> [SaliencyMap] {
    let levels = try Localizer.levels(outputs)
    guard twice else { return levels }
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
