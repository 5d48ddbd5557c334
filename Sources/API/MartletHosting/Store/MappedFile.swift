//===--- MappedFile.swift - memory-mapped files ---------------------------===//
//
// Contract  Only for files of the store, which are never shortened while they are in use: bytes of
//           a mapping beyond the end of its file cannot be read.
//===----------------------------------------------------------------------===//

import Foundation
import MartletMLKit
import MartletVision

import MartletCLibrary

/// Memory-mapped files. The system may drop their pages and read them again.
enum MappedFile {
  /// Maps the file at `path`. The mapping is as long as the file and lasts until nothing refers to
  /// the bytes.
  static func bytes(_ path: String) throws(VisionError) -> FileBytes {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path: path, .unreadable) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .file(path: path, .unreadable)
    }
    guard status.st_size > 0 else { return FileBytes([]) }
    let size = Int(status.st_size)
    guard let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
      unsafe start != MAP_FAILED
    else { throw .file(path: path, .unreadable) }
    return unsafe FileBytes(UnsafeRawBufferPointer(start: start, count: size)) { memory in
      _ = unsafe munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count)
    }
  }
}
