//===--- MetadataError.swift - errors of reading metadata -----------------===//

/// An error of reading a model's metadata.
@nonexhaustive
public enum MetadataError: Error, Equatable, Sendable {
  /// The metadata is not a FlatBuffer with the identifier `M001`.
  case flatBuffer(FlatBufferError)
  /// The files behind the model could not be read.
  case archive(ArchiveError)
  /// The metadata names a file that the archive does not hold.
  case missingFile(name: String)
  /// A text file behind the model is too large.
  case text(file: String, TextError)
  /// A tensor has two process units of one kind: those at these indices.
  case repeatedProcessUnit(first: Int, second: Int)
  /// The numbers of means and standard deviations differ or are zero.
  case normalizationCount(means: Int, standardDeviations: Int)
  /// The mean of channel `index` is not finite.
  case mean(index: Int)
  /// The standard deviation of channel `index` is too small to divide by, or not finite.
  case standardDeviation(index: Int)
  /// The axes of a tensor's content are negative, or the last is before the first.
  case contentAxes(first: Int, last: Int)
  /// The numbers of display names and labels differ.
  case labelCount(found: Int, expected: Int)
  /// A line of a score calibration file (from 0) has neither 0 nor 3 nor 4 numbers.
  case calibrationFields(line: Int, found: Int)
  /// Field `field` of a line of a score calibration file is not a number, or the first is negative.
  case calibrationNumber(line: Int, field: Int)
  /// An anchor of a detector, or the scale of its boxes, is not finite, or a scale is zero.
  case anchors
}

extension MetadataError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .flatBuffer(let error): "the metadata is damaged: \(error)"
    case .archive(let error): "the files behind the model are damaged: \(error)"
    case .missingFile(let name): "the metadata refers to the file \(name), which does not exist"
    case .text(let file, let error): "the file \(file) behind the model: \(error)"
    case .repeatedProcessUnit(let first, let second):
      "process units \(first) and \(second) of a tensor have the same kind"
    case .normalizationCount(let means, let standardDeviations):
      "the normalization has \(means) means and \(standardDeviations) standard deviations"
    case .mean(let index): "mean \(index) of the normalization is not finite"
    case .standardDeviation(let index):
      "standard deviation \(index) of the normalization is zero or not finite"
    case .contentAxes(let first, let last):
      "the content takes the axes \(first) to \(last)"
    case .labelCount(let found, let expected):
      "found \(found) display names, expected \(expected)"
    case .calibrationFields(let line, let found):
      "line \(line) of the score calibration has \(found) fields"
    case .calibrationNumber(let line, let field):
      "field \(field) in line \(line) of the score calibration is not a valid number"
    case .anchors: "an anchor of the detector or the scale of its boxes is not a valid number"
    }
  }
}
