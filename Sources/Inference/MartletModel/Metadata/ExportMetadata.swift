//===--- ExportMetadata.swift - metadata of exporters ---------------------===//
//
// Exporters of YOLO models append a zip archive to the file. Its member `metadata.json`, or
// `temp_meta.txt` with a literal of Python, has the task and the names of the classes. Others write
// the names into `labels.txt`.
//
// Contract  Unknown members are ignored. Names without a place among 0, 1, 2, … are dropped with
//           those behind them.
// Source    Ultralytics 8.4, `engine/exporter.py`; YOLOv5, `export.py`.
//===----------------------------------------------------------------------===//

import MartletBase

/// What the exporter of a YOLO model wrote into the file.
package struct ExportMetadata: Sendable, Equatable {
  /// The name of the member that was read.
  package let file: String
  /// The task of Ultralytics' exporter, such as `detect`, `segment`, `pose` or `obb`; empty if it is
  /// not stated.
  package let task: String
  /// The names of the classes by index.
  package let names: [String]
  /// Whether the model selects its boxes itself.
  package let isEndToEnd: Bool
}

extension Model {
  /// The exporter's metadata, or `nil` if the file has none. `inflate` is that of
  /// `AppendedArchive.contents`.
  ///
  /// - Throws: `MetadataError` if the archive behind the model or the member is damaged.
  package func readExportMetadata(
    inflate: ([UInt8], Int) -> [UInt8]?
  ) throws(MetadataError) -> ExportMetadata? {
    do throws(ArchiveError) {
      let archive = try AppendedArchive(bytes: bytes, allowsDeflate: true)
      for name in ["metadata.json", "temp_meta.txt"] {
        guard let contents = try archive.contents(of: name, inflate: inflate) else { continue }
        if let metadata = ExportMetadata(contents, file: name) { return metadata }
      }
      guard let list = try archive.contents(of: "labels.txt", inflate: inflate),
        let names = try? TextLines.read(list), !names.isEmpty
      else { return nil }
      return ExportMetadata(file: "labels.txt", task: "", names: names, isEndToEnd: false)
    } catch { throw .archive(error) }
  }
}

extension ExportMetadata {
  /// Reads the contents of a member; `nil` if it has neither a task nor names.
  fileprivate init?(_ contents: [UInt8], file: String) {
    guard
      case .object(let members)? =
        (try? JSON(parsing: contents)) ?? PythonLiteral.parse(contents)
    else { return nil }
    func member(_ name: String) -> JSON? { members.last { $0.0 == name }?.1 }
    self.file = file
    task = member("task")?.text ?? ""
    var arguments: [(String, JSON)] = []
    if case .object(let members)? = member("args") { arguments = members }
    isEndToEnd =
      member("end2end")?.isTrue ?? false || arguments.contains { $0.0 == "nms" && $0.1.isTrue }
    switch member("names") {
    case .array(let elements): names = elements.map { $0.text ?? "" }
    case .object(let entries):
      var byIndex: [Int: String] = [:]
      for (key, value) in entries { if let index = Int(key) { byIndex[index] = value.text ?? "" } }
      var names: [String] = []
      while let name = byIndex[names.count] { names.append(name) }
      self.names = names
    default: names = []
    }
    if task.isEmpty, names.isEmpty { return nil }
  }
}

extension JSON {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var isTrue: Bool { if case .bool(true) = self { true } else { false } }
}
