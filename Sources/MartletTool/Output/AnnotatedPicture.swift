//===--- AnnotatedPicture.swift - pictures with what was found drawn on them ===//
//
// Checked   Tests/MartletToolTests/CommandTests.swift
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCommandLine
import MartletVision

/// A picture with a box and a label for each object.
struct AnnotatedPicture {
  let picture: RGBImage

  /// One colour for each category, or for each object where there are no categories.
  init(_ image: RGBImage, _ objects: [DetectedObject]) {
    picture = image.annotated(
      objects.enumerated().map { index, object in
        let names = object.labels.isEmpty ? object.category?.name ?? "" : object.labels[0].words
        let score = JSON.decimal(Double(object.score), places: 2, isPadded: true) ?? ""
        return Annotation(
          box: object.frame, text: names.isEmpty ? score : "\(names) (\(score))",
          colorIndex: object.category?.rawValue ?? index)
      })
  }

  /// Writes the picture as PNG.
  func write(to path: String) throws(FileError) {
    let raster = Raster(
      width: picture.width, height: picture.height, channels: 3, samples: picture.pixels)
    try Files.write(PNG.encode(raster), to: path)
  }
}

/// Where annotated pictures go: one file, or a folder in which each picture has a name of its own.
struct AnnotationPaths {
  private let destination: String
  private let isFolder: Bool
  private var taken: Set<String> = []
  /// The last number behind each name, so that many pictures of one name take no longer.
  private var numbers: [String: Int] = [:]

  init(_ destination: String, isFolder: Bool) {
    self.destination = destination
    self.isFolder = isFolder || Files.isFolder(destination)
  }

  /// The path for the picture at `source`: `pictures/a.jpg` becomes `a.png`, the next of that name
  /// `a-2.png`.
  mutating func next(for source: String) throws(FileError) -> String {
    guard isFolder else { return destination }
    try Files.makeFolder(destination)
    let file = source == "-" ? "stdin" : source.split(separator: "/").last.map(String.init) ?? ""
    let stem = file.split(separator: ".").dropLast().joined(separator: ".")
    let name = stem.isEmpty ? file : stem
    var candidate = name
    var number = numbers[name] ?? 1
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = "\(name)-\(number)"
    }
    numbers[name] = number
    return "\(destination)/\(candidate).png"
  }
}
