//===--- Localiser.swift - the shipped localiser, run and decoded ---------===//
//
// Picture ▶ saliency maps ▶ proposals ▶ non-maximum suppression ▶ prominence.
//
// The network's outputs come in pairs, one for each level: saliency and boxes.
//
// Contract  Boxes are pixels of the picture; objects come by falling prominence. May run from any
//           number of tasks at once.
// Cost      The network dominates: some 50 million multiply-adds.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift
//===----------------------------------------------------------------------===//

import MartletDetection
import MartletTensor
import MartletWeights

/// Finds objects of any kind.
final class Localiser: Sendable {
  private let model: ImageModel
  private let parameters: DetectionParameters

  /// The shipped localiser; what it is less sure of than `leastScore` is no object.
  init(options: Interpreter.Options, leastScore: Float = 0) throws(VisionError) {
    var parameters = DetectionParameters()
    parameters.leastScore = max(parameters.leastScore, leastScore)
    self.parameters = parameters
    model = try ImageModel(bytes: ShippedModel.localiser.bytes, options: options)
  }

  /// The `limit` most prominent objects of `image`.
  func objects(in image: RGBImage, limit: Int) throws(VisionError) -> [(box: Box, score: Float)] {
    let frame = Box(x: 0, y: 0, width: Float(image.width), height: Float(image.height))
    let outputs = try model.run(on: image, in: frame, outputs: model.outputs.indices)
    let proposals = try Localiser.levels(outputs)
      .proposals(leastScore: parameters.leastScore, limit: parameters.candidates)
      .suppressingOverlaps(of: parameters.overlap, limit: max(parameters.survivors, limit))
      .byProminence(width: image.width, height: image.height, parameters: parameters)
    return proposals.prefix(limit).map { proposal in
      let box = proposal.box
      return (
        Box(
          x: box.x * frame.width, y: box.y * frame.height, width: box.width * frame.width,
          height: box.height * frame.height
        ).clipped(toWidth: frame.width, height: frame.height), proposal.score
      )
    }
  }

  private static func levels(_ outputs: [ImageModel.Output]) throws(VisionError) -> [SaliencyMap] {
    guard !outputs.isEmpty, outputs.count.isMultiple(of: 2) else {
      throw .unsuitable(.outputCount(found: outputs.count))
    }
    var levels: [SaliencyMap] = []
    for index in stride(from: 0, to: outputs.count, by: 2) {
      let shape = outputs[index].shape
      guard shape.rank == 4,
        let map = SaliencyMap(
          width: shape[2], height: shape[1], slots: shape[3],
          saliency: outputs[index].elements, boxes: outputs[index + 1].elements)
      else { throw .unsuitable(.outputShape(found: shape)) }
      levels.append(map)
    }
    return levels
  }
}
