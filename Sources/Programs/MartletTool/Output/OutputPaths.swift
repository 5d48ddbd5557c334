//===--- OutputPaths.swift - paths of output images -----------------------===//
//
// The output is one file whose extension selects the format, or a folder with one file per image: of the
// same format if that is JPEG, otherwise PNG.
//
// Contract  Folders within a folder of inputs are mirrored. Names are unique: `images/a.jpg` becomes
//           `a.jpg`, the next image of that name `a-2.jpg`, and its crops `a-2-1.jpg` and so on. In a
//           folder, the names of inputs and of other outputs are not used.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletVision

/// Makes names unique by appending numbers.
struct UniqueNames {
  private var taken: Set<FilePath> = []
  /// The last number of each name, so that many equal names take no longer.
  private var numbers: [FilePath: Int] = [:]

  /// Returns `name`, or if it is taken the first free one of `name-2`, `name-3`, …
  mutating func next(_ name: FilePath) -> FilePath {
    var candidate = name
    var number = numbers[name] ?? 1
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = name + "-\(number)"
    }
    numbers[name] = number
    return candidate
  }

  /// Returns a free path in a folder: `name`, or `name-2` and so on, with `ending`.
  mutating func next(
    _ name: FilePath, _ ending: String, in folder: FilePath, of outputs: Outputs
  ) -> FilePath {
    while true {
      let path = folder / (next(name) + ending)
      if outputs.isFree(path) { return path }
    }
  }
}

/// The paths of output images.
struct OutputPaths {
  private let destination: FilePath
  /// `nil` for the format of each source.
  private let format: ImageFormat?
  private let isFolder: Bool
  private let outputs: Outputs
  private var names = UniqueNames()
  /// The name of each image.
  private var stems = UniqueNames()
  /// The last image and its name, which all its files have.
  private var last: (source: FilePath, stem: FilePath)?

  /// A folder for PNG files.
  init(folder: FilePath, of outputs: Outputs) {
    destination = folder
    format = .png
    isFolder = true
    self.outputs = outputs
  }

  /// The file at `path` for a single image, unless it is a folder; a folder for several.
  init(
    _ option: String, _ path: FilePath, isSingle: Bool, of outputs: Outputs
  ) throws(UsageError) {
    self.outputs = outputs
    let isThere = Files.kind(path) == .folder || path.hasSuffix("/")
    let format = ImageFormat(path: path)
    if isThere || !isSingle {
      guard isThere || format == nil else {
        throw .invalidValue(
          option: option, value: "\(path)", expected: "a folder for several images")
      }
      destination = path
      self.format = nil
      isFolder = true
      return
    }
    guard let format else {
      throw .invalidValue(
        option: option, value: "\(path)",
        expected: "a name that ends in .png, .jpg or .ppm, or a folder")
    }
    destination = path
    self.format = format
    isFolder = false
  }

  /// The path for the image at `source`; in a folder, `part` is appended to its name.
  private mutating func next(
    for source: FilePath, in folder: FilePath, part: String, _ format: ImageFormat
  ) throws(FileError) -> FilePath {
    guard isFolder else { return destination }
    try Files.makeFolder(folder == "" ? destination : destination / folder)
    if last?.source != source {
      let stem = source == .standardStream ? "stdin" : source.stem
      last = (source, stems.next(folder == "" ? stem : folder / stem))
    }
    let stem = last?.stem ?? ""
    return names.next(stem + part, format.rawValue, in: destination, of: outputs)
  }

  /// Writes an image made from the one at `source`, and returns its file; in a folder, `part` is
  /// appended to its name. `folder` is that of the image within the folder of inputs.
  @discardableResult
  mutating func write(
    _ image: RGBImage, for source: FilePath, in folder: FilePath = "", part: String = ""
  ) throws -> OutputFile {
    try write(for: source, in: folder, part: part) { try $0.encoded(image) }
  }

  /// Writes a file that `encode` makes in the given format.
  mutating func write(
    for source: FilePath, in folder: FilePath = "", part: String = "",
    _ encode: (ImageFormat) throws -> [UInt8]
  ) throws -> OutputFile {
    let format = format ?? (ImageFormat(path: source) == .jpeg ? .jpeg : .png)
    let file = try outputs.file(try next(for: source, in: folder, part: part, format))
    try file.append(try encode(format))
    try file.finish()
    return file
  }
}
