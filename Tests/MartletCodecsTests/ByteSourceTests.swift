import Testing

@testable import MartletCodecs

@Suite struct ByteSourceTests {
  /// A source of the bytes 0..<count in pieces of the given size.
  private func source(_ count: Int, pieces size: Int) -> ByteSource {
    var next = 0
    return ByteSource {
      let piece = (next..<min(next + size, count)).map { UInt8(truncatingIfNeeded: $0) }
      next += piece.count
      return piece
    }
  }

  @Test(arguments: [1, 3, 7, 100])
  func readsAcrossPieces(_ size: Int) {
    var source = source(20, pieces: size)
    #expect(Array(source.peek(count: 3)) == [0, 1, 2])
    #expect(source.take(5) == [0, 1, 2, 3, 4])
    #expect(source.offset == 5)
    #expect(source.peek(4) == 9)
    #expect(source.peek() == 5)
    #expect(source.take(100) == (5..<20).map { UInt8($0) })
    #expect(source.offset == 20)
    #expect(source.peek() == nil)
    #expect(source.take(1) == [])
  }

  @Test func emptySourceReturnsNil() {
    var source = ByteSource([])
    #expect(source.peek() == nil)
    #expect(source.peek(count: 4).isEmpty)
  }
}
