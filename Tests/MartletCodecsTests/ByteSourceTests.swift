import MartletTestSupport
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

  @Test(arguments: [1, 3, 7, 100])
  func findsBytesAcrossPieces(_ size: Int) {
    var source = source(20, pieces: size)
    #expect(source.distance(of: 9, from: 0, limit: 20) == 9)
    #expect(source.distance(of: 9, from: 9, limit: 10) == 9)
    #expect(source.distance(of: 9, from: 10, limit: 20) == nil)
    #expect(source.distance(of: 9, from: 0, limit: 9) == nil)
    #expect(source.distance(of: 19, from: 30, limit: 40) == nil)
    source.drop(5)
    #expect(source.distance(of: 9, from: 0, limit: .max) == 4)
    #expect(source.peekBuffered().first == 5)
    #expect(source.takeByte() == 5)
    #expect(source.takePiece().first == 6)
  }

  /// Any sequence of operations returns the bytes of an array.
  @Test(arguments: 0..<50)
  func readsTheBytesInOrder(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let pieces = Int(random.next() % 50) + 1
    var (source, position) = (source(5000, pieces: pieces), 0)
    func byte(_ index: Int) -> UInt8? { index < 5000 ? UInt8(truncatingIfNeeded: index) : nil }
    while position < 5000 {
      let count = Int(random.next() % 100)
      switch random.next() % 5 {
      case 0: #expect(source.peek(count) == byte(position + count))
      case 1:
        let bytes = source.peek(count: count)
        #expect(Array(bytes) == (0..<count).compactMap { byte(position + $0) })
      case 2:
        #expect(source.take(count) == (0..<count).compactMap { byte(position + $0) })
        position = min(position + count, 5000)
      case 3:
        let piece = source.takePiece()
        #expect(piece == piece.indices.compactMap { byte(position + $0) })
        position += piece.count
      default:
        #expect(source.takeByte() == byte(position))
        position += 1
      }
      #expect(source.offset == position)
    }
  }

  @Test func emptySourceReturnsNil() {
    var source = ByteSource([])
    #expect(source.peek() == nil)
    #expect(source.peek(count: 4).isEmpty)
  }
}
