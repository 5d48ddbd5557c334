//===--- CustomObjectDetectorOptions.swift - custom classifier options ----===//
//
// Contract  The threshold is the option's if it is in 0...1, else the model metadata's, else 0. A
//           label needs at least this confidence. The number of labels is the option's if positive,
//           else 10.
//===----------------------------------------------------------------------===//

public import Foundation

/// Options of a detector with a custom classifier.
public final class CustomObjectDetectorOptions: CommonObjectDetectorOptions, @unchecked Sendable {
  /// The classifier's file.
  public let localModel: LocalModel

  /// A stream, the most prominent object, no classification. The model is used only if
  /// `shouldEnableClassification` is set, but its file must exist.
  public init(localModel: LocalModel) {
    self.localModel = localModel
    super.init(classifier: localModel)
  }

  /// The lowest confidence of a label, 0...1. Default: `nil`, the threshold of the model's
  /// metadata, or 0. Other values count as `nil`.
  public var classificationConfidenceThreshold: NSNumber? {
    get { self[\.confidenceThreshold].map { NSNumber(value: $0) } }
    set { self[\.confidenceThreshold] = newValue?.doubleValue }
  }

  /// The largest number of labels of an object. Default: 10, also for numbers below 1.
  public var maxPerObjectLabelCount: Int {
    get { self[\.labels.maximumCount] ?? Classifier.defaultMaximumLabelCount }
    set { self[\.labels.maximumCount] = newValue }
  }

  /// Whether labels for "none of these" are dropped: `background`, `__background__`, `N/A`, `???`.
  /// Default: `false`, as in ML Kit.
  public var shouldDropBackgroundLabels: Bool {
    get { self[\.labels.dropsBackground] }
    set { self[\.labels.dropsBackground] = newValue }
  }
}
