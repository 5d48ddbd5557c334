import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct SortedLookupTests {
  /// The rows that were found, and whether each key exists.
  private func lookUp(
    _ lookups: [Int32], among keys: [Int32], _ values: [UInt16]
  ) -> ([UInt16], [UInt8]) {
    var hits: [UInt8] = []
    let y = filled(lookups.count, with: UInt16.max) { y in
      hits = filled(lookups.count, with: 9) { hits in
        withBuffer(lookups) { lookups in
          withBuffer(keys) { keys in
            withBuffer(values) { values in
              guard let values = values.baseAddress, let y = y.baseAddress else { return }
              Reference.lookUp(
                lookups, among: keys, values: UnsafeMutableRawPointer(values), run: 2,
                into: UnsafeMutableRawPointer(y), hits: hits)
            }
          }
        }
      }
    }
    return (y, hits)
  }

  @Test func findsKeysAndLeavesZeros() {
    let (rows, hits) = lookUp(
      [5, -7, 6, 1, Int32.max, Int32.min], among: [-7, 1, 5], [70, 10, 50])
    #expect(rows == [50, 70, 0, 10, 0, 0])
    #expect(hits == [1, 1, 0, 1, 0, 0])
  }

  @Test func returnsTheMiddleOfEqualKeys() {
    #expect(lookUp([4], among: [4, 4, 4, 4], [0, 1, 2, 3]).0 == [2])
  }
}
