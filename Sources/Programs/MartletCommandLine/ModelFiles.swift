//===--- ModelFiles.swift - reading model files ---------------------------===//
//
// Contract  The first bytes and the size are checked before the rest is read. No device or pipe
//           takes more memory than its limit. A regular file is memory-mapped.
//===----------------------------------------------------------------------===//

import MartletCLibrary
import MartletModel

extension Files {
  /// The largest size of a model from a pipe: 256 MiB. A regular file has no limit.
  static let pipedModelLimit = 1 << 28

  /// Opens the model in the file at `path`, or on standard input if it is `-`.
  package static func model(_ path: FilePath) throws -> FileBytes {
    let file = try OpenFile(reading: path)
    let beginning = try file.beginning(atLeast: Model.signatureLength)
    try Model.checkBeginning(beginning)
    guard path != .standardStream, file.plainSize != nil else {
      return FileBytes(try file.rest(after: beginning, limit: pipedModelLimit))
    }
    let memory = unsafe UnsafeRawBufferPointer(try file.map())
    return unsafe FileBytes(memory) { memory in
      guard let start = memory.baseAddress else { return }
      _ = unsafe munmap(UnsafeMutableRawPointer(mutating: start), memory.count)
    }
  }
}
