//===--- FineLabeler.swift - everyday names of objects --------------------===//
//
// A linear layer on the features from which the built-in classifier computes the categories, so that
// names need no other run of it. If no name is sure, a hypernym may be.
//
// Contract  The confidence is calibrated on the sources of the training images: of the best names with
//           a confidence of 0.7, 70 % are right. On others it is too high. Can be used from any number
//           of tasks at once, unless its lock is `none`.
// Cost      0.35 million multiply-adds for each run of the classifier, which has 98 million.
// Source    Weights/classifier.md
//===----------------------------------------------------------------------===//

import MartletWeights

/// Names what the built-in classifier sees: person, dog, chair, banana, and so on; or if no name is
/// sure, a broader word: mammal, furniture, fruit.
///
/// ```swift
/// let classifier = try Classifier(fineLabeler: FineLabeler())
/// let names = try classifier.classification(in: image).fineLabels
/// ```
public final class FineLabeler: Sendable {
  /// The lowest confidence of a fine label. Fewer than three in ten names below it are right.
  public static let minimumConfidence: Float = 0.3
  /// The lowest confidence of a name or hypernym that is shown in place of the category: from it on,
  /// four in five are right in images of sources that did not choose it.
  public static let shownConfidence: Float = 0.6
  /// The largest number of fine labels.
  public static let maximumLabelCount = 5

  /// The text of each label by index: the names that the network tells apart, then the hypernyms that
  /// are not among them.
  public var names: [String] { hypernyms.labels }
  private let hypernyms: Hypernyms
  /// The input: a copy of the built-in classifier's tensor with this name.
  let features: InterfaceTensor
  private let prepared: PreparedModel
  private let idle: IdleInterpreters

  /// The built-in names.
  ///
  /// - Throws: `VisionError` if the network cannot be prepared, or without the package's trait
  ///   `FineLabels`.
  public init(
    options: Interpreter.Options = .init(), lock: Lock = .automatic()
  ) throws(VisionError) {
    let model: Model
    let bytes = FileBytes(try ShippedModel.fineLabels.bytes(of: "FineLabels"))
    do throws(ModelError) { model = try Model(bytes) } catch {
      throw .model(error)
    }
    do throws(MetadataError) {
      let metadata = try model.readMetadata()
      hypernyms = Hypernyms(
        try metadata?.lines(ofFile: "hypernyms.txt") ?? [],
        of: try metadata?.lines(ofFile: "fine-labels.txt") ?? [])
    } catch { throw .metadata(error) }
    do throws(InferenceError) {
      prepared = try PreparedModel(model: model, options: options)
    } catch { throw VisionError(error) }
    let interpreter = Interpreter(prepared)
    features = interpreter.inputs[0]
    idle = IdleInterpreters(interpreter, lock: lock)
  }

  /// Frees the memory that no run uses; the next run allocates it again.
  public func trim() { idle.trim() }

  /// The probability of each name, given the bytes of the classifier's features.
  func probabilities(_ features: [UInt8]) throws(VisionError) -> [Float] {
    let interpreter = idle.take() ?? Interpreter(prepared)
    defer { idle.put(interpreter) }
    do throws(InferenceError) {
      try interpreter.setInput(0, to: features)
      try interpreter.invoke()
    } catch { throw VisionError(error) }
    return try ImageModel.read(0..<1, of: interpreter)[0].elements
  }

  /// The most probable names by decreasing probability, after a sure hypernym if none of them is sure.
  func labels(_ probabilities: [Float]) -> [ObjectLabel] {
    var best = TopScores(count: FineLabeler.maximumLabelCount)
    for (index, probability) in probabilities.enumerated()
    where probability >= FineLabeler.minimumConfidence {
      best.add(probability, of: index)
    }
    let labels = best.sorted.map { label($0.index, $0.score) }
    let (index, confidence) = hypernyms.best(probabilities)
    guard confidence >= FineLabeler.shownConfidence,
      labels.allSatisfy({ $0.confidence < FineLabeler.shownConfidence })
    else { return labels }
    let others = labels.filter { $0.index != index }
    return [label(index, confidence)] + others.prefix(FineLabeler.maximumLabelCount - 1)
  }

  private func label(_ index: Int, _ confidence: Float) -> ObjectLabel {
    ObjectLabel(text: names[index], index: index, confidence: confidence)
  }

  /// What an object with these labels is: the best name, and its hypernym.
  func kinds(_ labels: [ObjectLabel]) -> [String] {
    let indices = labels.prefix(2).map { $0.index }
    guard let first = indices.first else { return [] }
    let isHypernym = indices.count == 2 && hypernyms.hypernym(of: indices[1]) == first
    let name = isHypernym ? indices[1] : first
    return [first, name, hypernyms.hypernym(of: name) ?? name].map { names[$0] }
  }
}

extension ObjectLabel {
  /// The label that tables and drawings show: the first fine label from `shownConfidence` on, else the
  /// best other one.
  package static func shown(
    _ labels: [ObjectLabel], _ fineLabels: [ObjectLabel]?
  ) -> ObjectLabel? {
    if let name = fineLabels?.first, name.confidence >= FineLabeler.shownConfidence {
      return name
    }
    return labels.first
  }
}
