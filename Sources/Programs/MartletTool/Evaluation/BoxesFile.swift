//===--- BoxesFile.swift - boxes and annotations to compare ---------------===//
//
// Annotations are COCO JSON. Boxes are COCO JSON with scores, as `--format coco` writes, a list of
// results as pycocotools reads, or the lines of `--format json`.
//
// Contract  Images are matched by name, of which the last component is enough if it is unique, and
//           classes by name; those of a list by their identifiers. What the annotations do not have is
//           counted and does not take part. Errors name the member or the line.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// Why boxes cannot be compared.
enum BoxesFileError: Error, Equatable {
  case line(Int, JSONError)
  /// The class or image of an annotation is not listed.
  case unknownIdentifier(Int, path: String)
  /// No image has annotations.
  case noCommonImage(found: String?, expected: String?)
}

extension BoxesFileError: CustomStringConvertible {
  var description: String {
    switch self {
    case .line(let number, let error): "line \(number): \(error)"
    case .unknownIdentifier(let id, let path): "\(path): \(id) is not listed in the file"
    case .noCommonImage(let found, let expected):
      "expected an image of the annotations, such as \(expected ?? "none"), found \(found ?? "none")"
    }
  }
}

/// Annotations, and boxes for the same images and classes.
struct BoxesFile {
  /// The names of the images, and of the classes, by identifier.
  let images: [String]
  let classes: [String]
  /// The boxes by class, each by image.
  private var contents: [[Int: ImageBoxes]]
  /// The boxes by class, each in the order of the images that have some.
  var boxes: [[ImageBoxes]] {
    contents.map { images in images.sorted { $0.key < $1.key }.map(\.value) }
  }
  /// The number of boxes of images, and of classes, that the annotations do not have, by name.
  private(set) var unknownImages: [String: Int] = [:]
  private(set) var unknownClasses: [String: Int] = [:]
  /// The images that the file of boxes mentions.
  private var seen: Set<Int> = []

  private let ignoresClasses: Bool
  /// The indices by identifier and by name; -1 for a last component that several images have.
  private let imagesByID: [Int: Int]
  private let imagesByName: [String: Int]
  private let imagesByLastName: [FilePath: Int]
  private let classesByID: [Int: Int]
  private let classesByName: [String: Int]

  /// The images of the annotations that the file of boxes does not mention.
  var missingImageCount: Int { images.count - seen.count }

  /// Reads annotations. If `ignoresClasses`, all boxes are of one class.
  init(annotations json: JSON, ignoresClasses: Bool = false) throws {
    let reader = JSONReader(json)
    let listed = try BoxesFile.names(reader, "images", "file_name")
    let categories = try BoxesFile.names(reader, "categories", "name")
    self.ignoresClasses = ignoresClasses
    images = listed.map(\.name)
    classes = ignoresClasses ? ["any"] : categories.map(\.name)
    imagesByID = Dictionary(zip(listed.map(\.id), 0...)) { first, _ in first }
    imagesByName = Dictionary(zip(images, 0...)) { first, _ in first }
    imagesByLastName = Dictionary(zip(images.map { FilePath($0).name }, 0...)) { _, _ in -1 }
    classesByID = Dictionary(
      categories.enumerated().map { ($1.id, ignoresClasses ? 0 : $0) }
    ) { first, _ in first }
    classesByName = Dictionary(zip(classes, 0...)) { first, _ in first }
    contents = [[Int: ImageBoxes]](repeating: [:], count: classes.count)
    for annotation in try reader.list("annotations") {
      let frame = try annotation.frame("bbox")
      let isCrowd: Int = try annotation.optional("iscrowd") ?? 0
      let area: Double = try annotation.optional("area") ?? frame[2] * frame[3]
      let image = try BoxesFile.index(annotation, "image_id", imagesByID)
      let category = try BoxesFile.index(annotation, "category_id", classesByID)
      contents[category][image, default: ImageBoxes()].truth.append(
        TrueBox(frame: frame, area: area, isCrowd: isCrowd != 0))
    }
  }

  /// Adds the boxes in a file.
  mutating func add(_ bytes: [UInt8]) throws {
    let json = try? JSON(parsing: bytes)
    if case .array? = json {
      try add(list: JSONReader(json ?? .null))
    } else if let reader = json.map({ JSONReader($0) }), try reader.has("annotations") {
      try add(dataset: reader)
    } else {
      try add(lines: bytes)
    }
    if seen.isEmpty {
      throw BoxesFileError.noCommonImage(found: unknownImages.keys.min(), expected: images.first)
    }
  }

  /// Adds the elements of a list of results.
  private mutating func add(list: JSONReader) throws(JSONError) {
    for element in try list.elements() {
      let id: Int = try element.value("image_id")
      let category: Int = try element.value("category_id")
      try add(element, (imagesByID[id], "\(id)"), (classesByID[category], "\(category)"))
    }
  }

  /// Adds the annotations of COCO JSON.
  private mutating func add(dataset: JSONReader) throws {
    let names = try BoxesFile.names(dataset, "images", "file_name")
    let images = Dictionary(names.map { ($0.id, $0.name) }) { first, _ in first }
    let categories = Dictionary(
      try BoxesFile.names(dataset, "categories", "name").map { ($0.id, $0.name) }
    ) { first, _ in first }
    for (_, name) in names { see(name) }
    for annotation in try dataset.list("annotations") {
      let image = try BoxesFile.index(annotation, "image_id", images)
      let category = try BoxesFile.index(annotation, "category_id", categories)
      try add(annotation, (index(ofImage: image), image), (index(ofClass: category), category))
    }
  }

  /// Adds the objects and faces in lines of results; the first may be the header of `--resume`.
  private mutating func add(lines bytes: [UInt8]) throws(BoxesFileError) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where !line.isEmpty {
      do throws(JSONError) {
        let reader = JSONReader(try JSON(parsing: Array(line)))
        if number == 0, try reader.has("format") { continue }
        let image: String = try reader.value("image")
        see(image)
        for object in try reader.optionalList("objects") {
          let name = try object.shownLabel?.name ?? DetectedObject.noun
          try add(object, (index(ofImage: image), image), (index(ofClass: name), name))
        }
        for face in try reader.optionalList("faces") {
          let name = FaceResult.noun
          try add(face, (index(ofImage: image), image), (index(ofClass: name), name))
        }
      } catch { throw .line(number + 1, error) }
    }
  }

  /// Adds a box of an image and a class, which have an index and a name.
  private mutating func add(
    _ box: JSONReader, _ image: (index: Int?, name: String), _ category: (index: Int?, name: String)
  ) throws(JSONError) {
    let frame = try box.has("bbox") ? box.frame("bbox") : box.pixels("frame")
    let found = FoundBox(frame: frame, score: try box.value("score"))
    guard let index = image.index else {
      unknownImages[image.name, default: 0] += 1
      return
    }
    seen.insert(index)
    guard let place = category.index else {
      unknownClasses[category.name, default: 0] += 1
      return
    }
    contents[place][index, default: ImageBoxes()].found.append(found)
  }

  private mutating func see(_ image: String) {
    if let index = index(ofImage: image) {
      seen.insert(index)
    } else {
      unknownImages[image, default: 0] += 0
    }
  }

  private func index(ofImage name: String) -> Int? {
    if let index = imagesByName[name] { return index }
    return imagesByLastName[FilePath(name).name].flatMap { $0 < 0 ? nil : $0 }
  }

  private func index(ofClass name: String) -> Int? { ignoresClasses ? 0 : classesByName[name] }

  /// The members `id` and `name` of a list's elements, sorted by `id`.
  private static func names(
    _ reader: JSONReader, _ list: String, _ name: String
  ) throws(JSONError) -> [(id: Int, name: String)] {
    var names: [(id: Int, name: String)] = []
    for entry in try reader.list(list) {
      names.append((try entry.value("id"), try entry.optional(name) ?? ""))
    }
    return names.sorted { $0.id < $1.id }
  }

  /// What an annotation's identifier means.
  private static func index<Value>(
    _ annotation: JSONReader, _ name: String, _ values: [Int: Value]
  ) throws -> Value {
    let id: Int = try annotation.value(name)
    guard let value = values[id] else {
      throw BoxesFileError.unknownIdentifier(id, path: "\(annotation.path).\(name)")
    }
    return value
  }
}

extension JSONReader {
  /// The elements of a member.
  fileprivate func list(_ name: String) throws(JSONError) -> [JSONReader] {
    guard case .object(let members) = json else { throw mismatch("object") }
    guard let member = members.first(where: { $0.0 == name }) else { throw .missing(path: name) }
    return try JSONReader(member.1, path: name).elements()
  }

  /// The elements of a member; none if it is missing.
  fileprivate func optionalList(_ name: String) throws(JSONError) -> [JSONReader] {
    try has(name) ? list(name) : []
  }

  /// A box of four numbers: the left and upper edge, the width and the height.
  fileprivate func frame(_ name: String) throws(JSONError) -> SIMD4<Double> {
    let numbers: [Double] = try value(name)
    guard numbers.count == 4, numbers[2] >= 0, numbers[3] >= 0 else {
      throw .mismatch(path: "\(path).\(name)", expected: "[x, y, width, height]")
    }
    return SIMD4(numbers)
  }

  /// A box of the tool's JSON.
  fileprivate func pixels(_ name: String) throws(JSONError) -> SIMD4<Double> {
    let box: Members = try value(name)
    let numbers: [Double] = try [
      box.reader.value("x"), box.reader.value("y"), box.reader.value("width"),
      box.reader.value("height"),
    ]
    return SIMD4(numbers)
  }

  /// The label of an object that a drawing shows.
  fileprivate var shownLabel: ObjectLabel? {
    get throws(JSONError) {
      var lists: [[ObjectLabel]] = []
      for name in ["labels", "fineLabels"] {
        var labels: [ObjectLabel] = []
        for label in try optionalList(name) {
          labels.append(
            ObjectLabel(
              text: try label.value("text"), index: try label.value("index"),
              confidence: try label.value("confidence")))
        }
        lists.append(labels)
      }
      return ObjectLabel.shown(lists[0], lists[1])
    }
  }
}

/// An object of JSON, unread.
private struct Members: JSONReadable {
  let reader: JSONReader
  init(_ reader: JSONReader) { self.reader = reader }
}
