//===--- ModelAnnotation.swift - metadata to be written -------------------===//
//
// What readers of models need to know and converters leave out: how pixels are normalised, what
// classes are called, which scores count.
//
// Checked   Tests/MartletModelTests/ModelAnnotationTests.swift
//===----------------------------------------------------------------------===//

/// What a model is to say of itself; what is `nil` stays as it was.
public struct ModelAnnotation: Sendable, Equatable {
  /// Words for the classes in one language.
  public struct DisplayNames: Sendable, Equatable {
    /// The language, as `en` or `en-US`.
    public var locale: String
    /// One for each class.
    public var names: [String]

    /// Words in a language.
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
  /// How the first input's pixels are normalised.
  public var normalization: Normalization?
  /// What the classes are called.
  public var labels: [String]?
  /// What the classes are called in languages, beside `labels` or the labels that the model has.
  public var displayNames: [DisplayNames] = []
  /// The score below which results are not worth showing, 0...1.
  public var scoreThreshold: Float?

  /// Nothing; set what the model is to say.
  public init() {}
}

/// Why a model can't be made to say that.
public enum AnnotationError: Error, Equatable, Sendable {
  /// The metadata that is there can't be read.
  case metadata(MetadataError)
  /// The model's tables can't be read.
  case flatBuffer(FlatBufferError)
  /// Pixels are to be normalised, or classes named, in a model without inputs or outputs.
  case noTensor
  /// Pixels of the input `tensor` are to be normalised with `count` means; 1 or 3 are possible.
  case channelCount(tensor: String, count: Int)
  /// There are not as many labels, or display names, as the output `tensor` has classes.
  case labelCount(tensor: String, found: Int, classes: Int)
  /// Label `index` has a line break in it, and labels are written a line each.
  case lineBreak(label: Int)
  /// Display names where neither annotation nor model have labels, or two lists in one language.
  case displayNames(locale: String)
  /// The threshold is not in 0...1.
  case threshold(Float)
  /// The file would become larger than offsets of 31 bits reach.
  case tooLarge(bytes: Int)
}

extension AnnotationError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .metadata(let error): "\(error)"
    case .flatBuffer(let error): "\(error)"
    case .noTensor: "the model has no input, or no output, to say anything of"
    case .channelCount(let tensor, let count):
      "there are \(count) means for the input \"\(tensor)\", 1 or 3 needed"
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
