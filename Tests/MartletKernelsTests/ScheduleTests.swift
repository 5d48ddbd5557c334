import MartletBase
import Testing

@testable import MartletKernels

@Suite struct ScheduleTests {
  @Test(arguments: [0, 1, 5, 12, 49, 1000], [1, 2, 63])
  func chunksAndBlocksCoverTheProductOnce(rows: Int, panels: Int) {
    for (workers, rowBytes, columns) in [
      (1, 4, 0), (1, 1 << 20, 0), (2, 4000, 0), (2, 40, 16 * panels), (4, 4, 0), (4, 1 << 20, 0),
    ] {
      let schedule = Schedule(
        rows: rows, columnsInPlace: columns, panels: panels, multiplications: 1 << 40,
        rowBytes: rowBytes, tileRows: 5, workers: workers)
      var seen = [Int](repeating: 0, count: rows * panels)
      for chunk in 0..<schedule.chunks {
        schedule.forEachBlock(of: chunk) { block in
          #expect(!block.isEmpty && block.count <= schedule.blockRows)
          for row in block {
            for panel in schedule.panels(of: chunk) { seen[row * panels + panel] += 1 }
          }
        }
      }
      #expect(seen.allSatisfy { $0 == 1 })
    }
  }

  @Test func smallWorkIsNotSplit() {
    let schedule = Schedule(
      rows: 100, panels: 4, multiplications: 1000, rowBytes: 40, tileRows: 5, workers: 8)
    #expect(schedule.chunks == 1)
  }

  @Test(arguments: [(1, 1), (3, 2), (15, 2), (16, 4)])
  func largeWorkIsSplitMoreFinely(grains: Int, chunks: Int) {
    let schedule = Schedule(
      rows: 1000, panels: 4, multiplications: grains * Schedule.grain, rowBytes: 40, tileRows: 5,
      workers: 2)
    #expect(schedule.chunks == chunks)
  }

  @Test func largeWeightsAreSplitInsteadOfRows() {
    func schedule(columns: Int) -> Schedule {
      Schedule(
        rows: 36, columnsInPlace: columns, panels: 6, multiplications: 1 << 20, rowBytes: 384,
        tileRows: 6, workers: 2)
    }
    #expect((0..<2).map { schedule(columns: 73).panels(of: $0) } == [0..<3, 3..<6])
    #expect((0..<2).map { schedule(columns: 73).rows(of: $0) } == [0..<36, 0..<36])
    #expect((0..<2).map { schedule(columns: 72).rows(of: $0) } == [0..<18, 18..<36])
  }

  @Test(arguments: [1, 2, 16])
  func blocksAreOnTheStackIfATileFits(workers: Int) {
    func schedule(rowBytes: Int) -> Schedule {
      Schedule(
        rows: 1000, panels: 4, multiplications: 1 << 40, rowBytes: rowBytes, tileRows: 5,
        workers: workers)
    }
    let small = schedule(rowBytes: StackMemory.limit / 5)
    #expect(small.isOnStack && small.scratchBytes == 0)
    #expect(small.blockRows * (StackMemory.limit / 5) <= StackMemory.limit)
    let large = schedule(rowBytes: StackMemory.limit / 5 + 1)
    #expect(!large.isOnStack)
    #expect(large.scratchBytes == large.chunks * large.blockRows * (StackMemory.limit / 5 + 1))
  }

  @Test func blockHasAtMostAllRows() {
    let schedule = Schedule(
      rows: 2, panels: 4, multiplications: 1000, rowBytes: 40, tileRows: 5, workers: 1)
    #expect(schedule.blockRows == 2)
  }

  @Test func productsSaturate() {
    #expect(Schedule.product([3, 5, 7]) == 105)
    #expect(Schedule.product([1 << 40, 1 << 40]) == Int.max)
  }
}
