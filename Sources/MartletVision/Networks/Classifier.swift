//===--- Classifier.swift - what a picture, or a part of it, shows --------===//
//
// Runs a classifier, shipped or brought along, and turns its scores into labels: dequantise,
// calibrate, sort (ties to the lower index), cut at the number of labels asked for, cut at the threshold.
// The shipped one looks twice at a whole picture: things are smaller there than in an object's crop.
//
// Contract  What TensorFlow Lite's task library accepts as an image classifier, and int8 inputs
//           besides. A score that is NaN or infinite is an error. Of several outputs all have to be scores, and the first is read. The threshold
//           is the one given, else the metadata's, else 0. May run from any number of tasks at once
//           where its lock is one.
// Source    ML Kit custom models; TFLite Support `ImageClassifier`.
// Checked   Tests/MartletTests/ClassifierTests.swift
//===----------------------------------------------------------------------===//

import MartletWeights

/// Names what a picture shows.
public final class Classifier: Sendable {
  private let model: ImageModel
  /// What the classes are called, in the order of their indices, or `nil` where nothing says.
  public let classNames: [String]?
  /// The classes that are never given.
  private let dropped: Set<Int>
  private let calibrator: ScoreCalibrator?
  private let classes: Int
  /// The score that a label needs at least.
  public let threshold: Float
  /// How many labels are given at most.
  public let maximumLabelCount: Int
  /// Whether this is the shipped classifier of the six coarse categories.
  let isCoarse: Bool

  /// The number of labels unless another is given, as in ML Kit.
  public static let defaultMaximumLabelCount = 10

  /// The shipped classifier of coarse categories.
  ///
  /// Its metadata holds the threshold that was chosen on validation pictures; a `threshold` outside
  /// of 0...1 counts as not given.
  public convenience init(
    threshold: Float? = nil, maximumLabelCount: Int? = nil,
    options: Interpreter.Options = .init(), lock: Lock
  ) throws(VisionError) {
    let file = ModelFile(
      FileBytes(ShippedModel.classifier.bytes), labels: nil, normalization: nil)
    try self.init(
      file, threshold: threshold, maximumLabelCount: maximumLabelCount, dropsBackground: false,
      filter: .none, options: options, lock: lock, isCoarse: true)
  }

  /// The classifier in a TensorFlow Lite file.
  ///
  /// A `threshold` outside of 0...1 counts as not given, and so does a `maximumLabelCount` under 1.
  /// With `dropsBackground`, labels that mean "none of these" are left out; `filter` leaves out
  /// others, before the most confident are picked.
  public convenience init(
    _ file: ModelFile, threshold: Float? = nil, maximumLabelCount: Int? = nil,
    dropsBackground: Bool = false, filter: LabelFilter = .none,
    options: Interpreter.Options = .init(), lock: Lock
  ) throws(VisionError) {
    try self.init(
      file, threshold: threshold, maximumLabelCount: maximumLabelCount,
      dropsBackground: dropsBackground, filter: filter, options: options, lock: lock,
      isCoarse: false)
  }

  private init(
    _ file: ModelFile, threshold: Float?, maximumLabelCount: Int?, dropsBackground: Bool,
    filter: LabelFilter, options: Interpreter.Options, lock: Lock, isCoarse: Bool
  ) throws(VisionError) {
    model = try ImageModel(
      bytes: file.bytes, normalization: file.normalization, options: options, lock: lock)
    self.isCoarse = isCoarse
    let heads = try Classifier.heads(of: model, labels: file.labels)
    let head = heads[0]
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

  /// Labels of the part of `image` inside `box`, or of all of it, by falling confidence.
  ///
  /// The coarse classifier gives at most one label; none means that the object is unknown. Of a whole
  /// picture it takes the mean of two looks, at all of it and at its middle, for twice the work.
  public func labels(in image: RGBImage, box: Box? = nil) throws(VisionError) -> [ObjectLabel] {
    let scores = try scores(in: image, box: box)
    if isCoarse {
      let category = CoarseCategory(scores: scores, threshold: threshold)
      return category == .unknown ? [] : [label(category.rawValue, scores)]
    }
    return best(scores).map { label($0, scores) }
  }

  /// The classes with the highest scores of at least the threshold, by decreasing score; of equal scores
  /// the lower index comes first.
  ///
  /// - Complexity: One pass over the scores, and memory for twice the labels asked for.
  private func best(_ scores: [Float]) -> [Int] {
    let count = min(maximumLabelCount, scores.count)
    var best: [Int] = []
    var least = threshold
    func keepBest() {
      best.sort { (scores[$1], $0) < (scores[$0], $1) }
      best.removeSubrange(min(count, best.count)...)
    }
    for index in scores.indices where scores[index] >= least && !dropped.contains(index) {
      best.append(index)
      // Later classes of the same score as the last one kept come behind it.
      if best.count >= 2 * count {
        keepBest()
        least = max(threshold, scores[best[count - 1]].nextUp)
      }
    }
    keepBest()
    return best
  }

  /// The coarse category that labels stand for, or `nil` unless they are the coarse classifier's.
  package func category(_ labels: [ObjectLabel]) -> CoarseCategory? {
    guard isCoarse else { return nil }
    return labels.first.flatMap { CoarseCategory(rawValue: $0.index) } ?? .unknown
  }

  private func label(_ index: Int, _ scores: [Float]) -> ObjectLabel {
    ObjectLabel(text: classNames?[index] ?? "", index: index, confidence: scores[index])
  }

  /// The share of a picture's sides that its middle has (Weights/Training/README.md).
  private static let middle: Float = 0.8

  /// The score of each class, of all of `image` where there is no `box`.
  private func scores(in image: RGBImage, box: Box?) throws(VisionError) -> [Float] {
    if let box { return try scores(in: image, inside: box) }
    let (width, height) = (Float(image.width), Float(image.height))
    let whole = try scores(in: image, inside: Box(x: 0, y: 0, width: width, height: height))
    guard isCoarse else { return whole }
    let border = (1 - Classifier.middle) / 2
    let middle = Box(
      x: width * border, y: height * border, width: width * Classifier.middle,
      height: height * Classifier.middle)
    return zip(whole, try scores(in: image, inside: middle)).map { ($0 + $1) / 2 }
  }

  private func scores(in image: RGBImage, inside box: Box) throws(VisionError) -> [Float] {
    let output = try model.run(on: image, in: box, outputs: 0..<1)[0]
    // A graph may compute its output's extents.
    guard output.elements.count == classes else {
      throw .unsuitable(.outputShape(tensor: model.outputs[0].name, found: output.shape))
    }
    let tensor = model.outputs[0].name
    try output.elements.checkFinite(tensor)
    guard let calibrator else { return output.elements }
    let scores = calibrator(output.elements)
    try scores.checkFinite(tensor)
    return scores
  }

  /// The words by which models mean that a picture shows none of their classes.
  private static let backgroundNames: Set<String> = ["background", "__background__", "N/A", "???"]

  /// The classes whose names are such words.
  private static func background(_ names: [String]) -> [Int] {
    names.indices.filter { backgroundNames.contains(names[$0]) }
  }
}
