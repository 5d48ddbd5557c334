//===--- ConfigurationOptions.swift - options as a configuration ----------===//
//
// The options of detectors are the members of `ObjectConfiguration` and `FaceConfiguration`:
// `--max-objects 5` is `{"maxObjects":5}`. A file of `--config` gives options that the command line
// does not have.
//
// Contract  A member of the file is an error if the command has no such option, as is an unknown one.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// The options that read and print configurations.
enum ConfigurationOptions {
  static let options = [
    OptionSpecification(
      Arguments.configurationFile, "FILE.json", isInput: true,
      help: "Read options from a JSON object; options given here override it"),
    OptionSpecification(
      Arguments.configurationPrint,
      help: "Print the options as such an object, and exit"),
  ]

  /// The options whose members are false.
  static let negations = [
    ("smoothing", "--no-smoothing"), ("colorConversion", "--no-color-conversion"),
  ]
  /// The options that replace each other.
  private static let groups: [Set<String>] = [
    ["multiple", "maxObjects"], ["allowLabels", "denyLabels"], ["contours", "allContours"],
  ]

  /// The options in the file at `path` that `given` does not override.
  static func read(
    _ path: FilePath, for command: CommandSpecification, given: Arguments
  ) throws(UsageError) -> [(option: String, values: [String])] {
    do {
      let reader = JSONReader(try JSON(parsing: try Files.read(path, limit: 1 << 20)))
      if command.name == FacesCommand.specification.name {
        _ = try FaceConfiguration(reader)
      } else {
        _ = try DetectorConfiguration(reader)
      }
      guard case .object(let members) = reader.json else { return [] }
      return try members.compactMap { name, value in
        let group = groups.first { $0.contains(name) } ?? [name]
        let option = negations.first { $0.0 == name }?.1 ?? ClassifierOptions.flag(name)
        guard let values = values(of: value, isNegated: option.hasPrefix("--no-")),
          !implied(name, in: command)
        else { return nil }
        guard command.options.contains(where: { $0.name == option }) else {
          throw JSONError.mismatch(path: name, expected: "an option of martlet \(command.name)")
        }
        return group.contains { given.has(ClassifierOptions.flag($0)) } || given.has(option)
          ? nil : (option, values)
      }
    } catch {
      throw .invalidFile(
        option: Arguments.configurationFile, path: "\(path)", reason: "\(error)")
    }
  }

  /// Prints the configuration that the options make, and returns the exit status.
  static func print(_ arguments: Arguments) throws(UsageError) -> Int32 {
    let name = arguments.command.name
    let isTracking = name == TrackCommand.specification.name
    if name == FacesCommand.specification.name || arguments.has("--faces") {
      let faces = try FaceOptions(arguments, isTracking: isTracking).configuration
      Streams.out("\(DetectorConfiguration.faces(faces).json)")
      return 0
    }
    let objects = try ObjectOptions(
      arguments, classifies: name == ClassifyCommand.specification.name, isStream: isTracking)
    do throws(FailedFile) {
      Streams.out("\(DetectorConfiguration.objects(try objects.named()).json)")
      return 0
    } catch {
      Streams.failure(error)
      return 1
    }
  }

  /// Whether a command has this option in any case.
  private static func implied(_ name: String, in command: CommandSpecification) -> Bool {
    [("faces", "faces"), ("track", "stream"), ("classify", "classify")].contains {
      $0 == (command.name, name)
    }
  }

  /// The values of an option; `nil` if it is absent, and none for a flag.
  private static func values(of json: JSON, isNegated: Bool) -> [String]? {
    switch json {
    case .null: nil
    case .bool(let value): value != isNegated ? [] : nil
    case .string(let text): [text]
    case .array(let elements):
      if elements.contains(where: { if case .string = $0 { false } else { true } }) {
        [elements.map { "\($0)" }.joined(separator: ",")]
      } else {
        elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
      }
    default: ["\(json)"]
    }
  }
}

extension JSONConfiguration {
  /// The configuration of these options and `implied` members.
  init(_ arguments: Arguments, implied: [(String, JSON)] = []) throws(UsageError) {
    let normalization = try arguments.normalization()
    var members = implied
    for member in Self.members {
      let option = ClassifierOptions.flag(member.name)
      if let negation = ConfigurationOptions.negations.first(where: { $0.0 == member.name }) {
        if arguments.has(negation.1) { members.append((member.name, .bool(false))) }
      } else if arguments.has(option), !implied.contains(where: { $0.0 == member.name }),
        let value = try arguments.json(option, member.kind, normalization)
      {
        members.append((member.name, value))
      }
    }
    do throws(JSONError) { try self.init(JSONReader(.object(members))) } catch {
      guard case .mismatch(let path, let expected) = error else {
        throw .invalidValue(option: "options", value: "", expected: error.description)
      }
      let option = ClassifierOptions.flag(path)
      throw .invalidValue(
        option: option, value: arguments[option] ?? "",
        expected: path == "std" ? "numbers other than zero" : expected)
    }
  }
}

extension Arguments {
  /// The JSON of an option's value; `nil` for the names of classes in a file, which are read later.
  fileprivate func json(
    _ option: String, _ kind: MemberKind,
    _ normalization: (means: [Float], deviations: [Float])?
  ) throws(UsageError) -> JSON? {
    switch kind {
    case .flag: return .bool(true)
    case .count(let least):
      return try integer(option, in: least...Int.max).map { .literal("\($0)") }
    case .mebibytes:
      return try integer(option, in: DecodingConfiguration.memoryRange).map { .literal("\($0)") }
    case .share: return try number(option, in: 0...Float(1)).map { .literal("\($0)") }
    case .seconds:
      return try number(option, in: DecodingConfiguration.timeoutRange).map { .literal("\($0)") }
    case .words:
      if isList(option) { return .array(all(option).map { .string($0) }) }
      guard option != "--labels", let text = self[option] else { return nil }
      return .array(text.split(separator: ",").map { .string(String($0)) })
    case .numbers:
      guard let text = self[option] else { return nil }
      if option == "--region" {
        let box = try Box(option, text)
        return .array([box.x, box.y, box.width, box.height].map { .literal("\($0)") })
      }
      if option == "--anchors" {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Float($0) }
        // An empty list is refused.
        return .array(
          numbers.contains(nil) ? [] : numbers.compactMap { $0.map { .literal("\($0)") } })
      }
      let numbers = option == "--mean" ? normalization?.means : normalization?.deviations
      return numbers.map { .array($0.map { .literal("\($0)") }) }
    case .choice(let words):
      guard let text = self[option] else { return nil }
      guard words.contains(text) else {
        throw .invalidValue(
          option: option, value: text, expected: words.joined(separator: " or "))
      }
      return .string(text)
    }
  }
}
