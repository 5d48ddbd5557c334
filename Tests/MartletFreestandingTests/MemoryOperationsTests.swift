import MartletFreestanding
import Testing

@Suite struct MemoryOperationsTests {
  /// Bytes that differ from their neighbors.
  static let bytes = (0..<96).map { UInt8($0 * 7 % 251) }

  @Test(arguments: [0, 1, 7, 8, 9, 16, 31])
  func copiesMovesAndFillsLikeArrays(_ count: Int) {
    for source in [0, 1, 3, 8, 33] {
      for target in [0, 2, 5, 8, 30, 40] {
        var moved = MemoryOperationsTests.bytes
        moved.withUnsafeMutableBytes { memory in
          guard let start = memory.baseAddress else { return }
          MemoryOperations.move(start + target, start + source, count)
        }
        var expected = MemoryOperationsTests.bytes
        expected.replaceSubrange(
          target..<target + count, with: MemoryOperationsTests.bytes[source..<source + count])
        #expect(moved == expected, "\(count) bytes from \(source) to \(target)")
      }
    }
    var (copied, filled) = (MemoryOperationsTests.bytes, MemoryOperationsTests.bytes)
    copied.withUnsafeMutableBytes { memory in
      guard let start = memory.baseAddress else { return }
      MemoryOperations.copy(start + 1, start + 50, count)
    }
    #expect(Array(copied[1..<1 + count]) == Array(MemoryOperationsTests.bytes[50..<50 + count]))
    #expect(copied[0] == 0 && copied[1 + count] == MemoryOperationsTests.bytes[1 + count])
    filled.withUnsafeMutableBytes { memory in
      guard let start = memory.baseAddress else { return }
      MemoryOperations.fill(start + 3, 0xA5, count)
    }
    #expect(filled[3..<3 + count].allSatisfy { $0 == 0xA5 })
    #expect(filled[2] == 14 && filled[3 + count] == MemoryOperationsTests.bytes[3 + count])
  }

  @Test(
    arguments: [
      ([1, 2, 3], [1, 2, 3], 3, 0), ([1, 2, 3], [1, 2, 4], 3, -1), ([1, 200], [1, 100], 2, 1),
      ([1, 2, 3], [1, 2, 4], 2, 0), ([], [], 0, 0),
    ] as [([UInt8], [UInt8], Int, Int)])
  func comparesByTheFirstDifference(_ a: [UInt8], _ b: [UInt8], _ count: Int, _ sign: Int) {
    let result = a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        guard let a = a.baseAddress, let b = b.baseAddress else { return Int32(0) }
        return MemoryOperations.compare(a, b, count)
      }
    }
    #expect(Int(result.signum()) == sign)
  }
}
