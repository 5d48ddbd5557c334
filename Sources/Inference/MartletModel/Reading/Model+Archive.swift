//===--- Model+Archive.swift - a model in an archive ----------------------===//
//
// MediaPipe's `.task` files are zip archives of models and other files. Archives of several models belong
// to tasks that Martlet does not have.
//
// Cost      A copy of the model, because it may begin anywhere in the archive.
//===----------------------------------------------------------------------===//

import MartletBase

extension Model {
  private static let archiveSignature = Array("PK\u{3}\u{4}".utf8)

  /// Whether a file that begins with these bytes may be an archive with a model.
  static func mayBeArchive(_ beginning: [UInt8]) -> Bool {
    beginning.starts(with: archiveSignature)
      && FileSignature.of(beginning)?.name == "a zip archive"
  }

  /// The only model of a zip archive, or `bytes` if they are no archive with models.
  ///
  /// - Throws: `ModelError.format` if the archive has several models, or one that is compressed or
  ///   damaged.
  static func unpacked(_ bytes: FileBytes) throws(ModelError) -> FileBytes {
    guard bytes.starts(with: archiveSignature) else { return bytes }
    var count = 0
    do throws(ArchiveError) {
      let archive = try AppendedArchive(bytes: bytes, allowsDeflate: true)
      let models = archive.entries.filter { $0.name.hasSuffix(".tflite") }
      count = models.count
      if count == 0 { return bytes }
      if count == 1 { return FileBytes(try archive.contents(of: models[0].name) ?? []) }
    } catch {
      throw .format("an archive that cannot be read: \(error) (unzip it)")
    }
    throw .format("an archive of \(count) models (unzip it, and choose one)")
  }
}
