import Testing

@testable import MartletCodecs

@Suite struct PrefixCodeTests {
  /// Fibonacci frequencies give the deepest tree.
  private static let fibonacci: [Int] = {
    var numbers = [1, 1]
    while numbers.count < 30 { numbers.append(numbers.suffix(2).reduce(0, +)) }
    return numbers
  }()

  /// The smallest total length, by exhaustive search over length assignments ordered by frequency.
  private func minimumCost(_ frequencies: [Int], longest: Int) -> Int {
    let sorted = frequencies.filter { $0 > 0 }.sorted(by: >)
    func search(_ index: Int, _ shortest: Int, _ room: Int) -> Int? {
      guard index < sorted.count else { return 0 }
      return (shortest...longest).compactMap { length in
        let share = 1 << (longest - length)
        guard share * (sorted.count - index) <= room || share <= room else { return nil }
        return search(index + 1, length, room - share).map { $0 + length * sorted[index] }
      }.min()
    }
    return search(0, 1, 1 << longest) ?? .max
  }

  private func cost(_ code: PrefixCode, _ frequencies: [Int]) -> Int {
    zip(code.lengths, frequencies).reduce(0) { $0 + Int($1.0) * $1.1 }
  }

  @Test(arguments: [
    [5, 9, 12, 13, 16, 45], [1, 1, 1, 1], [0, 3, 0, 3, 1], [7, 1], [1, 2, 4, 8, 16, 32],
  ])
  func isOptimal(frequencies: [Int]) {
    let code = PrefixCode(frequencies: frequencies, longest: 7)
    #expect(cost(code, frequencies) == minimumCost(frequencies, longest: 7))
  }

  @Test(arguments: [fibonacci, [Int](repeating: 1, count: 19), [1, 1000, 1, 1000, 5]], [7, 15])
  func isCompleteAndWithinTheLimit(frequencies: [Int], longest: Int) {
    let code = PrefixCode(frequencies: frequencies, longest: longest)
    #expect(code.lengths.allSatisfy { (1...longest).contains(Int($0)) })
    #expect(code.lengths.reduce(0) { $0 + 1 << (longest - Int($1)) } == 1 << longest)
  }

  @Test(arguments: [[0, 0, 0], [0, 0, 4], [9, 0, 0]])
  func hasAtLeastTwoCodes(frequencies: [Int]) {
    let code = PrefixCode(frequencies: frequencies, longest: 15)
    #expect(code.lengths.filter { $0 == 1 }.count == 2)
    #expect(code.lengths.filter { $0 > 1 }.isEmpty)
  }

  /// The example of RFC 1951, section 3.2.2.
  @Test func ordersCodesByTheStandard() {
    let code = PrefixCode(lengths: [3, 3, 3, 3, 3, 2, 4, 4])
    let codes = zip(code.codes, code.lengths).map { reversed($0, length: Int($1)) }
    #expect(codes == [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111])
  }
}
