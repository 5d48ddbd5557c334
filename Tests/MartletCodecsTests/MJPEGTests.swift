import Foundation
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct MJPEGTests {
  private func file(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes(of: Fixtures.folder("JPEG").appending(path: name))
  }

  private func source(_ bytes: [UInt8], pieces size: Int) -> ByteSource {
    var next = 0
    return ByteSource {
      let piece = Array(bytes[next..<min(next + size, bytes.count)])
      next += piece.count
      return piece
    }
  }

  @Test(arguments: [1, 1000, 1 << 20])
  func readsEachPictureAsAFileOfItsOwn(_ size: Int) throws {
    let files = try ["quality-50.jpg", "progressive.jpg", "restart-1.jpg", "gray.jpg"].map(file)
    let part = Array("\r\n--edge\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
    var reader = MJPEGReader(source(files.flatMap { part + $0 } + part, pieces: size))
    for bytes in files {
      #expect(try reader.next() == ImageFile(decoding: bytes).upright)
    }
    #expect(try reader.next() == nil)
  }

  @Test func aPictureWithoutItsEndEndsAtTheNextStart() throws {
    let bytes = try file("quality-50.jpg")
    var reader = MJPEGReader(ByteSource(bytes.dropLast(2) + bytes))
    _ = try? reader.next()
    #expect(try reader.next() == ImageFile(decoding: bytes).upright)
    #expect(try reader.next() == nil)
  }

  @Test func aBrokenPictureDoesNotStopTheOthers() throws {
    let bytes = try file("quality-50.jpg")
    let broken: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 3, 9, 0xFF, 0xD9]
    var reader = MJPEGReader(ByteSource(broken + bytes))
    #expect(throws: MJPEGError.self) { try reader.next() }
    #expect(try reader.next() == ImageFile(decoding: bytes).upright)
  }

  @Test func aFilmThatBreaksOffIsAnError() throws {
    let bytes = try file("quality-50.jpg")
    var reader = MJPEGReader(ByteSource(bytes + bytes.prefix(bytes.count / 2)))
    _ = try reader.next()
    #expect(
      throws: MJPEGError.unending(offset: bytes.count, limit: MJPEGReader.largestPicture)
    ) { try reader.next() }
    #expect(try reader.next() == nil)
  }

  @Test(arguments: [[], [1, 2, 3], [0xFF], [0xFF, 0xFF, 0xFF]] as [[UInt8]])
  func aFilmWithoutPicturesIsAnError(_ bytes: [UInt8]) throws {
    var reader = MJPEGReader(ByteSource(bytes))
    #expect(throws: MJPEGError.empty) { try reader.next() }
    #expect(try reader.next() == nil)
  }
}
