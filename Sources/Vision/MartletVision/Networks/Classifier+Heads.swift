//===--- Classifier+Heads.swift - what a classifier's outputs are ---------===//
//
// Each output of a classifier is a head: scores of its own classes, with labels and calibration of its
// own.
//
// Contract  Every head is held to the rules, also those that are not read.
// Source    TFLite Support `image_classifier` and `classification_head`.
//===----------------------------------------------------------------------===//

extension ModelFile {
  /// The error for a file that is no classifier: if it is a detector, that.
  func reason(_ error: VisionError) -> VisionError {
    guard case .unsuitable = error, let model = try? Model(bytes),
      let readings = try? HeadEvidence(model).readings()
    else { return error }
    return .unsuitable(.classifier(readings.count == 1 ? readings[0].head : nil))
  }
}

extension Classifier {
  /// One output of a classifier.
  struct Head {
    let classes: Int
    /// What the metadata calls the classes, if anything.
    let labels: TensorLabels?
    let calibrator: ScoreCalibrator?
    /// The metadata's threshold, if there is one.
    let threshold: Float?
  }

  /// The heads, at least one. `labels` are those of the first head, in place of the metadata's.
  static func heads(of model: ImageModel, labels: [String]?) throws(VisionError) -> [Head] {
    let outputs = model.outputs
    guard !outputs.isEmpty else { throw .unsuitable(.outputCount(found: 0, needed: 1)) }
    for output in outputs {
      try checkShape(output)
      try ImageModel.checkReal(output)
    }
    if let floats = outputs.first(where: { $0.type == .float32 }),
      let integers = outputs.first(where: { $0.type != .float32 })
    {
      throw .unsuitable(.mixedOutputs(integers: integers.name, floats: floats.name))
    }
    let stated = model.metadata?.subgraphs.first?.outputs ?? []
    guard stated.isEmpty || stated.count == outputs.count else {
      throw .unsuitable(.outputMetadataCount(found: stated.count, outputs: outputs.count))
    }
    var heads: [Head] = []
    for (index, output) in outputs.enumerated() {
      heads.append(
        try head(
          output, stated.isEmpty ? nil : stated[index], model.metadata,
          labels: index == 0 ? labels : nil))
    }
    return heads
  }

  private static func checkShape(_ output: InterfaceTensor) throws(VisionError) {
    let shape = output.shape
    guard shape.rank == 2 || shape.rank == 4, shape[shape.rank - 1] == shape.elementCount,
      shape.elementCount > 0
    else { throw .unsuitable(.outputShape(tensor: output.name, found: shape)) }
  }

  private static func head(
    _ output: InterfaceTensor, _ stated: TensorMetadata?, _ metadata: ModelMetadata?,
    labels given: [String]?
  ) throws(VisionError) -> Head {
    let classes = output.shape.elementCount
    var labels: TensorLabels?
    var calibrator: ScoreCalibrator?
    if let stated, let metadata {
      do throws(MetadataError) {
        if given == nil { labels = try metadata.labels(of: stated, locale: "en") }
        if let calibration = stated.scoreCalibration {
          calibrator = ScoreCalibrator(
            calibration: calibration,
            parameters: try metadata.scoreCalibrations(of: stated) ?? [])
        }
      } catch { throw .metadata(error) }
    }
    if let count = given?.count ?? labels?.names.count, count != classes {
      throw .unsuitable(.labelCount(tensor: output.name, found: count, classes: classes))
    }
    if let count = calibrator?.parameters.count, count != classes {
      throw .unsuitable(.calibrationCount(tensor: output.name, found: count, classes: classes))
    }
    return Head(
      classes: classes, labels: labels, calibrator: calibrator, threshold: stated?.scoreThreshold)
  }
}
