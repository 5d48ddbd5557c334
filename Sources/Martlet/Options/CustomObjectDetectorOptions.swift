//===--- CustomObjectDetectorOptions.swift - a classifier of your own -----===//
//
// Contract  The threshold is the one set, where it lies in 0...1; else that of the model's metadata;
//           else 0. A label passes with a confidence of at least the threshold. As many labels as
//           set, where that is positive; else 10.
// Checked   Tests/MartletTests/ObjectDetectorOptionsTests.swift
//===----------------------------------------------------------------------===//

public import Foundation

/// Options of a detector whose objects are named by a classifier of your own.
public final class CustomObjectDetectorOptions: CommonObjectDetectorOptions, @unchecked Sendable {
  /// The classifier's file.
  public let localModel: LocalModel

  /// A stream, the most prominent object, no classification: set `shouldEnableClassification`, or
  /// the model is not used. Its file has to be there nevertheless.
  public init(localModel: LocalModel) {
    self.localModel = localModel
    super.init(.custom(localModel))
  }

  /// The confidence that a label needs at least, 0...1; `nil` unless set. What is not in that range
  /// counts as not set.
  public var classificationConfidenceThreshold: NSNumber? {
    get { self[\.confidenceThreshold].map { NSNumber(value: $0) } }
    set { self[\.confidenceThreshold] = newValue?.doubleValue }
  }

  /// How many labels each object has at most; 10 unless set, and instead of a number that is not
  /// positive.
  public var maxPerObjectLabelCount: Int {
    get { self[\.maximumLabelCount] }
    set { self[\.maximumLabelCount] = newValue }
  }

  /// Whether labels by which models mean "none of these" are left out: `background`,
  /// `__background__`, `N/A`, `???`. `false` unless set, as in ML Kit.
  public var shouldDropBackgroundLabels: Bool {
    get { self[\.dropsBackground] }
    set { self[\.dropsBackground] = newValue }
  }

  /// Which labels may be given, by their names; all unless set. The most confident are picked from those
  /// that may. A name that no class of the model has is the error `VisionError.unsuitable`. Beyond ML Kit.
  public var labelFilter: LabelFilter {
    get { self[\.labelFilter] }
    set { self[\.labelFilter] = newValue }
  }
}
