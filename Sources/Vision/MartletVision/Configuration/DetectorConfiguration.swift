//===--- DetectorConfiguration.swift - of objects or faces ----------------===//

import MartletBase

/// The configuration of a detector.
package enum DetectorConfiguration: Sendable, Hashable {
  case objects(ObjectConfiguration)
  case faces(FaceConfiguration)

  /// Reads the configuration of faces if the member `faces` is true, else of objects.
  package init(_ reader: JSONReader) throws(JSONError) {
    let isFaces: Bool = try reader.optional("faces") ?? false
    self =
      isFaces ? .faces(try FaceConfiguration(reader)) : .objects(try ObjectConfiguration(reader))
  }

  /// How files are decoded, and the fewest pixels of a side of them.
  package var decoding: (DecodingConfiguration, minimumSide: Int?) {
    switch self {
    case .objects(let configuration): (configuration.decoding, configuration.minimumSide)
    case .faces(let configuration): (configuration.decoding, configuration.minimumSide)
    }
  }

  /// The JSON object that is read as this configuration.
  package var json: JSON {
    switch self {
    case .objects(let configuration): configuration.json
    case .faces(let configuration): .object([("faces", .bool(true))]) + configuration.json.members
    }
  }
}

extension JSON {
  fileprivate var members: [(String, JSON)] {
    if case .object(let members) = self { members } else { [] }
  }
}

extension UselessOption {
  /// The first option in the JSON of a configuration that has no effect. A Boolean with its default
  /// value counts as absent. `models` are the names of the models that replace built-in ones:
  /// `classifier` and `detector`.
  package init?(of configuration: DetectorConfiguration, _ reader: JSONReader, models: [String]) {
    guard case .object(let members) = reader.json else { return nil }
    let given =
      members.filter { member in
        switch member.1 {
        case .null: false
        case .bool(let value): value != (member.0 == "smoothing")
        default: true
        }
      }.map { $0.0 } + models
    func isGiven(_ name: String) -> Bool { given.contains(name) }
    switch configuration {
    case .objects:
      self.init(
        OptionRule.classification + OptionRule.detectors + [.allBoxes] + OptionRule.streams,
        isGiven: isGiven)
    case .faces(let faces):
      if let model = models.first {
        self = .excludes(option: model, other: "faces")
      } else if faces.isOneFace,
        let option = OptionRule.withoutEffectOnOneFace.first(where: isGiven)
      {
        self = .excludes(
          option: option, other: "contours and mode fast unless landmarks or classify is given")
      } else {
        self.init(OptionRule.streams, isGiven: isGiven)
      }
    }
  }
}
