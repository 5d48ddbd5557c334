import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct DecodingWorkTests {
  /// 33,554,432 steps of every file, 256 for each of 10 bytes, and 4 for each of 100 samples.
  @Test func limitIsLinearInBytesAndSamples() {
    let work = DecodingWork(byteCount: 10, .serial)
    work.allow(samples: 100)
    #expect(work.charge(33_554_432))
    #expect(work.charge(2_560))
    #expect(work.charge(400))
    #expect(!work.charge(1))
    #expect(work.stop == .tooMuchWork(limit: 33_557_392))
    #expect(!work.charge(0))
  }

  @Test func streamsAllowWorkOnFurtherBytes() {
    let work = DecodingWork(byteCount: 0, .serial)
    work.allow(bytes: 3)
    #expect(work.charge(33_554_432 + 768))
    #expect(!work.charge(1))
  }

  @Test func throwsTheErrorOfTheFormat() {
    let work = DecodingWork(byteCount: 0, .serial)
    let stop = DecodingStop.tooMuchWork(limit: 33_554_432)
    #expect(throws: Never.self) { try work.check(PNGError.stopped) }
    #expect(throws: GIFError.stopped(stop)) { try work.charge(33_554_433, GIFError.stopped) }
    #expect(throws: PNGError.stopped(stop)) { try work.check(PNGError.stopped) }
  }

  /// The check is asked at the start and once for 262,144 steps.
  @Test func asksTheCheckAtIntervals() {
    let calls = CallCounter()
    let check = CancellationCheck { calls.next() > 3 ? .cancelled : nil }
    let work = DecodingWork(byteCount: 1 << 20, Workers.serial.checking(check))
    var steps = 0
    while work.charge(1024) { steps += 1024 }
    #expect(calls.count == 4)
    #expect(steps == 3 * 262_144)
    #expect(work.stop == .interrupted(.cancelled))
  }

  @Test func timeLimitStartsWithTheWork() {
    let starts = CallCounter()
    let check = CancellationCheck(startingWith: {
      _ = starts.next()
      return CancellationCheck { .deadlineExceeded }
    })
    let work = DecodingWork(byteCount: 0, Workers.serial.checking(check))
    #expect(starts.count == 1)
    #expect(!work.charge(1))
    #expect(work.stop == .interrupted(.deadlineExceeded))
  }

  // MARK: Decoders

  private static let files = [
    ("JPEG", "jpg"), ("PNG", "png"), ("WebP", "webp"), ("GIF", "gif"), ("TIFF", "tif"),
    ("BMP", "bmp"), ("PNM", "pnm"),
  ]

  @Test(arguments: files)
  func interruptionReachesEveryDecoder(_ folder: String, _ ending: String) throws {
    let files = try Fixtures.files(in: folder, withExtension: ending).map(Fixtures.bytes)
    #expect(!files.isEmpty)
    for reason in [Interruption.cancelled, .deadlineExceeded] {
      let workers = Workers.serial.checking(CancellationCheck { reason })
      for file in files where (try? ImageFile(decoding: file)) != nil {
        #expect(throws: ImageFileError.interrupted(reason)) {
          try ImageFile(decoding: file, workers: workers)
        }
      }
    }
  }
}

/// Counts calls from any thread.
final class CallCounter: Sendable {
  private let value = Mutex(0)
  var count: Int { value.withLock { $0 } }
  func next() -> Int {
    value.increase()
  }
}
