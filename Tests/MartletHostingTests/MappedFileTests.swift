import Foundation
import Martlet
import Testing

@testable import MartletHosting

@Suite struct MappedFileTests {
  static func file(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "martlet-map-\(UUID())").path
    defer { SystemFile.remove(path) }
    try SystemFile.write(bytes, to: path)
    try body(path)
  }

  /// Includes sizes around the page size.
  @Test(arguments: [0, 1, 4095, 4096, 4097, 300_000])
  func readsAllBytesOfDeletedFile(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try MappedFileTests.file(bytes) { path in
      let mapped = try MappedFile.bytes(path)
      SystemFile.remove(path)
      #expect(Array(mapped) == bytes)
    }
  }

  @Test func rejectsFolderAsFile() {
    for path in ["/", "/no/such/file"] {
      #expect(throws: VisionError.file(path: path, .unreadable)) { try MappedFile.bytes(path) }
    }
  }
}
