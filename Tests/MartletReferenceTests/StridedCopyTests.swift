import MartletReference
import Testing

@Suite struct StridedCopyTests {
  private func run(
    _ copy: StridedCopy, _ source: [UInt8], into count: Int
  ) -> [UInt8] {
    var result = [UInt8](repeating: 0xEE, count: count)
    source.withUnsafeBytes { source in
      result.withUnsafeMutableBytes { result in
        guard let from = source.baseAddress, let to = result.baseAddress else { return }
        copy(from: from, to: to)
      }
    }
    return result
  }

  /// Elements of `width` bytes that repeat the element's number in every byte.
  private func elements(_ numbers: some Sequence<Int>, width: Int) -> [UInt8] {
    numbers.flatMap { number in (0..<width).map { UInt8((number * 7 + $0) & 0xFF) } }
  }

  @Test(arguments: [1, 2, 4, 8, 16])
  func transposesElementsOfEveryWidth(_ width: Int) {
    // [2, 3] to [3, 2].
    let copy = StridedCopy(
      [
        .init(extent: 3, source: width, destination: 2 * width),
        .init(extent: 2, source: 3 * width, destination: width),
      ], elementSize: width)
    #expect(
      run(copy, elements(0..<6, width: width), into: 6 * width)
        == elements([0, 3, 1, 4, 2, 5], width: width))
  }

  @Test func copiesABoxOutOfThreeAxes() {
    // Of [2, 3, 4] the box [0..<2, 1..<3, 1..<3].
    let copy = StridedCopy(
      [
        .init(extent: 2, source: 12, destination: 4), .init(extent: 2, source: 4, destination: 2),
        .init(extent: 2, source: 1, destination: 1),
      ], elementSize: 1, sourceStart: 5)
    #expect(run(copy, [UInt8](0..<24), into: 8) == [5, 6, 9, 10, 17, 18, 21, 22])
  }

  @Test func reversesAndRepeats() {
    let reverse = StridedCopy(
      [.init(extent: 4, source: -1, destination: 1)], elementSize: 1, sourceStart: 3)
    #expect(run(reverse, [1, 2, 3, 4], into: 4) == [4, 3, 2, 1])
    let repeated = StridedCopy(
      [.init(extent: 3, source: 0, destination: 2), .init(extent: 2, source: 1, destination: 1)],
      elementSize: 1)
    #expect(run(repeated, [1, 2], into: 6) == [1, 2, 1, 2, 1, 2])
  }

  @Test func keepsRestOfDestination() {
    let copy = StridedCopy(
      [.init(extent: 2, source: 2, destination: 3), .init(extent: 2, source: 1, destination: 1)],
      elementSize: 1, destinationStart: 1)
    #expect(run(copy, [1, 2, 3, 4], into: 6) == [0xEE, 1, 2, 0xEE, 3, 4])
  }

  @Test func copiesNothingOfAnEmptyBox() {
    let copy = StridedCopy(
      [.init(extent: 0, source: 1, destination: 1), .init(extent: 2, source: 1, destination: 1)],
      elementSize: 1)
    #expect(run(copy, [1, 2], into: 2) == [0xEE, 0xEE])
  }

  @Test func copiesAScalar() {
    #expect(run(StridedCopy([], elementSize: 2), [7, 8], into: 2) == [7, 8])
  }
}
