import Foundation
import MartletSystem
import Testing

@testable import MartletCommandLine

@Suite struct OpenFileTests {
  let path = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path)

  @Test func readsAFileInPieces() throws {
    defer { Files.remove(path) }
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    do {
      let file = try OpenFile(continuing: path)
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
      try OpenFile(continuing: "/no/where")
    }
  }

  @Test func continuesOnlyRegularFilesThatNobodyWrites() throws {
    defer { Files.remove(path) }
    for path: FilePath in ["/dev/null", "/"] {
      #expect(throws: FileError.notRegular(path: path)) { try OpenFile(continuing: path) }
    }
    let first = try OpenFile(continuing: path)
    #expect(throws: FileError.inUse(path: path)) { try OpenFile(continuing: path) }
    try first.append([1, 2, 3])
    try first.truncate(to: 1)
    #expect(try Files.read(path) == [1])
  }

  @Test func throwsIfReadingFails() throws {
    let folder = try OpenFile(reading: "/")
    #expect(throws: FileError.unreadable(path: "/", SystemError(EISDIR))) { try folder.piece() }
  }
}
