import MartletBase
import Testing

@testable import MartletModel

@Suite struct FileBytesTests {
  @Test func readsTheBytesOfAnArray() {
    let bytes = FileBytes([3, 1, 4, 1, 5])
    #expect(bytes.count == 5 && bytes[0] == 3 && bytes[4] == 5)
    #expect(Array(bytes) == [3, 1, 4, 1, 5] && Array(bytes[1..<4]) == [1, 4, 1])
    #expect(Array(bytes.memory) == [3, 1, 4, 1, 5])
    #expect(FileBytes([]).isEmpty)
  }

  @Test func releasesMemoryAfterTheLastUse() {
    let releases = Mutex(0)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 8)
    memory.copyBytes(from: [9, 8, 7, 6])
    var bytes: FileBytes? = FileBytes(UnsafeRawBufferPointer(memory)) { released in
      releases.withLock { $0 += 1 }
      released.deallocate()
    }
    var slice = bytes?[2...]
    bytes = nil
    #expect(releases.withLock { $0 } == 0 && slice.map { Array($0) } == [7, 6])
    slice = nil
    #expect(releases.withLock { $0 } == 1)
  }

  @Test func readingPastTheEndTraps() async {
    await #expect(processExitsWith: .failure) { _ = FileBytes([1])[1] }
    await #expect(processExitsWith: .failure) { _ = FileBytes([1])[-1] }
  }
}
