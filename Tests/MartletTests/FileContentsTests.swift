import Foundation
import Testing

@testable import Martlet
@testable import MartletMLKit

/// Files larger than memory, and devices without a size.
@Suite struct FileContentsTests {
  /// A sparse file of 12 GB that begins with `beginning`.
  static func withSparseFile(_ beginning: [UInt8], _ body: (String) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "sparse-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(beginning).write(to: url)
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: 12_000_000_000)
    try file.close()
    try body(url.path)
  }

  @Test func readsOnlyFirstBytesOfNonImage() throws {
    try FileContentsTests.withSparseFile([]) { path in
      let zeros = [UInt8](repeating: 0, count: 16)
      for path in [path, "/dev/zero"] {
        #expect(throws: VisionError.imageFile(.unknownFormat(firstBytes: zeros))) {
          _ = try InputImage(contentsOfFile: path)
        }
      }
    }
  }

  @Test func rejectsImageLargerThanMemory() throws {
    try FileContentsTests.withSparseFile(Array("BM".utf8)) { path in
      #expect(throws: VisionError.self) { _ = try InputImage(contentsOfFile: path) }
    }
  }

  @Test func rejectsEndlessModelManifestAndLabels() throws {
    #expect(throws: VisionError.self) { _ = try LocalModel(path: "/dev/zero").file() }
    #expect(throws: VisionError.self) { _ = try LocalModel(readingManifest: "/dev/zero") }
    #expect(throws: VisionError.file(path: "/dev/zero", .tooLarge(limit: 1000))) {
      _ = try FileContents.read("/dev/zero", limit: 1000)
    }
  }
}
