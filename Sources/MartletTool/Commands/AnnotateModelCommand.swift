//===--- AnnotateModelCommand.swift - martlet annotate-model --------------===//
//
// Writes into a model's file what readers need to know and converters leave out.
//
// Contract  The graph stays byte for byte. What is written is read back before the file is.
// Checked   Tests/MartletToolTests/AnnotateModelCommandTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletVision

struct AnnotateModelCommand: Command {
  static let specification = CommandSpecification(
    name: "annotate-model",
    summary: "Writes labels, normalisation and threshold into a model.",
    operands: "MODEL.tflite", operandCount: 1...1,
    options: [
      OptionSpecification("--output", "FILE.tflite", help: "where the model goes (needed)"),
      OptionSpecification("--labels", "FILE", help: "the classes' names, one a line"),
      OptionSpecification(
        "--display-names", "LOCALE=FILE", repeats: true,
        help: "the classes' names in a language, as en=FILE; with --labels"),
      OptionSpecification(
        "--mean", "X[,Y,Z]", help: "what pixels are reduced by, of 0 to 255: for all or R,G,B"),
      OptionSpecification("--std", "X[,Y,Z]", help: "and what they are divided by then"),
      OptionSpecification(
        "--threshold", "X", help: "the score below which a result is not shown, 0 to 1"),
      OptionSpecification("--name", "TEXT", help: "the model's name"),
      OptionSpecification("--description", "TEXT", help: "what the model does"),
      OptionSpecification("--model-version", "TEXT", help: "the model's version"),
      OptionSpecification("--author", "TEXT", help: "who made the model"),
      OptionSpecification("--license", "TEXT", help: "the terms of the model's use"),
    ])

  private let path: String
  private let output: String
  private let labels: String?
  private let displayNames: [(locale: String, path: String)]
  private let annotation: ModelAnnotation

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? ""
    guard let output = arguments["--output"] else {
      throw .invalidValue(option: "--output", value: "", expected: "a file's path")
    }
    self.output = output
    labels = arguments["--labels"]
    var displayNames: [(locale: String, path: String)] = []
    for text in arguments.all("--display-names") {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, labels != nil else {
        throw .invalidValue(
          option: "--display-names", value: text, expected: "LOCALE=FILE, and --labels beside it")
      }
      displayNames.append((parts[0], parts[1]))
    }
    self.displayNames = displayNames
    var annotation = ModelAnnotation()
    if let (means, deviations) = try arguments.normalization() {
      do throws(MetadataError) {
        annotation.normalization = try Normalization(
          means: means, standardDeviations: deviations)
      } catch {
        throw .invalidValue(
          option: "--std", value: arguments["--std"] ?? "", expected: "numbers other than zero")
      }
    }
    annotation.scoreThreshold = try arguments.number("--threshold", in: 0...1)
    annotation.name = arguments["--name"]
    annotation.description = arguments["--description"]
    annotation.version = arguments["--model-version"]
    annotation.author = arguments["--author"]
    annotation.license = arguments["--license"]
    self.annotation = annotation
  }

  func run() -> Int32 {
    var place = path
    do {
      let bytes = try Files.read(path)
      let model = try Model(bytes: bytes)
      var annotation = annotation
      place = labels ?? path
      annotation.labels = try labels.map { TensorLabels.lines(of: try Files.read($0)) }
      for (locale, file) in displayNames {
        place = file
        annotation.displayNames.append(
          .init(locale: locale, names: TensorLabels.lines(of: try Files.read(file))))
      }
      place = path
      let annotated = try model.annotated(with: annotation)
      // What can't be read back is not written.
      _ = try Model(bytes: annotated).readMetadata()
      place = output
      try Files.write(annotated, to: output)
      report(annotated, files: try Model(bytes: annotated).readMetadata()?.fileNames ?? [])
    } catch {
      Streams.failure(place, error)
      return 1
    }
    return 0
  }

  /// Tells what was written, and whether it can be used.
  private func report(_ bytes: [UInt8], files: [String]) {
    let words = files.isEmpty ? "" : ", with \(files.joined(separator: ", "))"
    Streams.out("\(output): \(bytes.count) bytes\(words)")
    do throws(VisionError) {
      _ = try Classifier(ModelFile(bytes), lock: .none)
      Streams.err("\(output) is accepted as a classifier")
    } catch {
      Streams.err("\(output) is not accepted as a classifier: \(error)")
    }
  }
}
