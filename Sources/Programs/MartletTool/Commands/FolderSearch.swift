//===--- FolderSearch.swift - the images of a folder ----------------------===//
//
// Contract  Images are selected by their extension and sorted by path. What is left out is counted,
//           hidden files apart: other files, folders, links to folders, and what is neither, such as
//           pipes and devices. Links to files are read, links to folders are not followed.
//===----------------------------------------------------------------------===//

import MartletCommandLine

/// The images of a folder, and the number of its other items.
struct FolderSearch {
  /// The items that are left out.
  struct Rest: Equatable {
    var otherFiles = 0
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
      switch Files.kind(path) {
      case .folder where !isRecursive: rest.folders += 1
      case .folder where Files.kindOfItem(path) == .symbolicLink: rest.links += 1
      case .folder:
        do throws(FileError) { try search(path, isRecursive: true) } catch { images.append(path) }
      case .special where !name.hasPrefix("."): rest.specialFiles += 1
      // A broken link is an image that cannot be read.
      case .regular where ImageFormat.isRead(name), nil where ImageFormat.isRead(name):
        images.append(path)
      case _ where !name.hasPrefix("."): rest.otherFiles += 1
      default: break
      }
    }
  }

  /// What was left out, in words; `nil` if it is nothing or only folders without `--recursive`.
  var leftOut: String? {
    let words = rest.words
    return words.isEmpty ? nil : words.joined(separator: ", ") + " left out"
  }
}

extension FolderSearch.Rest {
  /// The items in words, without folders.
  fileprivate var words: [String] {
    (otherFiles > 0 ? ["\(counted(otherFiles, "file")) of other formats"] : [])
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
    let items = (rest.words + folders).joined(separator: " and ")
    return "the folder contains no image" + (items.isEmpty ? "" : ", only \(items)")
  }
}

/// A number with its noun: `1 file`, `2 files`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
