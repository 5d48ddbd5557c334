import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct RowProductTests {
  /// A product writes only its own columns.
  @Test func writesRowsWithAPitch() throws {
    let y = filled(8, with: Float(-1)) { y in
      withBuffer([1, 2, 3, 4] as [Float]) { x in
        withBuffer([1, 1, 1, -1] as [Float]) { w in
          guard let x = x.baseAddress, let w = w.baseAddress, let y = y.baseAddress else { return }
          Reference.multiply(x, rows: 2, depth: 2, by: w, units: 2, into: y + 1, pitch: 4)
        }
      }
    }
    #expect(y == [-1, 3, -1, -1, -1, 7, -1, -1])
  }

  @Test func readsRowsWithAPitch() {
    let y = filled(2, with: Int32(-1)) { y in
      withBuffer([255, -255, 9, 1, 2, 9] as [Int16]) { x in
        withBuffer([127, -128] as [Int8]) { w in
          guard let x = x.baseAddress, let w = w.baseAddress, let y = y.baseAddress else { return }
          Reference.multiply(
            x, rowPitch: 3, rows: 2, depth: 2, by: w, units: 1, into: y, pitch: 1)
        }
      }
    }
    let expected: [Int32] = [65025, -129]
    #expect(y == expected)
  }
}
