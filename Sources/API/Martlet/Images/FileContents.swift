//===--- FileContents.swift - the bytes of a file -------------------------===//
//
// Contract  Type, size and first bytes are checked before the rest is read. No file takes more
//           memory than `limit`.
// Cost      The bytes once, and a buffer of at most 1 MiB.
//===----------------------------------------------------------------------===//

import Foundation
import MartletCodecs
import MartletVision

/// Reads files.
package enum FileContents {
  /// The default limit: 1 GiB.
  package static let defaultLimit = 1 << 30
  private static let pieceSize = 1 << 20
  /// The bytes needed to recognize an image or a model. A pipe may return fewer at a time.
  private static let beginningLength = max(ImageFile.signatureLength, Model.signatureLength)

  /// Reads the file at `path`.
  ///
  /// - Parameter check: Throws if a file with these first bytes and this size need not be read; the
  ///   size is `nil` for a pipe or a device.
  /// - Throws: `VisionError.file`, or what `check` throws.
  package static func read(
    _ path: String, limit: Int = defaultLimit,
    check: (_ beginning: [UInt8], _ byteCount: Int?) throws(VisionError) -> Void = { _, _ in }
  ) throws(VisionError) -> [UInt8] {
    let file: FileHandle
    do { file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)) } catch {
      throw .file(path: path, FileProblem(error))
    }
    defer { try? file.close() }
    let size = size(of: file)
    var bytes: [UInt8] = []
    while bytes.count < beginningLength {
      let piece = try piece(of: file, path)
      if piece.isEmpty { break }
      bytes += piece
    }
    try check(bytes, size)
    guard size ?? 0 <= limit else { throw .file(path: path, .tooLarge(limit: limit)) }
    if let size { bytes.reserveCapacity(size) }
    while bytes.count <= limit {
      let piece = try piece(of: file, path)
      if piece.isEmpty { return bytes }
      bytes += piece
    }
    throw .file(path: path, .tooLarge(limit: limit))
  }

  /// The size of `file`; `nil` if it cannot seek or is empty, as pipes and devices.
  private static func size(of file: FileHandle) -> Int? {
    guard let start = try? file.offset(), let end = try? file.seekToEnd(), start < end,
      (try? file.seek(toOffset: start)) != nil
    else { return nil }
    return Int(clamping: end - start)
  }

  private static func piece(of file: FileHandle, _ path: String) throws(VisionError) -> [UInt8] {
    do { return Array(try file.read(upToCount: pieceSize) ?? Data()) } catch {
      throw .file(path: path, FileProblem(error))
    }
  }
}

extension FileProblem {
  fileprivate init(_ error: any Error) {
    self =
      switch (error as? CocoaError)?.code {
      case .fileReadNoSuchFile, .fileNoSuchFile: .notFound
      case .fileReadNoPermission: .permissionDenied
      default: .unreadable
      }
  }
}

extension URL {
  /// The path of the file. For other URLs it returns the URL's text, which names no file, so a URL is
  /// never downloaded.
  package var pathOfFile: String { isFileURL ? path : absoluteString }
}
