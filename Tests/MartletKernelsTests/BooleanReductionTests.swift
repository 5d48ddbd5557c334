import MartletBase
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct BooleanReductionTests {
  @Test(arguments: [1, 7, 31, 32, 33, 128, 200])
  func oneElementDeterminesTheResult(_ depth: Int) {
    // One row without the element, then rows that have it at each position.
    for isAny in [false, true] {
      var x = [Bool](repeating: !isAny, count: (depth + 1) * depth)
      for column in 0..<depth { x[(column + 1) * depth + column] = isAny }
      let expected = (0...depth).map { $0 == 0 ? !isAny : isAny }
      for run in Run.all {
        let kernel = BooleanReduction(isAny: isAny, depth: depth)
        var result = expected.map { !$0 }
        buffer(&x) { x in buffer(&result) { kernel(x, into: $0, workers: run.workers) } }
        #expect(result == expected)
      }
    }
  }
}
