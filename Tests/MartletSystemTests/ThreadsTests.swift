import Dispatch
import MartletBase
import MartletCLibrary
import MartletSystem
import Testing

@Suite struct ThreadsTests {
  @Test func eachBodyRunsOnceOnAnotherThread() throws {
    let caller = UInt(bitPattern: pthread_self().hashValue)
    let group = DispatchGroup()
    let others = Mutex(0)
    for _ in 0..<20 {
      group.enter()
      try Threads.start {
        if UInt(bitPattern: pthread_self().hashValue) != caller {
          others.withLock { $0 += 1 }
        }
        group.leave()
      }
    }
    #expect(group.wait(timeout: .now() + 30) == .success)
    #expect(others.withLock { $0 } == 20)
  }
}
