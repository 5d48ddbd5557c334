import MartletBase
import MartletReference
import Testing

@Suite struct PadTests {
  private func pad(
    _ input: [UInt8], _ shape: [Int], _ amounts: [(Int, Int)], mirrorSkip: Int? = nil
  ) -> [UInt8] {
    let border = Border(
      shape: Shape(shape), before: amounts.map { $0.0 }, after: amounts.map { $0.1 },
      elementSize: 1)
    let count = zip(shape, amounts).reduce(1) { $0 * ($1.0 + $1.1.0 + $1.1.1) }
    var output = [UInt8](repeating: 0xEE, count: count)
    input.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { output in
        guard let from = input.baseAddress, let to = output.baseAddress else { return }
        if let mirrorSkip {
          border.mirror(from, skip: mirrorSkip, into: to)
        } else {
          withUnsafeBytes(of: UInt8(9)) { filler in
            guard let filler = filler.baseAddress else { return }
            border.fill(from, with: filler, into: to)
          }
        }
      }
    }
    return output
  }

  // Expected values: numpy.pad.
  @Test func fillsTheBorder() {
    #expect(
      pad([1, 2, 3, 4, 5, 6], [2, 3], [(1, 0), (0, 2)]) == [
        9, 9, 9, 9, 9, 1, 2, 3, 9, 9, 4, 5, 6, 9, 9,
      ])
    #expect(pad([1, 2], [2, 1], [(1, 1), (0, 0)]) == [9, 1, 2, 9])
    #expect(pad([1, 2], [1, 2], [(0, 0), (0, 0)]) == [1, 2])
    #expect(pad([7], [], []) == [7])
    #expect(
      pad([1, 2, 3, 4], [1, 2, 1, 2], [(0, 1), (0, 0), (0, 0), (1, 0)]) == [
        9, 1, 2, 9, 3, 4, 9, 9, 9, 9, 9, 9,
      ])
  }

  @Test func padsAnEmptyInput() {
    #expect(pad([0], [0], [(1, 2)]) == [9, 9, 9])
  }

  @Test func mirrorsTheBorder() {
    #expect(
      pad([1, 2, 3, 4, 5, 6], [2, 3], [(1, 1), (2, 1)], mirrorSkip: 1) == [
        6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2,
      ])
    #expect(
      pad([1, 2, 3, 4, 5, 6], [2, 3], [(1, 1), (2, 1)], mirrorSkip: 0) == [
        2, 1, 1, 2, 3, 3, 2, 1, 1, 2, 3, 3, 5, 4, 4, 5, 6, 6, 5, 4, 4, 5, 6, 6,
      ])
    #expect(
      pad([1, 2, 3, 4], [2, 2], [(2, 2), (0, 0)], mirrorSkip: 0) == [
        3, 4, 1, 2, 1, 2, 3, 4, 3, 4, 1, 2,
      ])
  }
}
