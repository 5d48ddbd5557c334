//===--- OutputPaths.swift - paths of output images -----------------------===//
//
// The output is one file whose extension selects the format, or a folder with one file per image: of the
// same format if that is JPEG, otherwise PNG.
//
// Contract  Names are unique: `images/a.jpg` becomes `a.jpg`, the next image of that name
//           `a-2.jpg`. In a folder, the names of inputs are not used.
// Checked   Tests/MartletToolTests/OutputPathsTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletVision

/// Makes names unique by appending numbers.
struct UniqueNames {
  private var taken: Set<String> = []
  /// The last number of each name, so that many equal names take no longer.
  private var numbers: [String: Int] = [:]

  /// Returns `name`, or if it is taken the first free one of `name-2`, `name-3`, …
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

/// The paths of output images.
struct OutputPaths {
  private let destination: String
  /// `nil` for the format of each source.
  private let format: ImageFormat?
  private let isFolder: Bool
  /// Whether existing files keep their names, and new ones get others.
  private let keepsFiles: Bool
  private var names = UniqueNames()

  /// A folder for PNG files.
  init(folder: String, keepsFiles: Bool = false) {
    destination = folder
    format = .png
    isFolder = true
    self.keepsFiles = keepsFiles
  }

  /// The file at `path` for a single image, unless it is a folder; a folder for several.
  init(
    _ option: String, _ path: String, isSingle: Bool, keepsFiles: Bool = false
  ) throws(UsageError) {
    self.keepsFiles = keepsFiles
    let isThere = Files.isFolder(path) || path.hasSuffix("/")
    let format = ImageFormat(path: path)
    if isThere || !isSingle {
      guard isThere || format == nil else {
        throw .invalidValue(option: option, value: path, expected: "a folder for several images")
      }
      destination = path
      self.format = nil
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

  /// The path for the image at `source`; in a folder, `part` is appended to its name.
  private mutating func next(
    for source: String, part: String, _ format: ImageFormat, sparing inputs: Set<FileIdentity>
  ) throws(FileError) -> String {
    guard isFolder else { return destination }
    try Files.makeFolder(destination)
    let file = source == "-" ? "stdin" : source.split(separator: "/").last.map(String.init) ?? ""
    let stem = file.split(separator: ".").dropLast().joined(separator: ".")
    while true {
      let name = names.next((stem.isEmpty ? file : stem) + part) + format.rawValue
      let path = Files.join(destination, name)
      guard let identity = Files.identity(path) else { return path }
      if !keepsFiles, !inputs.contains(identity) { return path }
    }
  }

  /// Writes an image made from the one at `source`, and returns the file's path; in a folder, `part`
  /// is appended to its name.
  ///
  /// - Throws: `FileError.isInput` if the path is that of a file, and the file is one of `inputs`.
  @discardableResult
  mutating func write(
    _ image: RGBImage, for source: String, part: String = "", sparing inputs: Set<FileIdentity>
  ) throws -> String {
    try write(for: source, part: part, sparing: inputs) { try $0.encoded(image) }
  }

  /// Writes a file that `encode` makes in the given format.
  mutating func write(
    for source: String, part: String = "", sparing inputs: Set<FileIdentity>,
    _ encode: (ImageFormat) throws -> [UInt8]
  ) throws -> String {
    let format = format ?? (ImageFormat(path: source) == .jpeg ? .jpeg : .png)
    let path = try next(for: source, part: part, format, sparing: inputs)
    try Files.write(try encode(format), to: path, sparing: inputs)
    return path
  }
}
