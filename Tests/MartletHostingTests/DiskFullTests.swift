import Foundation
import MartletTestServer
import Testing

@testable import MartletHosting

import MartletCLibrary

@Suite(.timeLimit(.minutes(5))) struct DiskFullTests {
  @Test func rejectsFileWithoutRoomBeforeReading() async throws {
    let bench = try HostingBench()
    let size = 1 << 60
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.cut("200 OK", "ETag: \"1\"\r\n", announcing: 1 << 60, sending: [1])
    }
    do {
      _ = try await bench.manager { $0.maximumModelSize = Int.max }
        .model(HostingBench.fileModel(server))
      Issue.record("an exbibyte was downloaded")
    } catch {
      guard case .notEnoughSpace(needed: size, available: let available?) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(available < size && error.code == .notEnoughSpace)
    }
  }

  /// Runs in its own process, in which no file may exceed 200,000 bytes. This gives the same error
  /// as a full disk.
  @Test func keepsOldModelIfDiskIsFull() async {
    await #expect(processExitsWith: .success) {
      let bench = try HostingBench()
      let (old, new) = (HostingBench.bytes(1, count: 100_000), HostingBench.bytes(2))
      let offer = Offer(old, "1")
      let server = try DownloadTests.server(offer)
      let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
      _ = try await manager.model(model)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
      #if os(Linux)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      #else
        try #require(setrlimit(RLIMIT_FSIZE, &limit) == 0)
      #endif
      offer.replace(new, "2")
      await #expect(throws: ModelHostingError.notEnoughSpace(needed: nil, available: nil)) {
        try await manager.model(model)
      }
      #expect(bench.stored(model) == old)
      let left = SystemFile.list(bench.modelFolder(model).path)
      #expect(left == ["current", "download.lock", "lock", "versions"])
      offer.replace(HostingBench.bytes(3, count: 150_000), "3")
      _ = try await manager.model(model)
      #expect(bench.stored(model) == HostingBench.bytes(3, count: 150_000))
    }
  }
}
