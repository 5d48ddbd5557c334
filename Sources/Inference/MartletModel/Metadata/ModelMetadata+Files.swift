//===--- ModelMetadata+Files.swift - labels and score calibrations --------===//
//
// The text files associated with a tensor, as TensorFlow Lite Support reads them.
//
// Contract  One label per line (`TextLines`). Labels are the first file of the type, regardless of
//           language. Display names are the first file in the language, or else in the same primary
//           language: `en-US` selects `en`, and `en` selects `en-US`.
//===----------------------------------------------------------------------===//

/// The labels of a tensor, in the order of its indices or values.
public struct TensorLabels: Sendable, Equatable {
  /// The identifiers.
  public let names: [String]
  /// The display names, one for each of `names`, or `nil` if the model has none in the language.
  public let displayNames: [String]?
}

/// The sigmoid that calibrates the scores of one class: scale / (1 + exp(-(slope·g(s) + offset))).
public struct SigmoidParameters: Sendable, Equatable {
  /// The factor of the sigmoid; not negative.
  public let scale: Float
  /// The factor of the transformed score.
  public let slope: Float
  /// The term added to the product.
  public let offset: Float
  /// The raw score below which the default score is used.
  public let minimumScore: Float?
}

extension ModelMetadata {
  /// Returns the labels of a tensor, with display names in `locale` if it is given, or `nil` if no
  /// file holds labels.
  ///
  /// - Parameter type: `.tensorAxisLabels` for classifiers, `.tensorValueLabels` for detectors.
  /// - Throws: `MetadataError.missingFile` if the archive lacks a file that the metadata names;
  ///   `labelCount` if the numbers of display names and labels differ.
  public func labels(
    of tensor: TensorMetadata, type: AssociatedFileType = .tensorAxisLabels,
    locale: String? = nil
  ) throws(MetadataError) -> TensorLabels? {
    let files = tensor.associatedFiles.filter { $0.type == type }
    guard let first = files.first else { return nil }
    let names = try lines(ofFile: first.name)
    guard let locale, !locale.isEmpty, let localized = file(of: files, in: locale) else {
      return TensorLabels(names: names, displayNames: nil)
    }
    let displayNames = try lines(ofFile: localized.name)
    guard displayNames.count == names.count else {
      throw .labelCount(found: displayNames.count, expected: names.count)
    }
    return TensorLabels(names: names, displayNames: displayNames)
  }

  /// Returns the first file in a language, or else in the same primary language.
  private func file(of files: [AssociatedFile], in locale: String) -> AssociatedFile? {
    let language = primaryLanguage(locale)
    return files.first { $0.locale == locale }
      ?? files.first { primaryLanguage($0.locale) == language }
  }

  /// Returns the calibration of each class of a tensor (`nil` for a class without one), or `nil` if
  /// no file holds calibrations.
  public func scoreCalibrations(
    of tensor: TensorMetadata
  ) throws(MetadataError) -> [SigmoidParameters?]? {
    let files = tensor.associatedFiles.filter { $0.type == .tensorAxisScoreCalibration }
    guard let file = files.first else { return nil }
    var calibrations: [SigmoidParameters?] = []
    for (index, line) in try lines(ofFile: file.name).enumerated() {
      calibrations.append(try SigmoidParameters(line, index: index))
    }
    return calibrations
  }

  /// The names of the files in the model's archive.
  public var fileNames: [String] { archive.entries.map { $0.name } }

  /// Returns the contents of a file in the model's archive, or `nil` if it has no such file.
  public func contents(ofFile name: String) throws(MetadataError) -> [UInt8]? {
    do throws(ArchiveError) { return try archive.contents(of: name) } catch {
      throw .archive(error)
    }
  }

  /// Returns the lines of a text file in the model's archive.
  ///
  /// - Throws: `MetadataError.missingFile` if the archive has no such file.
  package func lines(ofFile name: String) throws(MetadataError) -> [String] {
    guard let contents = try contents(ofFile: name) else { throw .missingFile(name: name) }
    do throws(TextError) { return try TextLines.read(contents) } catch {
      throw .text(file: name, error)
    }
  }
}

/// The primary language of a language tag, in lowercase: `en` for `en-US` and `EN_gb` (RFC 5646,
/// section 2.1).
private func primaryLanguage(_ tag: String) -> [UInt8] {
  tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }.map { $0 | 0x20 }
}

extension SigmoidParameters {
  /// Reads the parameters from a line of three or four numbers; `nil` for an empty line.
  fileprivate init?(_ line: String, index: Int) throws(MetadataError) {
    guard !line.isEmpty else { return nil }
    let fields = line.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard fields.count == 3 || fields.count == 4 else {
      throw .calibrationFields(line: index, found: fields.count)
    }
    var numbers: [Float] = []
    for (field, text) in fields.enumerated() {
      let digits = text.drop { $0 == UInt8(ascii: " ") }
      guard let number = Float(Substring(digits)), number.isFinite, field > 0 || number >= 0 else {
        throw .calibrationNumber(line: index, field: field)
      }
      numbers.append(number)
    }
    self.init(
      scale: numbers[0], slope: numbers[1], offset: numbers[2],
      minimumScore: numbers.count == 4 ? numbers[3] : nil)
  }
}
