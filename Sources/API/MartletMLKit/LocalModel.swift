//===--- LocalModel.swift - a model in a local file or in memory ----------===//
//
// A path or bytes, and what the file may lack: labels (from an AutoML manifest or from code) and the
// normalization of pixels.
//
// Contract  The model's file is read when a detector first needs it. A manifest and its labels are
//           read immediately.
//===----------------------------------------------------------------------===//

public import Foundation
import MartletVision

/// A model in a local file.
///
/// ```swift
/// let model = LocalModel(path: "birds.tflite", labels: ["robin", "wren"])
/// let options = CustomObjectDetectorOptions(localModel: model)
/// ```
public struct LocalModel: Sendable, Hashable {
  /// The path of the `.tflite` file; empty for a model in memory.
  public let path: String
  /// The contents of a model in memory.
  private let contents: ModelFile?
  /// The path of the AutoML manifest; `nil` if the model was created from a file.
  public let manifestPath: String?
  /// The names of the classes, which override the file's metadata; `nil` keeps it.
  public let labels: [String]?
  /// The normalization of pixels that overrides the file's metadata; `nil` keeps it.
  public let normalization: PixelNormalization?
  /// The name of the model on the server that it was downloaded from.
  let remoteName: String?

  /// The model in the file at `path`.
  ///
  /// Labels and normalization override the file's metadata. ML Kit refuses float models without
  /// metadata.
  public init(
    path: String, labels: [String]? = nil, normalization: PixelNormalization? = nil
  ) {
    self.path = path
    self.labels = labels
    self.normalization = normalization
    manifestPath = nil
    remoteName = nil
    contents = nil
  }

  /// The model in memory, such as one that was encrypted or downloaded: the contents of a `.tflite`
  /// file. Beyond ML Kit.
  public init(
    bytes: [UInt8], labels: [String]? = nil, normalization: PixelNormalization? = nil
  ) {
    contents = ModelFile(bytes, labels: labels, normalization: normalization)
    path = ""
    self.labels = labels
    self.normalization = normalization
    manifestPath = nil
    remoteName = nil
  }

  /// The model in the file at `url`; see `init(path:labels:normalization:)`. Beyond ML Kit.
  public init(
    url: URL, labels: [String]? = nil, normalization: PixelNormalization? = nil
  ) {
    self.init(path: url.pathOfFile, labels: labels, normalization: normalization)
  }

  /// The model that is stored at `path` after its download.
  package init(path: String, remoteName: String) {
    self.path = path
    self.remoteName = remoteName
    labels = nil
    normalization = nil
    manifestPath = nil
    contents = nil
  }

  /// Reads the model's file.
  func file() throws(VisionError) -> ModelFile {
    if let contents { return contents }
    do throws(VisionError) {
      return try ModelFile(contentsOfFile: path, labels: labels, normalization: normalization)
    } catch { throw error == .file(path: path, .notFound) ? notFound : error }
  }

  /// Checks that the file exists, without reading it.
  func checkExistence() throws(VisionError) {
    guard contents != nil || FileManager.default.fileExists(atPath: path) else { throw notFound }
  }

  /// The error if there is no file.
  private var notFound: VisionError {
    remoteName.map { .notDownloaded(name: $0) } ?? .file(path: path, .notFound)
  }

  /// The model of an AutoML Vision Edge manifest, with its labels; `nil` if
  /// `init(readingManifest:)` throws.
  public init?(manifestPath: String) {
    try? self.init(readingManifest: manifestPath)
  }

  /// The model of an AutoML Vision Edge manifest, with its labels.
  ///
  /// The manifest is JSON with `modelType`, which must be `IMAGE_LABELING`, `modelFile` and
  /// `labelsFile` (one label per line). Paths are relative to the manifest.
  ///
  /// - Throws: `VisionError.file` if the manifest or labels cannot be read, `.manifest` for an
  ///   invalid manifest, `.labels` for an invalid list of labels.
  public init(readingManifest path: String) throws(VisionError) {
    let bytes = try FileContents.read(path, limit: Manifest.byteLimit)
    guard let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes)) else {
      throw .manifest(path: path, .content)
    }
    guard manifest.modelType == Manifest.imageLabeling else {
      throw .manifest(path: path, .modelType(found: manifest.modelType))
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let labelsPath = folder.appendingPathComponent(manifest.labelsFile).path
    let text = try FileContents.read(labelsPath, limit: ModelLimits.textBytes)
    do throws(TextError) { labels = try TextLines.read(text) } catch {
      throw .labels(path: labelsPath, error)
    }
    manifestPath = path
    self.path = folder.appendingPathComponent(manifest.modelFile).path
    normalization = nil
    remoteName = nil
    contents = nil
  }
}

/// An AutoML Vision Edge manifest.
private struct Manifest: Decodable {
  static let imageLabeling = "IMAGE_LABELING"
  /// The largest size of a manifest: 1 MiB.
  static let byteLimit = 1 << 20

  let modelType: String
  let modelFile: String
  let labelsFile: String
}
