//===--- FolderSearch.swift - the images of a folder ----------------------===//
//
// Contract  Images are selected by their extension and sorted by path. What is left out is counted,
//           hidden files apart. A folder is searched once, even if links lead to it again.
// Checked   Tests/MartletToolTests/FolderSearchTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine

/// The images of a folder, and the number of its other items.
struct FolderSearch {
  private(set) var images: [String] = []
  private(set) var otherFileCount = 0
  /// The number of folders in it that were not searched.
  private(set) var folderCount = 0
  private var searched: Set<FileIdentity> = []

  /// Searches a folder, and those within it if `isRecursive`.
  ///
  /// - Throws: `FileError` if the folder itself cannot be read. A folder within it that cannot be
  ///   read is listed as an image, so that it fails as one.
  init(_ folder: String, isRecursive: Bool) throws(FileError) {
    try search(folder, isRecursive: isRecursive)
  }

  private mutating func search(_ folder: String, isRecursive: Bool) throws(FileError) {
    guard let identity = Files.identity(folder), searched.insert(identity).inserted else { return }
    for name in try Files.list(folder) {
      let path = Files.join(folder, name)
      if Files.isFolder(path) {
        if isRecursive {
          do throws(FileError) { try search(path, isRecursive: true) } catch { images.append(path) }
        } else {
          folderCount += 1
        }
      } else if ImageFormat.isRead(name) {
        images.append(path)
      } else if !name.hasPrefix(".") {
        otherFileCount += 1
      }
    }
  }

  /// The number of files that were left out, in words; `nil` if there are none.
  var leftOut: String? {
    otherFileCount == 0 ? nil : "\(counted(otherFileCount, "file")) of other formats left out"
  }
}

/// A folder in which no image was found.
struct NoImages: Error, Equatable {
  let otherFileCount: Int
  let folderCount: Int
}

extension NoImages: CustomStringConvertible {
  var description: String {
    let files = otherFileCount > 0 ? ["\(counted(otherFileCount, "file")) of other formats"] : []
    let folders =
      folderCount > 0 ? ["\(counted(folderCount, "folder")), which --recursive searches"] : []
    let items = (files + folders).joined(separator: " and ")
    return "this folder has no image" + (items.isEmpty ? "" : "; it has \(items)")
  }
}

/// A number with its noun: `1 file`, `2 files`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
