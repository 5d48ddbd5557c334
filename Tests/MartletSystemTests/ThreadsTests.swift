import Dispatch
import MartletSystem
import Synchronization
import Testing

@Suite struct ThreadsTests {
  @Test func eachBodyRunsOnceOnAnotherThread() throws {
    let caller = UInt(bitPattern: pthread_self().hashValue)
    let group = DispatchGroup()
    let others = Atomic(0)
    for _ in 0..<20 {
      group.enter()
      try Threads.start {
        if UInt(bitPattern: pthread_self().hashValue) != caller {
          others.add(1, ordering: .relaxed)
        }
        group.leave()
      }
    }
    #expect(group.wait(timeout: .now() + 30) == .success)
    #expect(others.load(ordering: .relaxed) == 20)
  }
}
