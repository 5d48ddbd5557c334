import MartletTestSupport
import Testing

@testable import MartletVision

@Suite struct CorrelationFilterTests {
  private let size = 32

  /// Pseudorandom cells from a seed.
  private func cells(seed: UInt64) -> [Cell] {
    var random = SplitMix64(seed: seed)
    return (0..<(size * size)).map { _ in
      var cell = Cell.zero
      for lane in 0..<16 {
        cell.low[lane] = Float(random.next() >> 40) / 16_777_216
        cell.high[lane] = Float(random.next() >> 40) / 16_777_216
      }
      return cell
    }
  }

  private func filter() -> CorrelationFilter {
    CorrelationFilter(
      size: size, deviation: 1.5, focus: (20, 12),
      parameters: .init(learningRate: 0.1, regularization: 0.001))
  }

  /// The shift with the highest response.
  private func peak(_ response: [Float]) -> (x: Int, y: Int, value: Float) {
    let best = response.indices.max { response[$0] < response[$1] } ?? 0
    return (best % size - size / 2, best / size - size / 2, response[best])
  }

  @Test func findsLearnedPatternAtTheCenter() {
    var filter = filter()
    filter.learn(cells(seed: 1))
    var response = [Float](repeating: 0, count: size * size)
    filter.respond(to: cells(seed: 1), into: &response)
    let found = peak(response)
    #expect((found.x, found.y) == (0, 0))
  }

  @Test(arguments: [(3, 0), (0, -4), (-2, 5), (7, 7)])
  func findsMovedPattern(dx: Int, dy: Int) {
    let original = cells(seed: 2)
    var moved = original
    for row in 0..<size {
      for column in 0..<size {
        let from = ((row - dy + size) % size) * size + (column - dx + size) % size
        moved[row * size + column] = original[from]
      }
    }
    var filter = filter()
    filter.learn(original)
    var response = [Float](repeating: 0, count: size * size)
    filter.respond(to: moved, into: &response)
    let found = peak(response)
    #expect((found.x, found.y) == (dx, dy))
  }

  @Test func respondsLessToOtherPatterns() {
    var filter = filter()
    filter.learn(cells(seed: 3))
    var same = [Float](repeating: 0, count: size * size)
    var other = same
    filter.respond(to: cells(seed: 3), into: &same)
    filter.respond(to: cells(seed: 4), into: &other)
    #expect(peak(other).value < peak(same).value / 2)
  }

  @Test func forgetsOldPatterns() {
    var filter = filter()
    filter.learn(cells(seed: 5))
    var response = [Float](repeating: 0, count: size * size)
    filter.respond(to: cells(seed: 6), into: &response)
    let before = peak(response).value
    for _ in 0..<30 { filter.learn(cells(seed: 6)) }
    filter.respond(to: cells(seed: 6), into: &response)
    #expect(peak(response).value > 2 * before)
    #expect((peak(response).x, peak(response).y) == (0, 0))
  }
}
