import MartletLevels
import MartletMicrokernels
import MartletTestSupport
import Testing

@Suite struct Uint8ColorVotesTests {
  private static let height = 5
  /// Pixels that may be read before the first and after the last.
  private static let margin = 4

  /// A row of random pixels and an earlier frame.
  private struct Problem {
    let width: Int
    let earlier: [UInt8]
    let low, high: [UInt8]

    init(width: Int, seed: UInt64) {
      var random = SplitMix64(seed: seed)
      self.width = width
      earlier = random.integers(4 * (width * height + 2 * margin))
      let levels: [UInt8] = random.integers(4 * (width + 3))
      low = levels.map { $0 - min($0, 90) }
      high = levels.map { $0 + min(255 - $0, 90) }
    }

    /// The votes computed one pixel at a time, starting from `before`.
    func expected(start: SIMD2<Float>, step: SIMD2<Float>, before: Int8) -> [Int8] {
      (0..<width).map { x in
        // The position is that of the first of four pixels.
        let four = Float(x / 4 * 4)
        let column = start.x + step.x * four + Float(width - 1) / 2 - 1.5
        let line = start.y + step.y * four + Float(height - 1) / 2
        guard line >= 0, line < Float(height - 1) else { return before }
        let (left, top) = (column.rounded(.down), line.rounded(.down))
        let place = Int(left) + x % 4
        guard place >= 0, place < width - 1 else { return before }
        let (right, lower) = (Int((column - left) * 16), Int((line - top) * 16))
        let isOut = (0..<4).contains { channel in
          func level(_ x: Int, _ y: Int) -> Int {
            Int(earlier[4 * (margin + y * width + x) + channel])
          }
          let sum =
            level(place, Int(top)) * (16 - right) * (16 - lower)
            + level(place + 1, Int(top)) * right * (16 - lower)
            + level(place, Int(top) + 1) * (16 - right) * lower
            + level(place + 1, Int(top) + 1) * right * lower
          let color = (sum + 128) >> 8
          return color < low[4 * x + channel] || color > high[4 * x + channel]
        }
        return before + (isOut ? 1 : -1)
      }
    }

    func votes(
      start: SIMD2<Float>, step: SIMD2<Float>, before: Int8, by kernels: Microkernels
    ) -> [Int8] {
      var (earlier, low, high) = (earlier, low, high)
      var votes = [Int8](repeating: before, count: width)
      buffer(&earlier) { earlier in
        buffer(&low) { low in
          buffer(&high) { high in
            buffer(&votes) { votes in
              guard let earlier = earlier.baseAddress, let low = low.baseAddress,
                let high = high.baseAddress, let votes = votes.baseAddress
              else { return }
              kernels.uint8ColorVotes(
                Uint8ColorVotes(
                  earlier: earlier + 4 * margin, width: width, height: height, low: low,
                  high: high, start: start, step: step, votes: votes))
            }
          }
        }
      }
      return votes
    }
  }

  /// Rows of any width; shifts inside the frame, across its edges and outside; with and without
  /// rotation.
  @Test(arguments: [1, 3, 4, 5, 16, 21, 22, 23])
  func allInstructionSetsVoteAsDefined(width: Int) {
    let problem = Problem(width: width, seed: UInt64(width))
    let first = 1.5 - Float(width - 1) / 2
    for shift in [-30, -3.3, -2, -0.7, 0, 0.5, 1, 2.9, 5, 40] as [Float] {
      for line in [-3, -2, -0.4, 0, 0.3, 1.9, 2] as [Float] {
        for step in [SIMD2(1, 0), SIMD2(0.93, 0.11), SIMD2(1.2, -0.2)] as [SIMD2<Float>] {
          let start = SIMD2(first + shift, line)
          let expected = problem.expected(start: start, step: step, before: 3)
          for kernels in Microkernels.available {
            #expect(
              problem.votes(start: start, step: step, before: 3, by: kernels) == expected)
          }
        }
      }
    }
  }

  @Test func positionsThatAreNotFiniteHaveNoVotes() {
    let problem = Problem(width: 9, seed: 1)
    for start in [SIMD2(.nan, 0), SIMD2(0, .nan), SIMD2(.infinity, 0)] as [SIMD2<Float>] {
      for kernels in Microkernels.available {
        let votes = problem.votes(start: start, step: [1, 0], before: 0, by: kernels)
        #expect(votes == [Int8](repeating: 0, count: 9))
      }
    }
  }
}
