import Foundation
import MartletSystem
import Testing

@testable import MartletCommandLine

@Suite struct OpenFileTests {
  let path = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path

  @Test func readsAFileInPieces() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    do {
      let file = try OpenFile(writing: path)
      try file.append(Array(bytes.prefix(1000)))
      try file.append([])
      try file.append(Array(bytes.dropFirst(1000)))
    }
    let file = try OpenFile(reading: path)
    var read: [UInt8] = []
    var count = 0
    while true {
      let piece = try file.piece()
      if piece.isEmpty { break }
      read += piece
      count += 1
    }
    #expect(read == bytes)
    #expect(count > 1)
  }

  @Test func throwsIfOpeningFails() {
    #expect(throws: FileError.unreadable(path: "/nowhere", SystemError(ENOENT))) {
      try OpenFile(reading: "/nowhere")
    }
    #expect(throws: FileError.unwritable(path: "/no/where", SystemError(ENOENT))) {
      try OpenFile(writing: "/no/where")
    }
  }

  @Test func throwsIfReadingFails() throws {
    let folder = try OpenFile(reading: "/")
    #expect(throws: FileError.unreadable(path: "/", SystemError(EISDIR))) { try folder.piece() }
  }
}
