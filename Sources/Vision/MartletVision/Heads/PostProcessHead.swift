//===--- PostProcessHead.swift - TFLite_Detection_PostProcess -------------===//
//
// Detectors of the SSD family end in this operator, which decodes boxes and suppresses overlapping
// ones. Its four results are the outputs, in any order.
//
// Contract  Reads as many rows as the network's count, at most all.
// Source    TFLite Support `object_detector`.
//===----------------------------------------------------------------------===//

/// The four outputs of `TFLite_Detection_PostProcess`.
struct PostProcessHead: DetectionHead {
  private let places: DetectionOutputs
  private let names: [String]
  private let calibrator: ScoreCalibrator?
  let threshold: Float

  init?(_ evidence: HeadEvidence) throws(VisionError) {
    guard let places = evidence.postProcess else { return nil }
    let tensors = evidence.outputs
    for tensor in tensors { try ImageModel.checkReal(tensor) }
    let stated = evidence.metadata?.subgraphs.first?.outputs ?? []
    guard stated.isEmpty || stated.count == tensors.count else {
      throw .unsuitable(.outputMetadataCount(found: stated.count, outputs: tensors.count))
    }
    self.places = places
    names = tensors.map { $0.name }
    let scores = stated.isEmpty ? nil : stated[places.scores]
    threshold = scores?.scoreThreshold ?? 0.3
    var calibrator: ScoreCalibrator?
    if let scores, let calibration = scores.scoreCalibration, let metadata = evidence.metadata {
      do throws(MetadataError) {
        calibrator = ScoreCalibrator(
          calibration: calibration, parameters: try metadata.scoreCalibrations(of: scores) ?? [])
      } catch { throw .metadata(error) }
    }
    self.calibrator = calibrator
  }

  var classCount: Int? { places.classCount }
  var reason: String { "the outputs are those of TFLite_Detection_PostProcess" }
  var input: DetectorInput { .stretched }
  var suppression: BoxSuppression { .none }
  var scoreOutput: Int? { places.scores }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    let scores = outputs[places.scores]
    for (place, factor) in [(places.boxes, 4), (places.classes, 1)]
    where outputs[place].count != factor * scores.count {
      throw .unsuitable(.detectionShape(tensor: names[place], found: outputs[place].shape))
    }
    let count = outputs[places.count]
    guard count.count > 0 else {
      throw .unsuitable(.detectionShape(tensor: names[places.count], found: count.shape))
    }
    try CollectionOfOne(count[0]).checkFinite(names[places.count])
    return min(max(Int(exactly: count[0].rounded()) ?? 0, 0), scores.count)
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    let score = outputs[places.scores][candidate]
    guard let index = Int(exactly: outputs[places.classes][candidate].rounded()), score.isFinite
    else { return (score.isFinite ? -1 : score, 0) }
    return (calibrator?(score, ofClass: index) ?? score, index)
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    let boxes = outputs[places.boxes]
    func side(_ place: Int) -> Float { min(max(boxes[4 * candidate + place], 0), 1) }
    return RelativeBox(minX: side(1), minY: side(0), maxX: side(3), maxY: side(2))
  }
}
