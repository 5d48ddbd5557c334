//===--- OutputPaths.swift - where written images go ----------------------===//
//
// One file whose name says its format, or a folder in which each image has a name of its own.
//
// Contract  No two images get one name; `pictures/a.jpg` becomes `a.png`, the next of that name
//           `a-2.png`.
// Checked   Tests/MartletToolTests/OutputPathsTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletVision

/// Names, each given once: those taken already get a number behind them.
struct UniqueNames {
  private var taken: Set<String> = []
  /// The last number behind each name, so that many of one name take no longer.
  private var numbers: [String: Int] = [:]

  /// `name`, or where it is taken the first free of `name-2`, `name-3`, …
  mutating func next(_ name: String) -> String {
    var candidate = name
    var number = numbers[name] ?? 1
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = "\(name)-\(number)"
    }
    numbers[name] = number
    return candidate
  }
}

/// Where images made of the inputs go.
struct OutputPaths {
  private let destination: String
  private let format: ImageFormat
  private let isFolder: Bool
  private var names = UniqueNames()

  /// A folder of PNG files.
  init(folder: String) {
    destination = folder
    format = .png
    isFolder = true
  }

  /// The file at `path` for a single image, unless that is a folder; a folder for several.
  init(_ option: String, _ path: String, isSingle: Bool) throws(UsageError) {
    let isThere = Files.isFolder(path) || path.hasSuffix("/")
    let format = ImageFormat(path: path)
    if isThere || !isSingle {
      guard isThere || format == nil else {
        throw .invalidValue(option: option, value: path, expected: "a folder for several images")
      }
      destination = path
      self.format = .png
      isFolder = true
      return
    }
    guard let format else {
      throw .invalidValue(
        option: option, value: path, expected: "a name that ends in .png, .jpg or .ppm, or a folder"
      )
    }
    destination = path
    self.format = format
    isFolder = false
  }

  /// The path for the image at `source`; `part` goes behind its name.
  private mutating func next(for source: String, part: String) throws(FileError) -> String {
    guard isFolder else { return destination }
    try Files.makeFolder(destination)
    let file = source == "-" ? "stdin" : source.split(separator: "/").last.map(String.init) ?? ""
    let stem = file.split(separator: ".").dropLast().joined(separator: ".")
    return Files.join(
      destination, names.next((stem.isEmpty ? file : stem) + part) + format.rawValue)
  }

  /// Writes what was made of the image at `source`; `part` goes behind its name in a folder.
  ///
  /// - Throws: `FileError.isInput` where the file would be one of `inputs`.
  mutating func write(
    _ picture: RGBImage, for source: String, part: String = "", sparing inputs: Set<FileIdentity>
  ) throws {
    let path = try next(for: source, part: part)
    try Files.write(try format.encoded(picture), to: path, sparing: inputs)
  }
}
