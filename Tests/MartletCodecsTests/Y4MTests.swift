import MartletBase
import MartletImage
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct Y4MTests {
  private func frames(_ bytes: [UInt8]) throws -> [RGBImage] {
    var reader = try Y4MReader(ByteSource(bytes))
    var frames: [RGBImage] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
  }

  private func error(_ bytes: [UInt8]) -> Y4MError? {
    do throws(Y4MError) {
      var reader = try Y4MReader(ByteSource(bytes), isStrict: true)
      while try reader.next() != nil {}
      return nil
    } catch { return error }
  }

  private func video(_ parameters: String, _ frames: [[UInt8]], mark: String = "FRAME") -> [UInt8] {
    Array("YUV4MPEG2 \(parameters)\n".utf8) + frames.flatMap { Array("\(mark)\n".utf8) + $0 }
  }

  /// Each layout's planes for 4 x 2 pixels with uniform chroma: Cb 90, Cr 240.
  @Test(arguments: [
    ("", 2), ("C420", 2), ("C420jpeg", 2), ("C420mpeg2", 2), ("C420paldv", 2), ("C422", 4),
    ("C411", 2), ("C444", 8), ("C444alpha", 8),
  ])
  func readsEachLayout(_ layout: String, _ chromaCount: Int) throws {
    let luma: [UInt8] = [81, 81, 81, 81, 145, 145, 41, 41]
    let alpha = layout == "C444alpha" ? [UInt8](repeating: 7, count: 8) : []
    let planes =
      luma + [UInt8](repeating: 90, count: chromaCount)
      + [UInt8](repeating: 240, count: chromaCount) + alpha
    let frames = try frames(video("W4 H2 F25:1 Ip A1:1 \(layout)", [planes, planes]))
    #expect(frames.count == 2)
    // (81, 90, 240) is pure red in BT.601's video range.
    let red = frames[0][0, 0]
    #expect(red.red >= 253 && red.green <= 2 && red.blue <= 2)
    #expect(frames[0] == frames[1])
  }

  @Test func readsGray() throws {
    let frames = try frames(video("W3 H1 Cmono", [[16, 126, 235]]))
    #expect(frames.map(\.pixels) == [[0, 0, 0, 128, 128, 128, 255, 255, 255]])
  }

  @Test func honorsFullRange() throws {
    let frames = try frames(video("W3 H1 Cmono XYSCSS=MONO XCOLORRANGE=FULL", [[0, 77, 255]]))
    #expect(frames.map(\.pixels) == [[0, 0, 0, 77, 77, 77, 255, 255, 255]])
  }

  /// Black, middle gray and white in video range are 16, 126 and 235 times a power of two.
  @Test(arguments: [9, 10, 12, 14, 16])
  func readsSamplesOfMoreBits(_ depth: Int) throws {
    func words(_ samples: [Int]) -> [UInt8] {
      samples.map { $0 << (depth - 8) }.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }
    let gray = try frames(video("W3 H1 Cmono\(depth)", [words([16, 126, 235])]))
    #expect(gray.map(\.pixels) == [[0, 0, 0, 128, 128, 128, 255, 255, 255]])
    for (layout, chromaCount) in [("420", 2), ("422", 4), ("444", 8)] {
      let planes =
        [81, 81, 81, 81, 145, 145, 41, 41] + [Int](repeating: 90, count: chromaCount)
        + [Int](repeating: 240, count: chromaCount)
      let deep = try frames(video("W4 H2 C\(layout)p\(depth)", [words(planes)]))
      #expect(try deep == frames(video("W4 H2 C\(layout)", [planes.map { UInt8($0) }])))
    }
  }

  /// The largest full-range sample is white; bits above the depth are ignored.
  @Test func fullRangeOfMoreBitsReachesWhite() throws {
    let bytes = video("W4 H1 Cmono10 XCOLORRANGE=FULL", [[0, 0, 0, 2, 0xFF, 3, 0xFF, 0xFF]])
    #expect(
      try frames(bytes).map { $0.pixels.map(Int.init) } == [
        [0, 0, 0, 128, 128, 128, 255, 255, 255, 255, 255, 255]
      ])
  }

  /// Four pixels of each frame of `ffmpeg -i 420p10.y4m -pix_fmt rgb24` (4.4), within 2.
  @Test func readsBothFramesOfAVideoOfTenBits() throws {
    let path = Fixtures.folder("Videos").appending(path: "420p10.y4m")
    let frames = try frames(Fixtures.bytes(of: path))
    #expect(frames.map(\.size) == [ImageSize](repeating: .init(width: 64, height: 48), count: 2))
    for (frame, x, y, rgb) in [
      (0, 4, 4, [0, 0, 0]),
      (0, 30, 4, [0, 0, 253]),
      (0, 60, 4, [253, 253, 253]),
      (0, 30, 20, [0, 0, 253]),
      (1, 4, 4, [0, 0, 0]),
      (1, 30, 4, [0, 0, 253]),
      (1, 60, 4, [253, 253, 253]),
      (1, 30, 20, [0, 0, 253]),
    ] as [(Int, Int, Int, [Int])] {
      let pixel = frames[frame][x, y]
      for (found, right) in zip([pixel.red, pixel.green, pixel.blue], rgb) {
        #expect(abs(Int(found) - right) <= 2)
      }
    }
  }

  @Test(arguments: 1...8)
  func cutOffLastFrameIsDroppedWithAWarning(_ count: Int) throws {
    let whole = video("W3 H1 Cmono", [[16, 126, 235], [16, 126, 235]])
    var reader = try Y4MReader(ByteSource(whole.dropLast(count)))
    #expect(try reader.next() != nil)
    #expect(try reader.next() == nil)
    #expect(reader.warnings.count == 1)
  }

  /// 10,000 pixels take 30,000 bytes as RGB, beside the frame's bytes. Gray is copied once, with
  /// 5,000 samples of chroma.
  @Test(arguments: [
    ("420jpeg", 15000 + 30000), ("422", 20000 + 30000), ("411", 15000 + 30000),
    ("444", 30000 + 30000), ("444alpha", 40000 + 30000), ("mono", 10000 + 15000 + 30000),
    ("420p10", 30000 + 30000), ("444p16", 60000 + 30000), ("mono16", 20000 + 15000 + 30000),
  ])
  func memoryLimitIsExactToTheByte(_ layout: String, _ needed: Int) throws {
    let bytes = video("W100 H100 C\(layout)", [])
    _ = try Y4MReader(ByteSource(bytes), limits: ImageLimits(memory: needed))
    let limits = ImageLimits(memory: needed - 1)
    let excess = MemoryExcess(needed: Int64(needed), limit: Int64(needed - 1))
    #expect(throws: Y4MError.memory(excess)) { try Y4MReader(ByteSource(bytes), limits: limits) }
  }

  /// 14,000² pixels take 4.5 bytes each: 841 MiB.
  @Test func hugeFramesAreRefusedFromTheHeader() {
    let bytes = video("W14000 H14000 F25:1 C420jpeg", [])
    #expect(
      throws: Y4MError.memory(MemoryExcess(needed: 882_000_000, limit: 268_435_456))
    ) { try Y4MReader(ByteSource(bytes)) }
  }

  @Test func interruptionStopsAFrame() throws {
    let workers = Workers.serial.checking(CancellationCheck { .deadlineExceeded })
    var reader = try Y4MReader(ByteSource(video("W1 H1 Cmono", [[235]])), workers: workers)
    #expect(throws: Y4MError.stopped(.interrupted(.deadlineExceeded))) { try reader.next() }
  }

  @Test func skipsFrameParameters() throws {
    let bytes = video("W1 H1 Cmono", [[235]], mark: "FRAME Ip XNOTE=1")
    #expect(try frames(bytes).map(\.pixels) == [[255, 255, 255]])
  }

  @Test func readsTheFrameRate() throws {
    let reader = try Y4MReader(ByteSource(video("W2 H2 F30000:1001", [])))
    #expect(reader.header.rate == (30000, 1001))
  }

  @Test(
    arguments: [
      ("", .badSignature), ("YUV4MPEG", .badSignature), ("RIFF....WAVE", .badSignature),
      ("YUV4MPEG2 W2 H2", .lineTooLong(offset: 0, limit: 4096)),
      ("YUV4MPEG2 W2\n", .missingSize), ("YUV4MPEG2\n", .missingSize),
      ("YUV4MPEG2 W0 H2\n", .badSize(width: 0, height: 2)),
      ("YUV4MPEG2 W99999 H99999\n", .badSize(width: 99999, height: 99999)),
      ("YUV4MPEG2 W-1 H2\n", .badParameter(offset: 10, letter: 87)),
      ("YUV4MPEG2 W2 H99999999999\n", .badParameter(offset: 13, letter: 72)),
      ("YUV4MPEG2 W2 H2 F25\n", .badParameter(offset: 16, letter: 70)),
      ("YUV4MPEG2 W2 H2 F25::1\n", .badParameter(offset: 16, letter: 70)),
      ("YUV4MPEG2 W2 H2 C420p11\n", .unsupportedChroma(name: "420p11")),
      ("YUV4MPEG2 W2 H2\nFRAM", .truncated(offset: 16, missing: 8)),
      ("YUV4MPEG2 W2 H2\nFRAME I", .lineTooLong(offset: 16, limit: 4096)),
      ("YUV4MPEG2 W2 H2\nFRAMES\n", .missingFrame(offset: 16)),
      ("YUV4MPEG2 W2 H2\nFRAME\nabc", .truncated(offset: 22, missing: 3)),
    ] as [(String, Y4MError)])
  func refusesDamage(_ text: String, _ expected: Y4MError) {
    #expect(error(Array(text.utf8)) == expected)
  }

  @Test func rejectsEndlessLine() {
    let bytes = Array("YUV4MPEG2 ".utf8) + [UInt8](repeating: 88, count: 100_000)
    #expect(error(bytes) == .lineTooLong(offset: 0, limit: 4096))
  }

  @Test func damagedVideosNeverTrap() {
    var random = SplitMix64(seed: 3)
    let whole = video("W4 H4 F25:1 C420jpeg", [[UInt8](repeating: 9, count: 24)])
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = error(Array(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1)))))
    }
  }

  @Test func writtenVideoIsReadBack() throws {
    let image = try RGBImage(
      width: 5, height: 3, filledWith: .init(red: 200, green: 40, blue: 90))
    let header = Y4MHeader(size: image.size, rate: (24, 1))
    let bytes = Y4MWriter.header(header) + Y4MWriter.frame(image) + Y4MWriter.frame(image)
    var reader = try Y4MReader(ByteSource(bytes))
    #expect(reader.header == header)
    var count = 0
    while let frame = try reader.next() {
      count += 1
      for (a, b) in zip(frame.pixels, image.pixels) { #expect(abs(Int(a) - Int(b)) <= 2) }
    }
    #expect(count == 2)
  }
}
