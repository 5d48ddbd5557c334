import Testing

@testable import MartletReference

@Suite struct OneHotTests {
  private func hot(_ indices: [Int64], depth: Int, inner: Int) -> [UInt8] {
    combined([UInt8(1)], indices, indices.count * depth, of: UInt8(0)) { on, indices, y in
      guard let on = on.baseAddress, let y = y.baseAddress else { return }
      Reference.setHot(indices, depth: depth, inner: inner, on: on, size: 1, into: y)
    }
  }

  @Test func setsOneOfEachRow() {
    #expect(hot([2, 0], depth: 3, inner: 1) == [0, 0, 1, 1, 0, 0])
  }

  @Test func setsOneOfEachColumn() {
    // [2, depth 2, 2]
    #expect(hot([0, 1, 1, 1], depth: 2, inner: 2) == [1, 0, 0, 1, 0, 0, 1, 1])
  }

  @Test func ignoresIndicesOutOfRange() {
    #expect(hot([-1, 2, 1 << 31, .max], depth: 2, inner: 1) == [UInt8](repeating: 0, count: 8))
  }

  @Test func wideIndicesAreTruncated() {
    #expect(hot([1 << 32 | 1], depth: 2, inner: 1) == [0, 1])
  }
}
