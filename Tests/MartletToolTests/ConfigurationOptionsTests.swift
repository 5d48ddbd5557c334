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

  /// The file of `--config` and the printed configuration are read as the same options.
  @Test(arguments: [
    (["--max-objects", "7"], #"{"maxObjects":7}"#),
    (["--no-color-conversion"], #"{"colorConversion":false}"#),
    (["--region", "1,2.5,3,4"], #"{"region":[1,2.5,3,4]}"#),
    (["--max-memory", "64"], #"{"maxMemory":64}"#),
  ])
  func filesAreReadAsOptions(_ words: [String], _ json: String) throws {
    let configuration = try objects(words + ["--no-classify"])
    #expect(try objects([], file: json) == configuration)
    #expect(try objects([], file: "\(configuration.json)") == configuration)
    // Without a file objects are named by default.
    let named = try objects(words)
    #expect(named != configuration)
    #expect(try objects([], file: "\(named.json)") == named)
  }

  @Test func filesOfFacesAreReadAsOptions() throws {
    let configuration = try faces(["--mode", "fast", "--contours", "--landmarks"])
    #expect(try faces([], file: "\(configuration.json)") == configuration)
  }

  @Test func commandLineOverridesTheFile() throws {
    let file = #"{"maxObjects":7,"minScore":0.5}"#
    let configuration = try objects(["--multiple"], file: file)
    #expect(configuration.limit == 5 && configuration.minimumScore == 0.5)
  }

  @Test(arguments: [
    (#"{"maxobjects":1}"#, "did you mean maxObjects?"), (#"{"maxObjects":0}"#, "number from 1 on"),
    (#"{"stream":true}"#, "an option of martlet detect"), ("[]", "object"),
  ])
  func invalidFilesAreRefused(_ json: String, _ reason: String) {
    #expect { try objects([], file: json) } throws: { "\($0)".contains(reason) }
  }

  @Test func membersWithoutEffectAreRefused() {
    #expect(throws: UsageError.self) { try objects([], file: #"{"threshold":0.5}"#) }
  }
}
