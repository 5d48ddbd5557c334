//===--- HeadReading.swift - the recognized head of a detector ------------===//
//
// Each kind of head says whether the file can be read as it. If several can, the number of classes
// decides, then the values of one run.
//
// Contract  A head that is given must fit. Otherwise the error names the readings that remain, or
//           the form that cannot be read and what to do.
//===----------------------------------------------------------------------===//

/// One way to read a detector's outputs.
struct HeadReading: Sendable {
  let head: DetectorHead
  let classCount: Int?
  /// What in the file has the form of this head.
  let reason: String
  var input: DetectorInput
  let suppression: BoxSuppression
  let threshold: Float
  let isPlausible: @Sendable (HeadOutputs) -> Bool
  /// The boxes of a run from a score on.
  let candidates:
    @Sendable (HeadOutputs, [InterfaceTensor], Float) throws(VisionError) -> [Candidate]

  /// The reading as `head`; `nil` if there is none.
  ///
  /// - Throws: `VisionError` if the quantization cannot represent scores.
  init?(
    _ name: DetectorHead, _ head: (some DetectionHead)?, _ evidence: HeadEvidence
  ) throws(VisionError) {
    guard let head else { return nil }
    self.head = name
    (classCount, reason, input) = (head.classCount, head.reason, head.input)
    (suppression, threshold) = (head.suppression, head.threshold)
    if let output = head.scoreOutput, let scale = evidence.outputs[output].quantization?.scale,
      evidence.outputs[output].type != .float32, scale > 0.25
    {
      throw .unsuitable(.scoreScale(tensor: evidence.outputs[output].name, scale: scale))
    }
    isPlausible = { (try? head.candidateCount($0)) != nil && head.isPlausible($0) }
    candidates = { (outputs, tensors, least) throws(VisionError) in
      try head.candidates(outputs, of: tensors, least: least)
    }
  }
}

extension HeadEvidence {
  /// The readings that the file leaves, at least one.
  ///
  /// - Throws: `VisionError.unsuitable` if there is none.
  func readings(as given: DetectorHead? = nil) throws(VisionError) -> [HeadReading] {
    if let given = given ?? (givenAnchors == nil ? nil : .grid) {
      if let reading = try given.reading(self) { return [reading] }
      throw .unsuitable(.detectorHead(given, outputs: outputs.map { $0.shape }))
    }
    // The strongest evidence comes first: an operator or anchors in the metadata.
    for head in [DetectorHead.postProcess, .mediaPipe] {
      if let reading = try head.reading(self) { return [reading] }
    }
    var readings: [HeadReading] = []
    for head in DetectorHead.allCases where head != .postProcess && head != .mediaPipe {
      if let reading = try head.reading(self) { readings.append(reading) }
    }
    guard !readings.isEmpty else {
      throw .unsuitable(
        undecodedOutputs.map { .anchors($0) } ?? .detector(outputs: outputs.map { $0.shape }))
    }
    // Most networks without names have the 80 classes of COCO.
    let count = names?.count ?? COCONames.all.count
    let fitting = readings.filter { $0.classCount == nil || $0.classCount == count }
    return fitting.isEmpty || readings.count == 1 ? readings : fitting
  }
}

extension HeadReading {
  /// The head and why it was recognized, in words.
  var description: String {
    "\(head.rawValue): \(reason); \(input.description); \(suppression.description)"
  }
}

extension BoxSuppression {
  fileprivate var description: String {
    switch self {
    case .none: "boxes are not suppressed"
    case .ofClass(let overlap): "boxes of a class overlap by at most \(overlap)"
    case .ofAll(let overlap): "boxes overlap by at most \(overlap)"
    case .touching: "cells that touch become one box"
    }
  }
}
