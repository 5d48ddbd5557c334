import Foundation
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

/// Each member, given as an option and in a file of `--config`, is the same configuration.
@Suite struct ConfigurationOptionsTests {
  /// The arguments of a command with a file of this JSON, if any.
  private func arguments(
    _ words: [String], file json: String?, for command: CommandSpecification
  ) throws -> Arguments {
    let path = FileManager.default.temporaryDirectory.appending(
      path: "\(UUID().uuidString).json"
    ).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    if let json { try Data(json.utf8).write(to: URL(filePath: path)) }
    return try Arguments(
      words: (["a.jpg"] + words + (json == nil ? [] : ["--config", path])).map { FilePath($0) },
      for: command
    ) { (path, given) throws(UsageError) in
      try ConfigurationOptions.read(path, for: command, given: given)
    }
  }

  private func objects(_ words: [String], file json: String? = nil) throws -> ObjectConfiguration {
    try ObjectOptions(arguments(words, file: json, for: DetectCommand.specification)).configuration
  }

  private func faces(_ words: [String], file json: String? = nil) throws -> FaceConfiguration {
    try FaceOptions(arguments(words, file: json, for: FacesCommand.specification)).configuration
  }

  @Test(arguments: [
    (["--max-objects", "7"], #"{"maxObjects":7}"#), (["--multiple"], #"{"multiple":true}"#),
    (["--min-score", "0.25"], #"{"minScore":0.25}"#), (["--classify"], #"{"classify":true}"#),
    (["--multiple", "--all-boxes"], #"{"multiple":true,"allBoxes":true}"#),
    (["--region", "1,2.5,3,4"], #"{"region":[1,2.5,3,4]}"#),
    (["--fine-labels"], #"{"fineLabels":true}"#),
    (["--classify", "--threshold", "0.3"], #"{"classify":true,"threshold":0.3}"#),
    (["--full-resolution"], #"{"fullResolution":true}"#),
    (["--no-color-conversion"], #"{"colorConversion":false}"#),
    (["--timeout", "2.5"], #"{"timeout":2.5}"#),
  ])
  func objectOptionsAreMembers(_ words: [String], _ json: String) throws {
    let configuration = try objects(words)
    #expect(configuration != ObjectConfiguration())
    #expect(try objects([], file: json) == configuration)
    #expect(try objects([], file: "\(configuration.json)") == configuration)
  }

  @Test(arguments: [
    (["--mode", "fast"], #"{"mode":"fast"}"#), (["--landmarks"], #"{"landmarks":true}"#),
    (["--contours"], #"{"contours":true}"#), (["--all-contours"], #"{"allContours":true}"#),
    (["--classify"], #"{"classify":true}"#), (["--mesh"], #"{"mesh":true}"#),
    (["--min-face-size", "0.25"], #"{"minFaceSize":0.25}"#),
    (["--min-score", "0.75"], #"{"minScore":0.75}"#), (["--max-faces", "3"], #"{"maxFaces":3}"#),
  ])
  func faceOptionsAreMembers(_ words: [String], _ json: String) throws {
    let configuration = try faces(words)
    #expect(configuration != FaceConfiguration())
    #expect(try faces([], file: json) == configuration)
    #expect(try faces([], file: "\(configuration.json)") == configuration)
  }

  @Test func commandLineOverridesTheFile() throws {
    let file = #"{"maxObjects":7,"minScore":0.5}"#
    let configuration = try objects(["--multiple"], file: file)
    #expect(configuration.limit == 5 && configuration.minimumScore == 0.5)
  }

  @Test(arguments: [
    (#"{"maxobjects":1}"#, "is maxObjects meant?"), (#"{"maxObjects":0}"#, "number from 1 on"),
    (#"{"stream":true}"#, "an option of martlet detect"), ("[]", "object"),
  ])
  func invalidFilesAreRefused(_ json: String, _ reason: String) {
    #expect { try objects([], file: json) } throws: { "\($0)".contains(reason) }
  }

  @Test func membersWithoutEffectAreRefused() {
    #expect(throws: UsageError.self) { try objects([], file: #"{"threshold":0.5}"#) }
  }
}
