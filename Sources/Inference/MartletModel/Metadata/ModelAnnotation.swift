//===--- ModelAnnotation.swift - metadata to be written -------------------===//
//
// Facts that readers of models need and converters omit: the normalization of pixels, the names of
// classes, the score threshold.
//===----------------------------------------------------------------------===//

/// Metadata to write into a model; fields that are `nil` keep the model's values.
public struct ModelAnnotation: Sendable, Equatable {
  /// Display names of the classes in one language.
  public struct DisplayNames: Sendable, Equatable {
    /// The language, as `en` or `en-US`.
    public var locale: String
    /// One for each class.
    public var names: [String]

    /// Creates display names, one for each class, for a language.
    public init(locale: String, names: [String]) {
      self.locale = locale
      self.names = names
    }
  }

  /// The model's name.
  public var name: String?
  /// What the model does.
  public var description: String?
  /// The model's version.
  public var version: String?
  /// Who made the model.
  public var author: String?
  /// The terms under which the model may be used.
  public var license: String?
  /// The normalization of the first input's pixels.
  public var normalization: Normalization?
  /// The class labels, one for each class.
  public var labels: [String]?
  /// Display names of the classes, in addition to `labels` or the model's own labels.
  public var displayNames: [DisplayNames] = []
  /// The score, 0...1, below which results should be dropped.
  public var scoreThreshold: Float?

  /// Creates an annotation that changes nothing.
  public init() {}
}

/// An error of writing metadata into a model.
@nonexhaustive
public enum AnnotationError: Error, Equatable, Sendable {
  /// The model's existing metadata cannot be read.
  case metadata(MetadataError)
  /// The model's tables cannot be read.
  case flatBuffer(FlatBufferError)
  /// Normalization needs an input, or labels an output, that the model does not have.
  case noTensor
  /// The normalization of the input `tensor` has `count` means; 1 or 3 are valid.
  case channelCount(tensor: String, count: Int)
  /// The numbers of labels or display names and of classes of the output `tensor` differ.
  case labelCount(tensor: String, found: Int, classes: Int)
  /// The label at this index contains a line break; label files have one label per line.
  case lineBreak(label: Int)
  /// There are display names but no labels, or the locale is invalid or is used twice.
  case displayNames(locale: String)
  /// The threshold is not in 0...1.
  case threshold(Float)
  /// The file would exceed the 31-bit offsets of a FlatBuffer.
  case tooLarge(bytes: Int)
}

extension AnnotationError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .metadata(let error): "\(error)"
    case .flatBuffer(let error): "\(error)"
    case .noTensor: "the model has no input, or no output, to say anything of"
    case .channelCount(let tensor, let count):
      "there are \(count) means for the input \"\(tensor)\", expected 1 or 3"
    case .labelCount(let tensor, let found, let classes):
      "there are \(found) labels for the output \"\(tensor)\" of \(classes) classes"
    case .lineBreak(let label): "label \(label) has a line break in it"
    case .displayNames(let locale):
      "display names in \"\(locale)\" come without labels, without a language, or twice"
    case .threshold(let value): "the threshold \(value) is not in 0...1"
    case .tooLarge(let bytes): "the file would have \(bytes) bytes, more than a model may have"
    }
  }
}
