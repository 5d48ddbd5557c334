//===--- DetectionReader.swift - output of a custom detector --------------===//
//
// Detectors of the SSD family end in `TFLite_Detection_PostProcess`, which decodes boxes and
// suppresses overlapping ones. The reader only drops objects with low scores.
//
// Contract  Reads as many rows as the network's count, at most all. Boxes that are empty or contain
//           NaN are dropped. A score or count that is NaN or infinite is an error. The threshold is
//           that in the scores' metadata, or 0.3.
// Source    TFLite Support `object_detector`.
//===----------------------------------------------------------------------===//

/// Reads a detector's outputs.
struct DetectionReader: Sendable {
  /// The lowest score if neither options nor metadata set one.
  private static let defaultThreshold: Float = 0.3

  private let outputs: DetectionOutputs
  private let tensors: [InterfaceTensor]
  /// The names of the classes; empty if they have none.
  let names: [String]
  private let calibrator: ScoreCalibrator?
  /// The lowest score in the metadata.
  let threshold: Float

  /// Creates a reader for the outputs of `model`; `labels` replace those in the metadata.
  init(_ model: ImageModel, labels: [String]?) throws(VisionError) {
    guard let outputs = model.detectionOutputs else { throw .unsuitable(.detector) }
    self.outputs = outputs
    tensors = model.outputs
    for tensor in tensors { try ImageModel.checkReal(tensor) }
    let stated = model.metadata?.subgraphs.first?.outputs ?? []
    guard stated.isEmpty || stated.count == tensors.count else {
      throw .unsuitable(.outputMetadataCount(found: stated.count, outputs: tensors.count))
    }
    threshold =
      stated.isEmpty
      ? DetectionReader.defaultThreshold
      : stated[outputs.scores].scoreThreshold ?? DetectionReader.defaultThreshold
    var own: TensorLabels?
    var calibrator: ScoreCalibrator?
    if let metadata = model.metadata, !stated.isEmpty {
      do throws(MetadataError) {
        own = try metadata.labels(
          of: stated[outputs.classes], type: .tensorValueLabels, locale: "en")
        if let calibration = stated[outputs.scores].scoreCalibration {
          calibrator = ScoreCalibrator(
            calibration: calibration,
            parameters: try metadata.scoreCalibrations(of: stated[outputs.scores]) ?? [])
        }
      } catch { throw .metadata(error) }
    }
    names = labels ?? own?.displayNames ?? own?.names ?? []
    self.calibrator = calibrator
  }

  /// The name of a class; empty if it has none.
  private func name(of category: Int) -> String {
    names.indices.contains(category) ? names[category] : ""
  }

  /// Returns the objects with sufficient scores, in the network's order, with their labels.
  func objects(
    _ results: [ImageModel.Output], in size: ImageSize, minimumScore: Float
  ) throws(VisionError) -> [DetectedObject] {
    let boxes = results[outputs.boxes].elements
    let classes = results[outputs.classes].elements
    let scores = results[outputs.scores].elements
    guard boxes.count == 4 * scores.count else { throw mismatch(outputs.boxes, results) }
    guard classes.count == scores.count else { throw mismatch(outputs.classes, results) }
    guard let count = results[outputs.count].elements.first else {
      throw mismatch(outputs.count, results)
    }
    try [count].checkFinite(tensors[outputs.count].name)
    let found = scores.prefix(max(Int(exactly: count.rounded()) ?? 0, 0))
    try found.checkFinite(tensors[outputs.scores].name)
    var objects: [DetectedObject] = []
    for index in found.indices {
      guard let category = Int(exactly: classes[index].rounded()) else { continue }
      let score = calibrator?(scores[index], ofClass: category) ?? scores[index]
      try CollectionOfOne(score).checkFinite(tensors[outputs.scores].name)
      guard score >= minimumScore else { continue }
      func side(_ place: Int) -> Float { min(max(boxes[4 * index + place], 0), 1) }
      let box = RelativeBox(minX: side(1), minY: side(0), maxX: side(3), maxY: side(2))
      guard !box.isEmpty else { continue }
      let label = ObjectLabel(text: name(of: category), index: category, confidence: score)
      objects.append(
        DetectedObject(frame: box.pixels(of: size), score: score, labels: [label]))
    }
    return objects
  }

  private func mismatch(_ index: Int, _ results: [ImageModel.Output]) -> VisionError {
    .unsuitable(.detectionShape(tensor: tensors[index].name, found: results[index].shape))
  }
}
