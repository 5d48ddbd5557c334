import Foundation
import MartletBase
import MartletImage
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
  func readsEachImageAsASeparateFile(_ size: Int) throws {
    let files = try ["quality-50.jpg", "progressive.jpg", "restart-1.jpg", "gray.jpg"].map(file)
    let part = Array("\r\n--edge\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
    var reader = MJPEGReader(source(files.flatMap { part + $0 } + part, pieces: size))
    for bytes in files {
      #expect(try reader.next() == ImageFile(decoding: bytes).upright)
    }
    #expect(try reader.next() == nil)
  }

  @Test func imageWithoutEndMarkerEndsAtTheNext() throws {
    let bytes = try file("quality-50.jpg")
    var reader = MJPEGReader(ByteSource(bytes.dropLast(2) + bytes))
    _ = try? reader.next()
    #expect(try reader.next() == ImageFile(decoding: bytes).upright)
    #expect(try reader.next() == nil)
  }

  @Test func brokenImageDoesNotStopTheOthers() throws {
    let bytes = try file("quality-50.jpg")
    let broken: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 3, 9, 0xFF, 0xD9]
    var reader = MJPEGReader(ByteSource(broken + bytes))
    #expect(throws: MJPEGError.self) { try reader.next() }
    #expect(try reader.next() == ImageFile(decoding: bytes).upright)
  }

  /// FFmpeg decodes the available part of such an image ("EOI missing, emulating"). Pillow decodes
  /// the same samples from the image as a separate file.
  @Test func cutOffLastImageIsAWarningOrAnError() throws {
    let bytes = try file("quality-50.jpg")
    let part = Array(bytes.dropLast(100))
    let cutOff = ByteSource(bytes + part)
    let error = MJPEGError.unending(offset: bytes.count, limit: 89_478_485)
    var reader = MJPEGReader(cutOff)
    #expect(try reader.next() == ImageFile(decoding: bytes).upright)
    #expect(reader.warnings.isEmpty)
    #expect(try reader.next() == ImageFile(decoding: part).upright)
    let damage = try #require(JPEGFile.error(part))
    #expect(
      reader.warnings == [.mjpeg(error), .mjpeg(.frame(offset: bytes.count, damage))])
    #expect(try reader.next() == nil)
    #expect(reader.warnings.isEmpty)

    var strict = MJPEGReader(cutOff, isStrict: true)
    _ = try strict.next()
    #expect(throws: error) { try strict.next() }
    #expect(try strict.next() == nil)
  }

  /// The beginnings of `count` images, whose segments have 65,535 bytes and overlap.
  private func beginnings(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<count { bytes += [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF] as [UInt8] }
    return bytes
  }

  /// Decoding the rest for each of the images would take over 20 s.
  @Test func unendingImagesTakeLinearTime() throws {
    var reader = MJPEGReader(ByteSource(beginnings(500_000)))
    let start = ThreadTime.seconds
    #expect(try reader.next() == nil)
    #expect(ThreadTime.seconds - start < 3)
    #expect(reader.warnings.first == .mjpeg(.unending(offset: 0, limit: 89_478_485)))
  }

  /// Ten thousand images begin in a segment, after which no marker follows: scanning all bytes for
  /// each of them would take over 40 s.
  @Test func imagesInASegmentAreNotScannedToTheEnd() throws {
    let bytes = beginnings(10_000) + [UInt8](repeating: 0, count: 4 << 20)
    var reader = MJPEGReader(source(bytes, pieces: 1 << 16))
    let start = ThreadTime.seconds
    #expect(try reader.next() == nil)
    #expect(ThreadTime.seconds - start < 4)
  }

  @Test(arguments: [1000, 1 << 16])
  func imageAfterOneThatExceedsTheLimitIsRead(_ size: Int) throws {
    let bytes = try file("quality-50.jpg")
    let video = [0xFF, 0xD8] + [UInt8](repeating: 0, count: 20 << 20) + bytes
    var reader = MJPEGReader(source(video, pieces: size), limits: ImageLimits(memory: 3 << 20))
    #expect(throws: MJPEGError.unending(offset: 0, limit: 1 << 20)) { try reader.next() }
    #expect(try reader.next() == ImageFile(decoding: bytes).upright)
    #expect(reader.warnings.isEmpty)
    #expect(try reader.next() == nil)
  }

  /// The length of the first image's segment is damaged.
  @Test func imageInsideASegmentThatIsCutOffIsRead() throws {
    let bytes = try file("quality-50.jpg")
    var reader = MJPEGReader(ByteSource([0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF] + bytes))
    #expect(try reader.next() == ImageFile(decoding: bytes).upright)
    #expect(reader.warnings.contains(.mjpeg(.unending(offset: 0, limit: 89_478_485))))
    #expect(try reader.next() == nil)
  }

  /// The bytes of the image count towards the limit, as those of a file.
  @Test func memoryLimitIsThatOfAFile() throws {
    let bytes = try JPEG.encode(
      Raster(width: 200, height: 200, channels: 3, samples: Array(repeating: 90, count: 120_000)))
    let limits = ImageLimits(memory: 100_000)
    var found: JPEGError?
    do { _ = try ImageFile(decoding: bytes, limits: limits) } catch .jpeg(let error) {
      found = error
    }
    let error = try #require(found)
    var reader = MJPEGReader(ByteSource(bytes), limits: limits)
    #expect(throws: MJPEGError.frame(offset: 0, error)) { try reader.next() }
  }

  @Test func interruptedSearchEndsTheVideo() throws {
    let workers = Workers.serial.checking(CancellationCheck { .cancelled })
    var reader = MJPEGReader(ByteSource(try file("quality-50.jpg")), workers: workers)
    #expect(throws: MJPEGError.stopped(.interrupted(.cancelled))) { try reader.next() }
    #expect(try reader.next() == nil)
  }

  /// The check stops the decoder of the first image. It begins again with the next one.
  @Test func interruptedImageIsFollowedByTheNext() throws {
    let bytes = try file("quality-50.jpg")
    let starts = Mutex(0)
    let questions = Mutex(0)
    let check = CancellationCheck(startingWith: {
      guard
        starts.increase() == 1
      else { return .never }
      return CancellationCheck {
        questions.increase() > 1 ? .deadlineExceeded : nil
      }
    })
    var reader = MJPEGReader(ByteSource(bytes + bytes), workers: .serial.checking(check))
    #expect(throws: MJPEGError.frame(offset: 0, .stopped(.interrupted(.deadlineExceeded)))) {
      try reader.next()
    }
    #expect(try reader.next() == ImageFile(decoding: bytes).upright)
  }

  @Test(arguments: [1, 1000, 1 << 20])
  func videoThatBeginsInsideAnImageIsReadFromTheNext(_ size: Int) throws {
    let bytes = try file("quality-50.jpg")
    let image = try ImageFile(decoding: bytes).upright
    let start = Array(bytes.suffix(bytes.count / 2))
    let bytesOfVideo = start + bytes + [0x80, 0xFF, 0x01] + bytes + [0x81] + bytes
    var found = source(bytesOfVideo, pieces: size)
    #expect(MJPEGReader.findsImage(in: &found))
    var reader = MJPEGReader(found)
    let strayBytes = [(start.count + bytes.count, 3), (start.count + 2 * bytes.count + 3, 1)]
    let warnings =
      [MJPEGError.startsInside(count: start.count)]
      + strayBytes.map { MJPEGError.stray(offset: $0.0, count: $0.1) }
    for warning in warnings {
      #expect(try reader.next() == image)
      #expect(reader.warnings == [.mjpeg(warning)])
    }
    #expect(try reader.next() == nil)
    #expect(reader.warnings.isEmpty)
    var strict = MJPEGReader(source(bytesOfVideo, pieces: size), isStrict: true)
    #expect(throws: MJPEGError.startsInside(count: start.count)) { try strict.next() }
    #expect(try strict.next() == image)
  }

  /// ffprobe counts 4 whole frames after the end of a fifth one. Pixels in areas of one color are
  /// within 4 of `ffmpeg -i startmid.mjpeg -pix_fmt rgb24` (5.1).
  @Test func readsFourWholeImagesOfTruncatedStream() throws {
    let bytes = try Fixtures.bytes(of: Fixtures.folder("Videos").appending(path: "startmid.mjpeg"))
    var reader = MJPEGReader(ByteSource(bytes))
    for number in 0..<4 {
      let image = try #require(try reader.next())
      #expect(image.size == ImageSize(width: 320, height: 240))
      #expect(reader.warnings == (number == 0 ? [.mjpeg(.startsInside(count: 5375))] : []))
      for (x, y, rgb) in [
        (124, 12, [254, 255, 0]), (68, 204, [0, 254, 1]), (284, 228, [0, 255, 255]),
      ] as [(Int, Int, [Int])] {
        let pixel = image[x, y]
        for (found, right) in zip([pixel.red, pixel.green, pixel.blue], rgb) {
          #expect(abs(Int(found) - right) <= 4)
        }
      }
    }
    #expect(try reader.next() == nil)
    #expect(reader.warnings.isEmpty)
  }

  @Test(arguments: [[], [1, 2, 3], [0xFF], [0xFF, 0xFF, 0xFF]] as [[UInt8]])
  func videoWithoutImagesIsAnError(_ bytes: [UInt8]) throws {
    var reader = MJPEGReader(ByteSource(bytes))
    #expect(throws: MJPEGError.empty) { try reader.next() }
    #expect(try reader.next() == nil)
  }
}
