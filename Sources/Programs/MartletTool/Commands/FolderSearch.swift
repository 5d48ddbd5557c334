//===--- FolderSearch.swift - the images of a folder ----------------------===//
//
// Contract  Images are selected by their extension and sorted by path. Items whose names begin with a
//           period are skipped, and so are the folders among them. What is left out is counted: images
//           and videos of other formats by their first bytes, other files, folders, links to
//           folders, and what is neither, such as pipes and devices. Links to files are read, links
//           to folders are not followed.
// Cost      Opens each file that is left out.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine

/// The images of a folder, and the number of its other items.
struct FolderSearch {
  /// The items that are left out.
  struct Rest: Equatable {
    /// The number of images and videos by format: HEIC, MP4, or JPEG with another ending.
    var formats: [String: Int] = [:]
    /// A command that converts the first of them.
    var conversion: String?
    var otherFiles = 0
    var hiddenItems = 0
    /// Folders that were not searched.
    var folders = 0
    /// Links to folders, which `--recursive` does not follow.
    var links = 0
    /// Pipes, sockets and devices.
    var specialFiles = 0
  }

  private(set) var images: [FilePath] = []
  private(set) var rest = Rest()

  /// Searches a folder, and those within it if `isRecursive`.
  ///
  /// - Throws: `FileError` if the folder itself cannot be read. A folder within it that cannot be
  ///   read is listed as an image, so that it fails as one.
  init(_ folder: FilePath, isRecursive: Bool) throws(FileError) {
    try search(folder, isRecursive: isRecursive)
  }

  private mutating func search(_ folder: FilePath, isRecursive: Bool) throws(FileError) {
    for name in try Files.list(folder) {
      let path = folder / name
      if name.hasPrefix(".") {
        rest.hiddenItems += 1
        continue
      }
      switch Files.kind(path) {
      case .folder where !isRecursive: rest.folders += 1
      case .folder where Files.kindOfItem(path) == .symbolicLink: rest.links += 1
      case .folder:
        do throws(FileError) { try search(path, isRecursive: true) } catch { images.append(path) }
      case .special: rest.specialFiles += 1
      // A broken link is an image that cannot be read.
      case .regular where ImageFormat.isRead(name), nil where ImageFormat.isRead(name):
        images.append(path)
      default: rest.add(path)
      }
    }
  }

  /// What was left out, in words; `nil` if it is nothing or only folders without `--recursive`.
  var leftOut: String? {
    let words = rest.words
    return words.isEmpty
      ? nil
      : words.joined(separator: ", ") + " left out"
        + (rest.conversion.map { "; convert them, e.g. with \($0)" } ?? "")
  }
}

extension FolderSearch.Rest {
  /// Counts a file that is no image by its name.
  fileprivate mutating func add(_ path: FilePath) {
    let beginning = try? OpenFile(reading: path).beginning(atLeast: FileSignature.length)
    guard let format = FileSignature.of(beginning ?? []), format.isPicture else {
      otherFiles += 1
      return
    }
    if conversion == nil { conversion = format.conversion }
    formats[
      format.shortName + (format.conversion == nil ? " with another ending" : ""), default: 0] += 1
  }

  /// The items in words, without folders and hidden items.
  fileprivate var words: [String] {
    formats.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
      + (otherFiles > 0 ? [counted(otherFiles, "other file")] : [])
      + (links > 0 ? ["\(counted(links, "link")) to folders"] : [])
      + (specialFiles > 0
        ? ["\(counted(specialFiles, "pipe, socket or device", "pipes, sockets or devices"))"] : [])
  }
}

/// A folder in which no image was found.
struct NoImages: Error, Equatable {
  let rest: FolderSearch.Rest
}

extension NoImages: CustomStringConvertible {
  var description: String {
    let folders =
      rest.folders > 0 ? ["\(counted(rest.folders, "folder")) that --recursive searches"] : []
    let hidden = rest.hiddenItems > 0 ? [counted(rest.hiddenItems, "hidden item")] : []
    let items = (rest.words + hidden + folders).joined(separator: " and ")
    return "the folder contains no image" + (items.isEmpty ? "" : ", only \(items)")
  }
}

/// A number with its noun: `1 file`, `2 files`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
