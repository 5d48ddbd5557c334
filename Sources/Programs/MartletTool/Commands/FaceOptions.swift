//===--- FaceOptions.swift - options for face detection -------------------===//
//
// The options of `faces` and `track --faces`.
//
// Contract  ML Kit's rules decide which faces have which parts. Parts that are not requested are
//           not computed.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// The parts of faces to detect, and the networks for them.
struct FaceOptions {
  static let classification = OptionSpecification(
    "--classify", help: "Classify smiling and open eyes")

  /// The options of `faces`.
  static let options =
    [
      classification,
      OptionSpecification("--min-score", "X", help: "Lowest score to report, 0–1 (default: 0.4)"),
    ] + ownOptions

  /// The options that only faces have.
  static let ownOptions = [
    OptionSpecification(
      "--mode", "fast|accurate", help: "Prefer speed or accuracy (default: accurate)"),
    OptionSpecification("--landmarks", help: "Detect eyes, ears, cheeks, nose and mouth"),
    OptionSpecification("--contours", help: "Detect the contours of the most prominent face"),
    OptionSpecification("--all-contours", help: "Detect the contours of all faces"),
    OptionSpecification("--mesh", help: "Detect a mesh of 468 points per face"),
    OptionSpecification(
      "--min-face-size", "X",
      help: "Smallest width of a face as a share of the image's, 0–1 (default: 0)"),
    OptionSpecification("--max-faces", "N", help: "Detect up to N faces (default: all)"),
  ]

  var configuration: FaceConfiguration

  init(_ arguments: Arguments, isTracking: Bool = false) throws(UsageError) {
    configuration = try FaceConfiguration(
      arguments, implied: isTracking ? [("stream", .bool(true))] : [])
    guard configuration.isOneFace else { return }
    for option in OptionRule.withoutEffectOnOneFace.map(ClassifierOptions.flag)
    where arguments.has(option) {
      throw .excludes(
        option: option,
        other: "--contours and --mode fast unless --landmarks or --classify is given")
    }
  }

  /// A finder for the selected parts of faces.
  func finder(_ execution: Interpreter.Options) throws(FailedFile) -> FaceFinder {
    try FailedFile.naming("the shipped networks of faces") {
      try FaceFinder(configuration, execution: execution, lock: .none)
    }
  }

  /// A stream of the selected parts of faces.
  func stream(_ execution: Interpreter.Options) throws(FailedFile) -> FaceStream {
    FaceStream(try finder(execution))
  }
}
