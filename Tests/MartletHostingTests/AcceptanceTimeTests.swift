import Foundation
import Martlet
import MartletBase
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletHosting

/// Models that would take minutes or hours to prepare.
@Suite(.timeLimit(.minutes(5))) struct AcceptanceTimeTests {
  /// Far less than the hours that a check without an end takes. Tests beside this suite can delay a
  /// task by half a minute.
  private static let patience = Duration.seconds(200)

  /// 10¹² products of constants: hours with the reference kernels.
  private static func products() throws -> [UInt8] {
    try Fixtures.bytes(of: Fixtures.folder("Models").appending(path: "constant_products.tflite"))
  }

  /// Prepares a classifier, including all its constants, however much work that is.
  private static let checksConstants = ModelAcceptance { path throws(VisionError) in
    let bytes = (try? [UInt8](Data(contentsOf: URL(filePath: path)))) ?? []
    let options = Interpreter.Options(kernels: .reference, workLimit: .max).stoppingWithCall
    _ = try Classifier(ModelFile(bytes), options: options, lock: .none)
  }

  private func elapsed(_ body: () async throws -> Void) async rethrows -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    return clock.now - start
  }

  @Test func modelCheckComputesNoConstants() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(try AcceptanceTimeTests.products(), "1"))
    let manager = bench.manager { $0.acceptance = .classifier }
    let time = await elapsed {
      _ = try? await manager.model(HostingBench.fileModel(server))
    }
    #expect(time < AcceptanceTimeTests.patience)
  }

  @Test func timeLimitEndsModelCheck() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(try AcceptanceTimeTests.products(), "1"))
    let manager = bench.manager {
      $0.acceptance = AcceptanceTimeTests.checksConstants
      $0.timeLimit = 1
    }
    let time = await elapsed {
      await #expect(throws: ModelHostingError.timedOut(limit: 1)) {
        try await manager.model(HostingBench.fileModel(server))
      }
    }
    #expect(time < AcceptanceTimeTests.patience)
  }

  @Test func cancellingADownloadEndsTheCheck() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(try AcceptanceTimeTests.products(), "1"))
    let manager = bench.manager { $0.acceptance = AcceptanceTimeTests.checksConstants }
    let model = HostingBench.fileModel(server)
    let download = Task { try await manager.model(model) }
    try await Task.sleep(for: .seconds(1))
    let time = await elapsed {
      download.cancel()
      _ = await download.result
      // Waits for the download to end.
      try? await manager.deleteDownloadedModel(model)
    }
    #expect(time < AcceptanceTimeTests.patience)
  }

  @Test func otherTasksRunDuringModelCheck() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(DownloadTests.old, "1"))
    let checking = Mutex(0)
    let manager = bench.manager {
      $0.acceptance = ModelAcceptance { _ in
        checking.withLock { $0 += 1 }
        Thread.sleep(forTimeInterval: 4)
      }
    }
    // One more than the number of threads for tasks.
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    let downloads = (0..<count).map { index in
      let model = CustomRemoteModel(
        remoteModelSource: HTTPModelSource(
          name: "m\(index)", modelURL: server.url("/m\(index).tflite")))
      return Task { try await manager.model(model) }
    }
    while checking.withLock({ $0 }) < count { try await Task.sleep(for: .milliseconds(10)) }
    let time = await elapsed { await Task.detached {}.value }
    #expect(time < .seconds(3))
    for download in downloads { _ = try await download.value }
  }
}
