//===--- InputFiles.swift - reading image and model files -----------------===//
//
// Contract  The first bytes and the size are checked before the rest is read. No file, device or
//           pipe takes more memory than its limit. A regular model file is memory-mapped.
// Checked   Tests/MartletToolTests/InputFilesTests.swift
//===----------------------------------------------------------------------===//

import struct MartletBase.Workers
import MartletCodecs
import MartletCommandLine
import MartletModel
import MartletSystem

extension ImageFile {
  /// Decodes the image in the file at `path`, or on standard input if it is `-`.
  init(
    readingFrom path: String, limits: ImageLimits, isStrict: Bool = false,
    workers: Workers = .serial
  ) throws {
    let file = try OpenFile(reading: path)
    let beginning = try file.beginning(atLeast: ImageFile.signatureLength)
    try ImageFile.check(beginning: beginning, byteCount: file.plainSize, limits: limits)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try file.rest(after: beginning, limit: limits.memory)
    } catch .tooLarge(_, let limit) {
      throw ImageFileError.memory(MemoryExcess(needed: Int64(limit) + 1, limit: Int64(limit)))
    }
    try self.init(decoding: bytes, limits: limits, isStrict: isStrict, workers: workers)
  }
}

extension Files {
  /// The largest size of a model from a pipe: 256 MiB. A regular file has no limit.
  static let pipedModelLimit = 1 << 28

  /// Opens the model in the file at `path`, or on standard input if it is `-`.
  static func model(_ path: String) throws -> FileBytes {
    let file = try OpenFile(reading: path)
    let beginning = try file.beginning(atLeast: Model.signatureLength)
    try Model.checkBeginning(beginning)
    guard path != "-", file.plainSize != nil else {
      return FileBytes(try file.rest(after: beginning, limit: pipedModelLimit))
    }
    let memory = unsafe UnsafeRawBufferPointer(try file.map())
    return unsafe FileBytes(memory) { memory in
      guard let start = memory.baseAddress else { return }
      _ = unsafe munmap(UnsafeMutableRawPointer(mutating: start), memory.count)
    }
  }
}
