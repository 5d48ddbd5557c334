//===--- Annotations.swift - boxes as annotations for training ------------===//
//
// COCO JSON is one file: images, annotations with scores, categories. YOLO is a folder: a text file for
// each image, with a class and a box in shares of the image's sides in each line, `classes.txt`, and
// `data.yaml`, which expects the images in the folder `images` beside `labels`.
//
// Contract  Identifiers count from 1, in the order of the images; those of categories are one more
//           than the indices of the classes. Classes that the networks do not name come after the
//           others, in the order of their boxes. Memory grows with the number of images, not of boxes.
// Source    cocodataset.org/#format-data; docs.ultralytics.com/datasets/detect
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// A box with its class.
struct ExportedBox {
  let name: String
  let frame: Box
  let score: Float

  init(_ finding: some Finding) {
    (name, frame, score) = (finding.className, finding.frame, finding.score)
  }
}

/// The classes of annotations by index.
struct ClassList {
  private(set) var names: [String]
  private var indices: [String: Int]

  init(_ names: [String]) {
    self.names = names
    indices = Dictionary(zip(names, 0...)) { first, _ in first }
  }

  /// The index of a class, which is added if it is new.
  mutating func index(of name: String) -> Int {
    if let index = indices[name] { return index }
    indices[name] = names.count
    names.append(name)
    return names.count - 1
  }
}

/// Writes COCO JSON: annotations as they come, images and categories at the end.
struct COCOWriter {
  private let lines: ResultLines
  private var classes: ClassList
  private var images: [JSON] = []
  private var count = 0

  init(_ lines: ResultLines, _ classes: [String]) {
    self.lines = lines
    self.classes = ClassList(classes)
    lines.add("{\"annotations\":[")
  }

  mutating func add(_ boxes: [ExportedBox], in name: String, _ size: ImageSize) {
    images.append(
      .object([
        ("id", .integer(images.count + 1)), ("file_name", .string(name)),
        ("width", .integer(size.width)), ("height", .integer(size.height)),
      ]))
    for box in boxes {
      count += 1
      let frame = box.frame
      let annotation = JSON.object([
        ("id", .integer(count)), ("image_id", .integer(images.count)),
        ("category_id", .integer(classes.index(of: box.name) + 1)),
        (
          "bbox",
          .array(
            [frame.x, frame.y, frame.width, frame.height].map { .number(Double($0), places: 2) })
        ),
        ("area", .number(Double(frame.width) * Double(frame.height), places: 2)),
        ("iscrowd", .integer(0)), ("score", .number(Double(box.score), places: 4)),
      ])
      lines.add((count > 1 ? "," : "") + "\(annotation)")
    }
  }

  func finish() {
    let categories = classes.names.enumerated().map { index, name in
      JSON.object([("id", .integer(index + 1)), ("name", .string(name))])
    }
    lines.add("],\"images\":\(JSON.array(images)),\"categories\":\(JSON.array(categories))}")
  }
}

/// Writes a folder of YOLO labels.
struct YOLOWriter {
  private let folder: FilePath
  private let outputs: Outputs
  private var classes: ClassList

  init(_ folder: FilePath, _ outputs: Outputs, _ classes: [String]) {
    (self.folder, self.outputs) = (folder, outputs)
    self.classes = ClassList(classes)
  }

  /// Writes the file of the image at `path`, in a folder as within the folder of images.
  mutating func add(
    _ boxes: [ExportedBox], in path: FilePath, folder within: FilePath, _ size: ImageSize
  ) throws(FileError) {
    let labels = folder / "labels" / within
    try Files.makeFolder(labels)
    let text = boxes.map { box in
      let (width, height) = (Float(size.width), Float(size.height))
      let frame = box.frame.clipped(toWidth: width, height: height)
      let shares = [
        frame.center.x / width, frame.center.y / height, frame.width / width, frame.height / height,
      ]
      let numbers = shares.map { $0.text(places: 6) }
      return "\(classes.index(of: box.name)) \(numbers.joined(separator: " "))\n"
    }.joined()
    let stem: FilePath = path == .standardStream ? "stdin" : path.stem
    try outputs.write(Array(text.utf8), to: labels / (stem + ".txt"))
  }

  /// Writes the names of the classes.
  func finish() throws(FileError) {
    try Files.makeFolder(folder)
    let names = classes.names.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
    let list = names.enumerated().map { "  \($0.offset): \(JSON.string($0.element))\n" }
    let data = "train: images\nval: images\nnames:\n\(list.joined())"
    try outputs.write(
      Array(names.map { $0 + "\n" }.joined().utf8), to: folder / "classes.txt")
    try outputs.write(Array(data.utf8), to: folder / "data.yaml")
  }
}
