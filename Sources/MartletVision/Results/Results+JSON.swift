//===--- Results+JSON.swift - objects and labels as JSON ------------------===//
//
// The form that the tool prints, that a page in a browser gets, and that `results.schema.json` describes.
//
// Checked   Tests/MartletToolTests/ResultSchemaTests.swift
//===----------------------------------------------------------------------===//

import MartletJSON

extension ObjectLabel {
  /// The label as an object of JSON.
  package var json: JSON {
    .object([
      ("text", .string(text)), ("index", .integer(index)),
      ("confidence", .number(Double(confidence), places: 4)),
    ])
  }
}

extension DetectedObject {
  /// The object as an object of JSON; its category only from the coarse classifier.
  package var json: JSON {
    func pixels(_ value: Float) -> JSON { .number(Double(value), places: 2) }
    var members: [(String, JSON)] = [
      (
        "frame",
        .object([
          ("x", pixels(frame.x)), ("y", pixels(frame.y)), ("width", pixels(frame.width)),
          ("height", pixels(frame.height)),
        ])
      ),
      ("score", .number(Double(score), places: 4)),
      ("trackingID", trackingID.map { .integer($0) } ?? .null),
    ]
    if let category { members.append(("category", .string(category.name))) }
    members.append(("labels", .array(labels.map { $0.json })))
    return .object(members)
  }
}

extension JSON {
  /// The line of a picture, or of a frame of a film, and what was found in it.
  package static func line(
    of name: String, frame: Int? = nil, _ size: ImageSize, _ objects: [DetectedObject]
  ) -> JSON {
    .object(head(name, frame, size) + [("objects", .array(objects.map { $0.json }))])
  }

  /// The line of a picture that is named as a whole.
  package static func line(of name: String, _ size: ImageSize, _ labels: [ObjectLabel]) -> JSON {
    .object(head(name, nil, size) + [("labels", .array(labels.map { $0.json }))])
  }

  /// The line of a picture that could not be looked at, with the reason in words.
  package static func failure(of name: String, frame: Int? = nil, _ reason: String) -> JSON {
    .object(head(name, frame, nil) + [("error", .string(reason))])
  }

  private static func head(_ name: String, _ frame: Int?, _ size: ImageSize?) -> [(String, JSON)] {
    var members: [(String, JSON)] = [("image", .string(name))]
    if let frame { members.append(("frame", .integer(frame))) }
    if let size {
      members += [("width", .integer(size.width)), ("height", .integer(size.height))]
    }
    return members
  }

  /// An object with further members.
  package static func + (json: JSON, members: [(String, JSON)]) -> JSON {
    guard case .object(let own) = json else { return json }
    return .object(own + members)
  }
}
