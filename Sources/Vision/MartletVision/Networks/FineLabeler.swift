//===--- FineLabeler.swift - everyday names of objects --------------------===//
//
// A linear layer on the features from which the built-in classifier computes the categories, so that
// names need no other run of it.
//
// Contract  The confidence is calibrated on the sources of the training images: of the best names with
//           a confidence of 0.7, 70 % are right. On others it is too high. Can be used from any number of tasks at once, unless its lock is `none`.
// Cost      0.35 million multiply-adds for each run of the classifier, which has 98 million.
// Source    Weights/classifier.md
//===----------------------------------------------------------------------===//

import MartletWeights

/// Names what the built-in classifier sees: person, dog, chair, banana, and so on.
///
/// ```swift
/// let classifier = try Classifier(fineLabeler: FineLabeler())
/// let names = try classifier.classification(in: image).fineLabels
/// ```
public final class FineLabeler: Sendable {
  /// The lowest confidence of a fine label. Fewer than three in ten names below it are right.
  public static let minimumConfidence: Float = 0.3
  /// The lowest confidence of a name that is shown in place of the category: from it on, four in five
  /// names are right in images of sources that did not choose it.
  public static let shownConfidence: Float = 0.6
  /// The largest number of fine labels.
  public static let maximumLabelCount = 5

  /// The names by index.
  public let names: [String]
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
    var names: [String]?
    do throws(MetadataError) {
      if let metadata = try model.readMetadata(), let graph = metadata.subgraphs.first {
        names = try metadata.labels(of: graph.outputs[0])?.names
      }
    } catch { throw .metadata(error) }
    self.names = names ?? []
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

  /// The most probable names by decreasing probability.
  func labels(_ probabilities: [Float]) -> [ObjectLabel] {
    var best = TopScores(count: FineLabeler.maximumLabelCount)
    for (index, probability) in probabilities.enumerated()
    where probability >= FineLabeler.minimumConfidence {
      best.add(probability, of: index)
    }
    return best.sorted.map {
      ObjectLabel(text: names[$0.index], index: $0.index, confidence: $0.score)
    }
  }
}

extension ObjectLabel {
  /// The label that tables and drawings show: the best fine label from `shownConfidence` on, else the
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
