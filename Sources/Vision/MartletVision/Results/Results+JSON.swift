//===--- Results+JSON.swift - objects, faces and labels as JSON -----------===//
//
// The form that the tool prints, that a page in a browser gets, and that `results.schema.json` describes.
//
// Contract  Pixels keep two decimal places. What was not asked for of an object or a face is absent.
//===----------------------------------------------------------------------===//

import MartletBase

extension ObjectLabel {
  /// The label as an object of JSON.
  package var json: JSON {
    .object([
      ("text", .string(text)), ("index", .integer(index)),
      ("confidence", .share(confidence)),
    ])
  }
}

extension DetectedObject {
  /// The object as an object of JSON; its category only from the coarse classifier.
  package var json: JSON {
    var members = JSON.found(frame, score, trackingID)
    if let category { members.append(("category", .string(category.name))) }
    return .object(members + JSON.labels(labels, fineLabels))
  }
}

extension FaceResult {
  /// The face as an object of JSON.
  package var json: JSON {
    let probabilities = [
      ("smilingProbability", smile), ("leftEyeOpenProbability", leftEyeOpen),
      ("rightEyeOpenProbability", rightEyeOpen),
    ]
    let turns = [("eulerX", angles?.x), ("eulerY", angles?.y), ("eulerZ", angles?.z)]
    let places = landmarks.map { ($0.type.rawValue, JSON.pixels([$0.place.x, $0.place.y])) }
    let lines = contours.map { type, points in
      (type.rawValue, JSON.array(points.map { JSON.pixels([$0.x, $0.y]) }))
    }
    let points = mesh.map { JSON.pixels([$0.x, $0.y, $0.z]) }
    var members = JSON.found(face.frame, face.score, trackingID)
    members += turns.compactMap { name, value in value.map { (name, .pixels($0)) } }
    members += probabilities.compactMap { name, value in value.map { (name, .share($0)) } }
    if !places.isEmpty { members.append(("landmarks", .object(places))) }
    if !lines.isEmpty { members.append(("contours", .object(lines))) }
    if !points.isEmpty { members.append(("mesh", .array(points))) }
    return .object(members)
  }
}

extension JSON {
  /// Pixels, or degrees, to two decimal places.
  fileprivate static func pixels(_ value: Float) -> JSON { .number(Double(value), places: 2) }

  fileprivate static func pixels(_ values: [Float]) -> JSON { .array(values.map { pixels($0) }) }

  /// A number of 0...1, to four decimal places.
  fileprivate static func share(_ value: Float) -> JSON { .number(Double(value), places: 4) }

  /// The members with the labels of an object or an image.
  fileprivate static func labels(
    _ labels: [ObjectLabel], _ fineLabels: [ObjectLabel]?
  ) -> [(String, JSON)] {
    var members: [(String, JSON)] = [("labels", .array(labels.map { $0.json }))]
    if let fineLabels { members.append(("fineLabels", .array(fineLabels.map { $0.json }))) }
    return members
  }

  /// The members that objects and faces share.
  fileprivate static func found(
    _ frame: Box, _ score: Float, _ trackingID: Int?
  ) -> [(String, JSON)] {
    [
      (
        "frame",
        .object([
          ("x", pixels(frame.x)), ("y", pixels(frame.y)), ("width", pixels(frame.width)),
          ("height", pixels(frame.height)),
        ])
      ),
      ("score", share(score)), ("trackingID", trackingID.map { .integer($0) } ?? .null),
    ]
  }
}

extension JSON {
  /// The line of an image, or of a frame of a video, and the objects in it.
  package static func line(
    of name: String, frame: Int? = nil, _ size: ImageSize, _ objects: [DetectedObject]
  ) -> JSON {
    .object(head(name, frame, size) + [("objects", .array(objects.map { $0.json }))])
  }

  /// The line of an image, or of a frame of a video, and the faces in it.
  package static func line(
    of name: String, frame: Int? = nil, _ size: ImageSize, _ faces: [FaceResult]
  ) -> JSON {
    .object(head(name, frame, size) + [("faces", .array(faces.map { $0.json }))])
  }

  /// The line of an image that is named as a whole.
  package static func line(
    of name: String, _ size: ImageSize, _ classification: Classification
  ) -> JSON {
    .object(
      head(name, nil, size) + labels(classification.labels, classification.fineLabels))
  }

  /// The line of an image that could not be looked at, with the reason in words.
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
