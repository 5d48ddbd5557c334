//===--- FileContents.swift - the bytes of a file -------------------------===//
//
// Checked   Tests/MartletTests/VisionImageTests.swift, Tests/MartletTests/LocalModelTests.swift
//===----------------------------------------------------------------------===//

import Foundation

/// Reads files.
enum FileContents {
  /// The bytes of the file at `path`, or `VisionError.file`.
  static func read(_ path: String) throws(VisionError) -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch let error as CocoaError {
      switch error.code {
      case .fileReadNoSuchFile, .fileNoSuchFile: throw .file(path: path, .notFound)
      case .fileReadNoPermission: throw .file(path: path, .permissionDenied)
      default: throw .file(path: path, .unreadable)
      }
    } catch { throw .file(path: path, .unreadable) }
  }
}

extension URL {
  /// The path of the file that the address names. Nothing is fetched: an address of another kind is the path
  /// of a file that is not there.
  var pathOfFile: String { isFileURL ? path : absoluteString }
}
