//===--- Files+Text.swift - files by paths as text ------------------------===//

import MartletCommandLine

/// The operations that tests call with paths that Foundation makes.
extension Files {
  package static func read(_ path: String, limit: Int = defaultLimit) throws(FileError) -> [UInt8] {
    try read(FilePath(path), limit: limit)
  }

  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try write(bytes, to: FilePath(path))
  }

  package static func makeFolder(_ path: String) throws(FileError) {
    try makeFolder(FilePath(path))
  }

  package static func list(_ path: String) throws(FileError) -> [FilePath] {
    try list(FilePath(path))
  }

  package static func lines(_ path: String) throws(FileError) -> [String] {
    try lines(FilePath(path))
  }
}
