//===--- YOLOv8Head.swift - boxes and scores without objectness -----------===//
//
// YOLOv8, v9, 11 and 12: center, size and a score for each class, of each cell. Masks, points and the
// angle of oriented boxes follow the scores. Some exports have boxes and scores in two outputs.
//
// Contract  An oriented box becomes the upright box around it.
// Source    Ultralytics 8.4, `nn/modules/head.py`.
//===----------------------------------------------------------------------===//

import MartletBase

/// [1, 4 + classes, cells].
struct YOLOv8Head: DetectionHead {
  private let boxes, scores: CandidateTable
  private let firstScore: Int
  private let scoreCount: Int
  /// The channel of the angle.
  private let angle: Int?
  private let parts: String
  private let image: ImageLayout
  private var unit = CoordinateUnit.share

  init?(_ evidence: HeadEvidence) {
    let tables = evidence.tables(factor: 1)
    let joined = tables.filter { $0.channels > 4 }
    if tables.count == 1, let table = joined.first {
      guard let count = evidence.classCount(among: table.channels - 4) else { return nil }
      (boxes, scores, firstScore, scoreCount) = (table, table, 4, count)
      angle = evidence.export?.task == "obb" ? 4 + count : nil
    } else {
      let masks = evidence.maskCoefficients
      guard let boxes = tables.first(where: { $0.channels == 4 }),
        let scores = tables.first(where: { $0 != boxes && $0.channels != masks })
          ?? tables.first(where: { $0 != boxes }),
        !(tables.count == 2 && scores.channels == 32)
      else { return nil }
      (self.boxes, self.scores) = (boxes, scores)
      (firstScore, scoreCount, angle) = (0, scores.channels, nil)
    }
    image = evidence.image
    parts =
      """
      \(evidence.outputs[boxes.output].shape) has 4 numbers of a box and \(scoreCount) scores of each \
      of \(boxes.count) cells
      """
      + evidence.furtherParts(scores.channels - firstScore - scoreCount)
  }

  var classCount: Int? { scoreCount }
  var reason: String { parts }
  var input: DetectorInput { .letterboxed }
  var suppression: BoxSuppression { .ofClass(0.7) }
  var scoreOutput: Int? { scores.output }

  mutating func adapt(to outputs: HeadOutputs) {
    unit = CoordinateUnit(largest: boxes.maximum(ofChannels: 0..<2, outputs))
  }

  func isPlausible(_ outputs: HeadOutputs) -> Bool {
    boxes.lies(2..<4, in: 0...Float.greatestFiniteMagnitude, outputs)
      && scores.lies(firstScore..<firstScore + scoreCount, in: -0.1...1.1, outputs)
  }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    try check(boxes, scores, in: outputs)
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    scores.best(candidate, firstScore..<firstScore + scoreCount, outputs)
  }

  func highestScores(_ first: Int, _ outputs: HeadOutputs) -> SIMD8<Float>? {
    guard scores.isTransposed else { return nil }
    let values = outputs[scores.output]
    var highest = SIMD8<Float>(repeating: -.infinity)
    var isNumber = SIMDMask<SIMD8<Int32>>(repeating: true)
    for channel in firstScore..<firstScore + scoreCount {
      let found = values.eight(from: scores.place(first, channel))
      highest.replace(with: found, where: found .> highest)
      isNumber = isNumber .& (found .== found)
    }
    return highest.replacing(with: .nan, where: .!isNumber)
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    let values = outputs[boxes.output]
    func value(_ channel: Int) -> Float { values[boxes.place(candidate, channel)] }
    let size = unit.size(of: image)
    var (width, height) = (value(2), value(3))
    if let angle {
      // In pixels, because the sides of the input may differ.
      let turn = outputs[scores.output][scores.place(candidate, angle)]
      let (x, y) = (Float(image.width) / size.width, Float(image.height) / size.height)
      let (sine, cosine) = (VectorMath.sin(turn).magnitude, VectorMath.cos(turn).magnitude)
      let (long, short) = (width * x, height * y)
      (width, height) = ((long * cosine + short * sine) / x, (long * sine + short * cosine) / y)
    }
    return RelativeBox(
      centerX: value(0) / size.width, centerY: value(1) / size.height,
      width: width / size.width, height: height / size.height)
  }
}

extension CandidateTable {
  /// The highest of the scores in `channels` and its index, or one that is no number or above any
  /// score.
  @inline(__always)
  func best(
    _ candidate: Int, _ channels: Range<Int>, _ outputs: HeadOutputs
  ) -> (score: Float, index: Int) {
    let values = outputs[output]
    var best = (score: -Float.infinity, index: 0)
    for channel in channels {
      let score = values[place(candidate, channel)]
      if !(score <= best.score) {
        best = (score, channel - channels.lowerBound)
        if score.isNaN { break }
      }
    }
    return best
  }
}

extension HeadEvidence {
  /// What `count` further numbers of each cell are, in words.
  func furtherParts(_ count: Int) -> String {
    guard count > 0 else { return "" }
    return switch export?.task {
    case "pose": "; points are not read"
    case "obb": "; boxes are turned upright"
    case _ where maskCoefficients != nil: "; masks are not read"
    default: "; \(count) further numbers are not read"
    }
  }
}
