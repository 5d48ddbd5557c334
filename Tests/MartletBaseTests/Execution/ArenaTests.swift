import Testing

@testable import MartletBase

@Suite struct ArenaTests {
  @Test(arguments: [(0, 64), (1, 64), (63, 64), (64, 64), (65, 128), (1000, 1024)])
  func isAlignedAndZeroAndNeverEmpty(requested: Int, allocated: Int) {
    let arena = Arena(byteCount: requested)
    #expect(arena.byteCount == allocated)
    #expect(UInt(bitPattern: arena.base) % 64 == 0)
    let bytes = UnsafeRawBufferPointer(start: arena.base, count: arena.byteCount)
    #expect(bytes.allSatisfy { $0 == 0 })
  }

  @Test func copiesTheSourceAndPadsWithZeros() {
    let source = (1...70).map { UInt8($0) }
    let arena = source.withUnsafeBytes { Arena(copying: $0) }
    let bytes = UnsafeRawBufferPointer(start: arena.base, count: arena.byteCount)
    #expect(Array(bytes) == source + [UInt8](repeating: 0, count: 58))
  }

  @Test func copiesAnEmptySource() {
    let arena = Arena(copying: UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(arena.byteCount == 64)
  }

  @Test(arguments: [(0, 0), (1, 64), (64, 64), (129, 192)])
  func roundsUp(count: Int, aligned: Int) {
    #expect(Arena.aligned(count) == aligned)
  }
}
