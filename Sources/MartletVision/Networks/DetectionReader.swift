//===--- DetectionReader.swift - what a detector of one's own has found ---===//
//
// A detector of the SSD family ends in `TFLite_Detection_PostProcess`, which decodes boxes and
// suppresses those that overlap: what is left is to leave out those that it is not sure of.
//
// Contract  Of the rows that the network gives, as many count as it says, and no more than there are.
//           A box that is empty, or no number, is left out. A score or a count that is NaN or infinite is
//           an error. The threshold is that of the scores'
//           metadata, else 0.3.
// Source    TFLite Support `object_detector`.
// Checked   Tests/MartletTests/CustomDetectorTests.swift
//===----------------------------------------------------------------------===//

/// Reads a detector's outputs.
struct DetectionReader: Sendable {
  /// The least score where neither options nor metadata say one: what a detector is less sure of is
  /// mostly nothing.
  private static let defaultThreshold: Float = 0.3

  private let outputs: DetectionOutputs
  private let tensors: [InterfaceTensor]
  private let names: [String]
  private let calibrator: ScoreCalibrator?
  /// The least score, as the metadata says.
  let threshold: Float

  /// A reader of what `model` gives; `labels` are used in place of those of the metadata.
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

  /// What a class is called; empty if nothing says.
  private func name(of category: Int) -> String {
    names.indices.contains(category) ? names[category] : ""
  }

  /// The objects that the detector is sure of, in its own order, with what it calls them.
  func objects(
    _ results: [ImageModel.Output], in size: ImageSize, leastScore: Float
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
      guard score >= leastScore else { continue }
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
