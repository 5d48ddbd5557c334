//===--- AnnotateModelCommand.swift - martlet annotate-model --------------===//
//
// Writes metadata that converters leave out into a model file.
//
// Contract  The graph is unchanged, byte for byte. The file is written if its metadata can be read
//           back, and it is accepted as a classifier or detector.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletVision

struct AnnotateModelCommand: Command {
  static let specification = CommandSpecification(
    name: "annotate-model",
    summary: "Writes labels, normalization and threshold into a model.",
    operands: "MODEL.tflite", operandCount: 1...1,
    options: [
      OptionSpecification("--output", "FILE.tflite", help: "Model file to write (required)"),
      OptionSpecification(
        "--labels", "FILE", isInput: true, help: "File with the names of the classes, one a line"),
      OptionSpecification(
        "--display-names", "LOCALE=FILE", repeats: true,
        help: "Names of the classes in a language, for example en=FILE"),
      OptionSpecification("--mean", "X[,Y,Z]", help: "Mean to subtract from each channel, 0–255"),
      OptionSpecification("--std", "X[,Y,Z]", help: "Standard deviation to divide each channel by"),
      OptionSpecification("--threshold", "X", help: "Lowest score of a reported class, 0–1"),
      OptionSpecification("--name", "TEXT", help: "Name of the model"),
      OptionSpecification("--description", "TEXT", help: "Description of the model"),
      OptionSpecification("--model-version", "TEXT", help: "Version of the model"),
      OptionSpecification("--author", "TEXT", help: "Author of the model"),
      OptionSpecification("--license", "TEXT", help: "License of the model"),
      TimeoutOption.ofModels,
    ])

  private let path: FilePath
  private let output: FilePath
  private let outputs: Outputs
  private let labels: FilePath?
  private let displayNames: [(locale: String, path: FilePath)]
  private let annotation: ModelAnnotation
  private let options: Interpreter.Options

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? ""
    output = try arguments.required("--output")
    outputs = Outputs(arguments)
    options = try arguments.interpreterOptions()
    labels = arguments.path("--labels")
    var displayNames: [(locale: String, path: FilePath)] = []
    for text in arguments.paths("--display-names") {
      let parts = text.bytes.split(separator: UInt8(ascii: "="), maxSplits: 1)
        .map { FilePath(bytes: $0) }
      guard parts.count == 2 else {
        throw .invalidValue(option: "--display-names", value: "\(text)", expected: "LOCALE=FILE")
      }
      displayNames.append(("\(parts[0])", parts[1]))
      outputs.spare(parts[1])
    }
    self.displayNames = displayNames
    var annotation = ModelAnnotation()
    if let (means, deviations) = try arguments.normalization() {
      do throws(MetadataError) {
        annotation.normalization = try Normalization(
          means: means, standardDeviations: deviations)
      } catch {
        throw .invalidValue(
          option: "--std", value: arguments["--std"] ?? "", expected: "nonzero numbers")
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
    do throws(FailedFile) {
      let bytes = try annotated()
      let (kind, files) = try FailedFile.naming(path) {
        (try accepted(bytes), try Model(bytes: bytes).readMetadata()?.fileNames ?? [])
      }
      try FailedFile.naming(output) { try outputs.write(bytes, to: output) }
      let words = files.isEmpty ? "" : ", with \(files.joined(separator: ", "))"
      if !Outputs.isStandardOutput(output) {
        Streams.show("\(output): \(bytes.count) bytes\(words)")
      }
      Streams.err("\(output): valid \(kind)")
      return 0
    } catch {
      Streams.failure(error)
      return 1
    }
  }

  /// Returns the contents of the annotated model file.
  private func annotated() throws(FailedFile) -> [UInt8] {
    var annotation = annotation
    annotation.labels = try labels.map { path throws(FailedFile) in try Files.labels(path) }
    for (locale, file) in displayNames {
      annotation.displayNames.append(.init(locale: locale, names: try Files.labels(file)))
    }
    return try FailedFile.naming(path) {
      let annotated = try Model(try Files.model(path)).annotated(with: annotation)
      // Fails before writing if the metadata cannot be read back.
      _ = try Model(bytes: annotated).readMetadata()
      return annotated
    }
  }

  /// Returns what the model is accepted as.
  private func accepted(_ bytes: [UInt8]) throws(VisionError) -> String {
    do throws(VisionError) {
      _ = try Classifier(ModelFile(bytes), options: options, lock: .none)
      return "classifier"
    } catch .unsuitable(.classifier) {
      _ = try ObjectFinder(
        .init(detector: ModelFile(bytes)), execution: options, lock: .none)
      return "detector"
    }
  }
}
