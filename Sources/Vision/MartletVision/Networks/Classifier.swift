//===--- Classifier.swift - what an image, or a part of it, shows ---------===//
//
// Runs a shipped or custom classifier and converts its scores to labels: dequantize, calibrate, sort (ties
// by index), limit the number, apply the threshold. The shipped one averages two crops of a whole image,
// because things are smaller there than in the crop of an object. Its run also gives a `FineLabeler` the
// features for everyday names.
//
// Contract  Accepts what the TensorFlow Lite task library accepts as an image classifier, and int8 inputs.
//           A score that is NaN or infinite is an error. If there are several outputs, all must be
//           scores, and the first is used. The threshold is the given one, else that of the metadata,
//           else 0. Can be used from any number of tasks at once, unless its lock is `none`.
// Source    ML Kit custom models; TFLite Support `ImageClassifier`.
//===----------------------------------------------------------------------===//

import MartletWeights

/// Labels images, or parts of images.
///
/// ```swift
/// let classifier = try Classifier(threshold: 0.5)
/// for label in try classifier.labels(in: image) { print(label.text, label.confidence) }
/// ```
public final class Classifier: Sendable {
  private let model: ImageModel
  /// The names of the classes by index; `nil` if neither the file nor the caller names them.
  public let classNames: [String]?
  /// The classes that are never returned.
  private let dropped: Set<Int>
  private let calibrator: ScoreCalibrator?
  private let classes: Int
  /// The lowest score of a label, 0...1.
  public let threshold: Float
  /// The largest number of labels.
  public let maximumLabelCount: Int
  /// Whether this is the built-in classifier of the six coarse categories.
  package let isCoarse: Bool
  /// The source of fine labels; `nil` if they are not requested.
  public let fineLabeler: FineLabeler?

  /// The default number of labels, as in ML Kit.
  public static let defaultMaximumLabelCount = 10

  /// The built-in classifier of coarse categories.
  ///
  /// A `threshold` outside 0...1 is ignored. The default is that of the metadata, 0.35. With a
  /// `fineLabeler`, objects also have everyday names.
  public convenience init(
    threshold: Float? = nil, maximumLabelCount: Int? = nil, fineLabeler: FineLabeler? = nil,
    options: Interpreter.Options = .init(), lock: Lock = .automatic()
  ) throws(VisionError) {
    let file = ModelFile(
      FileBytes(ShippedModel.classifier.bytes), labels: nil, normalization: nil)
    try self.init(
      file, threshold: threshold, maximumLabelCount: maximumLabelCount, dropsBackground: false,
      filter: .none, options: options, lock: lock, isCoarse: true, fineLabeler: fineLabeler)
  }

  /// The classifier in a TensorFlow Lite file.
  ///
  /// A `threshold` outside 0...1 and a `maximumLabelCount` below 1 are ignored. `dropsBackground`
  /// drops labels that mean "none of these"; `filter` drops others before the most confident are
  /// selected.
  public convenience init(
    _ file: ModelFile, threshold: Float? = nil, maximumLabelCount: Int? = nil,
    dropsBackground: Bool = false, filter: LabelFilter = .none,
    options: Interpreter.Options = .init(), lock: Lock = .automatic()
  ) throws(VisionError) {
    try self.init(
      file, threshold: threshold, maximumLabelCount: maximumLabelCount,
      dropsBackground: dropsBackground, filter: filter, options: options, lock: lock,
      isCoarse: false)
  }

  private init(
    _ file: ModelFile, threshold: Float?, maximumLabelCount: Int?, dropsBackground: Bool,
    filter: LabelFilter, options: Interpreter.Options, lock: Lock, isCoarse: Bool,
    fineLabeler: FineLabeler? = nil
  ) throws(VisionError) {
    let head: Head
    do throws(VisionError) {
      model = try ImageModel(
        bytes: file.bytes, normalization: file.normalization,
        additionalOutput: fineLabeler?.features.name, options: options, lock: lock)
      head = try Classifier.heads(of: model, labels: file.labels)[0]
    } catch { throw file.reason(error) }
    self.isCoarse = isCoarse
    self.fineLabeler = fineLabeler
    classes = head.classes
    classNames = file.labels ?? head.labels?.displayNames ?? head.labels?.names
    let lists = [classNames, head.labels?.names].compactMap { $0 }
    dropped = try filter.dropped(of: head.classes, called: lists).union(
      dropsBackground ? Set(lists.flatMap(Classifier.background)) : [])
    calibrator = head.calibrator
    let given = threshold.flatMap { (0...1).contains($0) ? $0 : nil }
    self.threshold = given ?? head.threshold ?? 0
    let count = maximumLabelCount ?? Classifier.defaultMaximumLabelCount
    self.maximumLabelCount = count > 0 ? count : Classifier.defaultMaximumLabelCount
  }

  /// The names of all labels: of the classes, then everyday names.
  package var labelNames: [String] { (classNames ?? []) + (fineLabeler?.names ?? []) }

  /// Throws for a name in the filter that no label or category has.
  package func check(_ filter: LabelFilter) throws(VisionError) {
    try filter.check(labelNames + CoarseCategory.allCases.map { $0.name })
  }

  /// Frees the memory that no run uses; the next run allocates it again.
  public func trim() {
    model.trim()
    fineLabeler?.trim()
  }

  /// The labels of the part of `image` inside `box`, or of the whole image, by decreasing
  /// confidence.
  ///
  /// The coarse classifier returns at most one label; an empty array means that the object is
  /// unknown. For a whole image it averages two runs, on the image and on its center.
  public func labels(in image: RGBImage, box: Box? = nil) throws(VisionError) -> [ObjectLabel] {
    try classification(in: image, box: box).labels
  }

  /// The same labels with the category and the fine labels, from the same runs.
  public func classification(
    in image: RGBImage, box: Box? = nil
  ) throws(VisionError) -> Classification {
    let region =
      box ?? Box(x: 0, y: 0, width: Float(image.width), height: Float(image.height))
    guard isCoarse else {
      return Classification(labels: try bestLabels(in: image, inside: region))
    }
    var (scores, probabilities) = try scores(in: image, inside: region)
    if box == nil {
      let border = (1 - Classifier.middle) / 2
      let middle = Box(
        x: region.width * border, y: region.height * border,
        width: region.width * Classifier.middle, height: region.height * Classifier.middle)
      let others = try self.scores(in: image, inside: middle)
      scores = zip(scores, others.coarse).map { ($0 + $1) / 2 }
      probabilities = zip(probabilities, others.fine).map { ($0 + $1) / 2 }
    }
    let category = CoarseCategory(scores: scores, threshold: threshold)
    return Classification(
      labels: category == .unknown ? [] : [label(category.rawValue, scores[category.rawValue])],
      category: category, fineLabels: fineLabeler?.labels(probabilities))
  }

  private func label(_ index: Int, _ score: Float) -> ObjectLabel {
    ObjectLabel(text: classNames?[index] ?? "", index: index, confidence: score)
  }

  /// The share of the image's sides in the center crop (Weights/Training/README.md).
  private static let middle: Float = 0.8

  /// The score of each category, and the probability of each fine label if they are requested.
  private func scores(
    in image: RGBImage, inside box: Box
  ) throws(VisionError) -> (coarse: [Float], fine: [Float]) {
    let input = try model.input(of: image, in: box)
    guard let fineLabeler else { return (try model.run(on: input, outputs: 0..<1)[0].elements, []) }
    let (outputs, features) = try model.run(
      on: input, outputs: 0..<1, reading: model.outputs.count
    ) { $0.withUnsafeBytes { unsafe [UInt8]($0) } }
    return (outputs[0].elements, try fineLabeler.probabilities(features))
  }

  /// The labels with the highest scores, in memory proportional to their number.
  private func bestLabels(
    in image: RGBImage, inside box: Box
  ) throws(VisionError) -> [ObjectLabel] {
    let scores = try model.run(on: image, in: box, reading: 0) { output in
      Result { () throws(VisionError) in try best(of: output) }
    }
    return try scores.get().sorted.map { label($0.index, $0.score) }
  }

  /// The highest scores of the classes. All scores must be finite, also those of dropped classes.
  private func best(of output: ImageModel.Reals) throws(VisionError) -> TopScores {
    let tensor = model.outputs[0].name
    // A graph can compute the shape of its output.
    guard output.count == classes else {
      throw .unsuitable(.outputShape(tensor: tensor, found: output.shape))
    }
    var best = TopScores(count: min(maximumLabelCount, classes))
    for index in 0..<classes {
      let raw = output[index]
      let score = calibrator?(raw, ofClass: index) ?? raw
      guard raw.isFinite, score.isFinite else {
        throw .unsuitable(
          .finiteOutput(tensor: tensor, index: index, found: raw.isFinite ? score : raw))
      }
      if score >= threshold, !dropped.contains(index) { best.add(score, of: index) }
    }
    return best
  }

  /// Class names that mean that an image shows none of the other classes.
  private static let backgroundNames: Set<String> = ["background", "__background__", "N/A", "???"]

  /// The classes with such a name.
  private static func background(_ names: [String]) -> [Int] {
    names.indices.filter { backgroundNames.contains(names[$0]) }
  }
}
