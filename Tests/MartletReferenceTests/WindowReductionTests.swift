import MartletTestSupport
import Testing

@testable import MartletBase
@testable import MartletReference

@Suite struct WindowReductionTests {
  /// The reductions of 0, 1, 2... in these windows.
  private func reduced(
    _ axes: [WindowExtent], from initial: Int = 0, workers: Workers = .serial,
    _ combine: (Int, Int) -> Int
  ) -> [Int] {
    let count = axes.reduce(1) { $0 * $1.input }
    return filled(axes.reduce(1) { $0 * $1.count }, with: -1) { y in
      withBuffer(Array(0..<count)) { x in
        guard let x = x.baseAddress else { return }
        WindowReduction(axes)(UnsafePointer(x), from: initial, into: y, workers: workers, combine)
      }
    }
  }

  @Test func slidesAlongEachAxis() {
    let rows = WindowExtent(input: 4, taps: 2, stride: 2, dilation: 1)
    let columns = WindowExtent(input: 5, taps: 2, stride: 1, dilation: 3)
    // Taps 0, 3, 5 and 8 of the first window, then one to the right, then two rows down.
    #expect(reduced([rows, columns], +) == [16, 20, 56, 60])
    #expect(reduced([rows, columns], from: 100, max) == [100, 100, 100, 100])
    #expect(reduced([rows, columns], max) == [8, 9, 18, 19])
  }

  @Test func combinesInRowMajorOrder() {
    let axis = WindowExtent(input: 2, taps: 2, stride: 1, dilation: 1)
    // Decimal digits in order, after the initial one.
    #expect(reduced([axis, axis], from: 9) { 10 * $0 + $1 } == [90123])
  }

  @Test func splitsAmongWorkers() {
    let workers = Workers(count: 3) { chunks, body in
      for chunk in (0..<chunks).reversed() { body(chunk) }
    }
    let axes = [
      WindowExtent(input: 300, taps: 3, stride: 1, dilation: 1),
      WindowExtent(input: 200, taps: 5, stride: 2, dilation: 2),
    ]
    #expect(reduced(axes, workers: workers, &+) == reduced(axes, &+))
  }

  @Test func countsWindowsThatFit() {
    #expect(WindowExtent(input: 7, taps: 3, stride: 2, dilation: 2).count == 2)
    #expect(WindowExtent(input: 4, taps: 3, stride: 1, dilation: 2).count == 0)
    let big = Int(Int32.max)
    #expect(WindowExtent(input: big, taps: big, stride: big, dilation: big).count == 0)
    #expect(WindowExtent(input: big, taps: 1, stride: 1, dilation: big).count == big)
  }
}
