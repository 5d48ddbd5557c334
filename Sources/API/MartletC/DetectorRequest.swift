//===--- DetectorRequest.swift - options for objects or faces -----------------===//
//
// Checked   Tests/MartletCTests/DetectionRequestTests.swift,
//           Tests/MartletCTests/FaceRequestTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
internal import MartletVision

/// The options of a detector.
package enum DetectorRequest: Sendable, Equatable {
  case objects(DetectionRequest)
  case faces(FaceRequest)

  /// Decodes the options of faces if the member `faces` is true, else of objects.
  package init(_ reader: JSONReader) throws(JSONError) {
    let isFaces: Bool = try reader.optional("faces") ?? false
    self = isFaces ? .faces(try FaceRequest(reader)) : .objects(try DetectionRequest(reader))
  }
}

extension UselessOption {
  /// The first of these valid options of a detector that has no effect, by the rules of the tool. A
  /// Boolean with its default value counts as absent. `models` are the names of the models that replace built-in ones:
  /// `classifier` and `detector`.
  init?(of request: DetectorRequest, _ reader: JSONReader, models: [String]) {
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
    switch request {
    case .objects:
      self.init(OptionRule.classification + [.allBoxes] + OptionRule.streams, isGiven: isGiven)
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

/// How the files of images are decoded, and how long an image may take.
package struct FileDecoding: Sendable, Equatable {
  /// Whether all pixels of large images are decoded.
  package var isFullResolution = false
  /// Whether colors are converted to sRGB.
  package var convertsColors = true
  /// The most seconds for decoding an image and running networks on it; `nil` without a limit.
  package var timeout: Double?

  /// The names of the options.
  static let members: Set = ["fullResolution", "colorConversion", "timeout"]

  /// The default options.
  init() {}

  /// Decodes the options from a JSON object, which may have others.
  init(_ reader: JSONReader) throws(JSONError) {
    isFullResolution = try reader.optional("fullResolution") ?? false
    convertsColors = try reader.optional("colorConversion") ?? true
    timeout = try reader.optional("timeout")
    guard let timeout else { return }
    guard ImageDeadline.hasClock else {
      throw .mismatch(path: "timeout", expected: "option of martlet.js, the module has no clock")
    }
    guard (0.001...1_000_000).contains(timeout) else {
      throw .mismatch(path: "timeout", expected: "number of seconds from 0.001 to 1000000")
    }
  }
}

extension JSONReader {
  /// Throws if the object has a member that is not in `known`.
  func refuseOthers(than known: Set<String>) throws(JSONError) {
    guard case .object(let members) = json else { throw mismatch("object") }
    for (name, _) in members where !known.contains(name) {
      throw .mismatch(path: name, expected: "option of a detector")
    }
  }

  /// The member `name` as a count; `nil` if absent.
  func count(_ name: String) throws(JSONError) -> Int? {
    let value: Int? = try optional(name)
    if let value, value < 1 { throw .mismatch(path: name, expected: "number from 1 on") }
    return value
  }

  /// The member `name` as a number in 0...1; `nil` if absent.
  func share(_ name: String) throws(JSONError) -> Float? {
    let value: Float? = try optional(name)
    if let value, !(0...1).contains(value) {
      throw .mismatch(path: name, expected: "number of 0...1")
    }
    return value
  }
}
