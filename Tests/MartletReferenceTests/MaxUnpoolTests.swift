import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct MaxUnpoolTests {
  private func unpool(
    _ x: [Float], _ taps: [Float], rows: UnpoolAxis, columns: UnpoolAxis, depth: Int = 1
  ) -> [Float] {
    filled(rows.output * columns.output * depth, with: Float.nan) { y in
      withBuffer(x) { x in
        withBuffer(taps) { taps in
          Reference.maxUnpool(x, taps: taps, rows: rows, columns: columns, depth: depth, into: y)
        }
      }
    }
  }

  @Test func invertsAPool() {
    let axis = UnpoolAxis(input: 1, filter: 2, stride: 2)
    let wide = UnpoolAxis(input: 2, filter: 2, stride: 2)
    #expect(
      unpool([3, 8], [2.1, 0.1], rows: axis, columns: wide) == [0, 0, 8, 0, 3, 0, 0, 0])
  }

  @Test func keepsChannelsApart() {
    let axis = UnpoolAxis(input: 1, filter: 2, stride: 2)
    #expect(
      unpool([1, 2], [0.1, 3.1], rows: axis, columns: axis, depth: 2) == [1, 0, 0, 0, 0, 0, 0, 2])
  }

  @Test(arguments: [4, -3, 1e9, 1e30, .infinity, .nan, -1e30] as [Float])
  func ignoresTapsOutsideTheResult(_ tap: Float) {
    let axis = UnpoolAxis(input: 1, filter: 2, stride: 2)
    #expect(unpool([9], [tap], rows: axis, columns: axis) == [0, 0, 0, 0])
  }

  @Test func laterOfTwoElementsAtSameIndexStays() {
    // Overlapping windows: strides of one.
    let axis = UnpoolAxis(input: 1, filter: 2, stride: 1)
    let wide = UnpoolAxis(input: 2, filter: 2, stride: 1)
    #expect(
      unpool([3, 8], [1.1, 0.1], rows: axis, columns: wide) == [0, 8, 0, 0, 0, 0, 0, 0])
  }

  @Test func invertsAPoolByIndices() {
    let y = filled(12, with: Float.nan) { y in
      withBuffer([1, 2, 3, 4] as [Float]) { x in
        withBuffer([5, 0, 2, 1] as [Int32]) { places in
          try? Reference.maxUnpool(x, places: places, batches: 2, run: 6, into: y)
        }
      }
    }
    #expect(y == [2, 0, 0, 0, 0, 1, 0, 4, 3, 0, 0, 0])
  }

  @Test(arguments: [-1, 6] as [Int32])
  func refusesIndicesOutOfRangeBeforeItWrites(_ place: Int32) {
    var failure: IndexOutOfRange?
    let y = filled(6, with: Float(7)) { y in
      withBuffer([1, 2] as [Float]) { x in
        withBuffer([0, place]) { places in
          do throws(IndexOutOfRange) {
            try Reference.maxUnpool(x, places: places, batches: 1, run: 6, into: y)
          } catch { failure = error }
        }
      }
    }
    #expect(failure == IndexOutOfRange(found: Int(place), limit: 6))
    #expect(y == [7, 7, 7, 7, 7, 7])
  }
}
