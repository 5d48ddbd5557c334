import Foundation
import MartletBase
import MartletSystem
import Testing

@testable import MartletHosting

/// Locks and digests do not occupy the threads that run tasks.
@Suite(.timeLimit(.minutes(5))) struct BlockingWorkTests {
  private final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }
    /// Returns the new value.
    func increase() -> Int {
      number.increase()
    }
  }

  @Test func returnsValuesAndErrors() async throws {
    #expect(await onOwnThread { 7 } == 7)
    await #expect(throws: ModelHostingError.cancelled) {
      try await onOwnThread { () throws(ModelHostingError) in throw .cancelled }
    }
  }

  /// More waiting calls than tasks have threads; each of them ends only after all have begun.
  @Test func moreCallsThanProcessorsRunAtOnce() async {
    let count = 2 * Processors.count + 2
    let gate = Gate()
    let begun = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          await onOwnThread {
            if begun.increase() == count {
              for _ in 0..<count { gate.open() }
            }
            gate.waitUntilOpen()
          }
        }
      }
    }
    #expect(begun.value == count)
  }

  /// While another holder has the lock of the model, tasks that delete it wait, and others run.
  @Test func deletionWaitsForTheLockWithoutAThreadOfTasks() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(HostingBench.bytes(1), "1"))
    let model = HostingBench.fileModel(server)
    let manager = bench.manager()
    _ = try await manager.model(model)
    let folder = manager.folder(of: model)
    var lock: FileLock? = try FileLock(waitingFor: folder.path + "/lock")
    let ended = Counter()
    let tasks = (0..<2 * Processors.count + 2).map { _ in
      Task {
        // All but one find no model.
        try? await manager.deleteDownloadedModel(model)
        _ = ended.increase()
      }
    }
    // Runs on a thread of tasks, though all deletions wait.
    for _ in 0..<20 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(ended.value == 0 && lock != nil)
    lock = nil
    for task in tasks { await task.value }
    #expect(ended.value == tasks.count && !manager.isModelDownloaded(model))
  }
}
