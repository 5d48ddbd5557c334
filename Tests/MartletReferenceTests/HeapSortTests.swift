import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct HeapSortTests {
  private func sorted(_ elements: [Int], count: Int? = nil) -> [Int] {
    var elements = elements
    elements.withUnsafeMutableBufferPointer {
      Reference.heapSort($0, count: count ?? $0.count, by: <)
    }
    return elements
  }

  @Test(arguments: [0, 1, 2, 3, 10, 31, 32, 33, 500])
  func sortsAsTheStandardLibraryDoes(_ count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let elements = (0..<count).map { _ in Int(random.next() % 40) }
    #expect(sorted(elements) == elements.sorted())
  }

  @Test func keepsElementsBeyondTheCount() {
    #expect(sorted([3, 1, 2, 0, -1], count: 3) == [1, 2, 3, 0, -1])
  }
}
