import Dispatch
import Foundation
import MartletBase
import MartletSystem
import MartletTestSupport
import Testing

@testable import Martlet

/// A detector's frame queue, with a detector that blocks until the test releases it.
@Suite struct DetectorCallsTests {
  /// A detector in which each image signals `begins`, then waits for `gate`.
  private static func detector(
    gate: DispatchSemaphore, begins: DispatchSemaphore, isStream: Bool = true
  ) -> DetectorCalls<Int> {
    DetectorCalls(isStream: isStream, refusesMainThread: false) { () throws(VisionError) in
      .init { (frame) throws(VisionError) in
        begins.signal()
        _ = gate.wait(timeout: .now() + 60)
        return [frame.size.width]
      }
    }
  }

  /// A gray frame: by default 16 MiB plus `index` columns.
  private static func frame(_ index: Int, width: Int = 4096, height: Int = 4096) throws
    -> InputImage
  {
    let size = ImageSize(width: width + index, height: height)
    let bytes = [UInt8](repeating: 0, count: size.width * height)
    return InputImage(
      try PixelBuffer(width: size.width, height: height, format: .gray, bytes: bytes))
  }

  /// Waits on a separate thread, because task threads must not block.
  private static func wait(for semaphore: DispatchSemaphore) async {
    _ = try? await callbackValue { (ended: @escaping @Sendable (DispatchTimeoutResult) -> Void) in
      Thread.detachNewThread { ended(semaphore.wait(timeout: .now() + 60)) }
    }
  }

  private struct Outcome: Sendable, Equatable {
    let index: Int
    let found: Result<[Int], VisionError>
  }

  /// Calls `detect` for the first frame, waits until its processing starts, then calls it for the
  /// others. Returns the results in the order of the completions.
  private static func outcomes(of frames: [InputImage]) async -> [Outcome] {
    let (gate, begins) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let calls = detector(gate: gate, begins: begins)
    let (outcomes, ends) = AsyncStream.makeStream(of: Outcome.self)
    for (index, frame) in frames.enumerated() {
      calls.detect(frame) { ends.yield(Outcome(index: index, found: $0)) }
      if index == 0 { await wait(for: begins) }
    }
    for _ in frames { gate.signal() }
    var all: [Outcome] = []
    for await outcome in outcomes {
      all.append(outcome)
      if all.count == frames.count { break }
    }
    return all
  }

  /// Three frames of just over 16 MiB fit in 64 MiB. Of five waiting frames the two oldest are
  /// dropped.
  @Test(.timeLimit(.minutes(5))) func oldestFramesBeyond64MiBAreDropped() async throws {
    let outcomes = await DetectorCallsTests.outcomes(
      of: try (0...5).map { try DetectorCallsTests.frame($0 + 1) })
    #expect(
      outcomes == [
        Outcome(index: 1, found: .failure(.frameDropped)),
        Outcome(index: 2, found: .failure(.frameDropped)),
        Outcome(index: 0, found: .success([4097])), Outcome(index: 3, found: .success([4100])),
        Outcome(index: 4, found: .success([4101])), Outcome(index: 5, found: .success([4102])),
      ])
    #expect("\(VisionError.frameDropped)".contains("64 MiB"))
  }

  /// 64 MiB hold 145 frames of 460,800 bytes, the size of 640 x 480 pixels in NV12.
  @Test(.timeLimit(.minutes(5))) func fiveSecondsOfVGAFramesCanWait() async throws {
    let frame = try DetectorCallsTests.frame(0, width: 640, height: 720)
    let outcomes = await DetectorCallsTests.outcomes(of: (0...146).map { _ in frame })
    #expect(outcomes.first == Outcome(index: 1, found: .failure(.frameDropped)))
    #expect(outcomes.dropFirst().map(\.index) == [0] + Array(2...146))
    #expect(outcomes.dropFirst().allSatisfy { $0.found == .success([640]) })
  }

  @Test(.timeLimit(.minutes(5))) func oneFrameOfAnySizeCanWait() async throws {
    let frame = try DetectorCallsTests.frame(0, width: 8192, height: 8193)
    let outcomes = await DetectorCallsTests.outcomes(of: [frame, frame, frame])
    #expect(
      outcomes == [
        Outcome(index: 1, found: .failure(.frameDropped)),
        Outcome(index: 0, found: .success([8192])), Outcome(index: 2, found: .success([8192])),
      ])
  }

  /// Frames of waiting tasks are not dropped and do not displace others.
  @Test(.timeLimit(.minutes(5))) func framesOfTasksAreNeverDropped() async throws {
    let (gate, begins) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let calls = DetectorCallsTests.detector(gate: gate, begins: begins)
    let frame = try DetectorCallsTests.frame(0)
    let found = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<20 { group.addTask { try await calls.found(in: frame) } }
      await DetectorCallsTests.wait(for: begins)
      for _ in 0..<20 { gate.signal() }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found == [[Int]](repeating: [4096], count: 20))
  }

  /// Images hold all threads; of 17 MiB, 15 may wait in 256 MiB, the others are refused at once. Runs
  /// in its own process, because detectors of other tests use the same threads.
  @Test(.timeLimit(.minutes(5))) func stillImagesBeyond256MiBAreRefused() async {
    await #expect(processExitsWith: .success) {
      let (gate, begins) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let calls = DetectorCallsTests.detector(gate: gate, begins: begins, isStream: false)
      let (outcomes, ends) = AsyncStream.makeStream(of: Outcome.self)
      let frame = try DetectorCallsTests.frame(0, width: 4096, height: 17 << 8)
      let first = Processors.count
      for index in 0..<first + 20 {
        calls.detect(frame) { ends.yield(Outcome(index: index, found: $0)) }
        if index < first { await DetectorCallsTests.wait(for: begins) }
      }
      for _ in 0..<first + 15 { gate.signal() }
      var all: [Outcome] = []
      for await outcome in outcomes {
        all.append(outcome)
        if all.count == first + 20 { break }
      }
      #expect(
        Array(all.prefix(5))
          == (first + 15..<first + 20).map { Outcome(index: $0, found: .failure(.tooManyImages)) })
      #expect(Set(all.dropFirst(5).map(\.index)) == Set(0..<first + 15))
      #expect(all.dropFirst(5).allSatisfy { $0.found == .success([4096]) })
      #expect("\(VisionError.tooManyImages)".contains("256 MiB"))
      // Processed images leave room for others.
      let next = try await callbackValue { (end: @escaping @Sendable (Int) -> Void) in
        gate.signal()
        calls.detect(frame) { end((try? $0.get().first) ?? 0) }
      }
      #expect(next == 4096)
    }
  }

  /// Small images count 4 KiB each: 65,536 may wait.
  @Test(.timeLimit(.minutes(5))) func smallStillImagesAreBoundedToo() async {
    await #expect(processExitsWith: .success) {
      let (gate, begins) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let calls = DetectorCallsTests.detector(gate: gate, begins: begins, isStream: false)
      let frame = try DetectorCallsTests.frame(0, width: 1, height: 1)
      for _ in 0..<Processors.count {
        calls.detect(frame) { _ in }
        await DetectorCallsTests.wait(for: begins)
      }
      let refused = Mutex(0)
      for _ in 0..<70_000 {
        calls.detect(frame) { result in
          if result == .failure(.tooManyImages) { refused.withLock { $0 += 1 } }
        }
      }
      #expect(refused.withLock { $0 } == 70_000 - 65_536)
      for _ in 0..<Processors.count + 65_536 { gate.signal() }
    }
  }

  #if os(Linux)
    /// The number of threads of this process, as the kernel reports it.
    private static func threadCount() throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("Threads:") }
      return try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
    }

    /// 300 streams with three frames each use one thread per processor and a few for callbacks.
    /// Runs in its own process, because other tests use threads too.
    @Test(.timeLimit(.minutes(5))) func manyStreamsShareFewThreads() async {
      await #expect(processExitsWith: .success) {
        let before = try DetectorCallsTests.threadCount()
        let streams = (0..<300).map { _ in
          DetectorCalls<Int>(isStream: true, refusesMainThread: false) { () throws(VisionError) in
            .init { (frame) throws(VisionError) in
              Thread.sleep(forTimeInterval: 0.002)
              return [frame.size.width]
            }
          }
        }
        let frame = try DetectorCallsTests.frame(0)
        let queue = DispatchQueue(label: "callbacks")
        let (outcomes, ends) = AsyncStream.makeStream(of: Int.self)
        for _ in 0..<3 {
          for stream in streams {
            stream.detect(frame) { result in
              queue.async { ends.yield((try? result.get().first) ?? 0) }
            }
          }
        }
        var (count, most) = (0, 0)
        for await width in outcomes {
          #expect(width == 4096)
          most = max(most, try DetectorCallsTests.threadCount())
          count += 1
          if count == 3 * streams.count { break }
        }
        #expect(most - before <= 2 * Processors.count + 8)
      }
    }
  #endif
}
