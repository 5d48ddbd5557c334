import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct NormalizeTests {
  @Test func rowsHaveLengthOne() {
    let y = filled(4, with: Float.nan) { y in
      withBuffer([3, 4, 0, 0]) { Reference.normalize($0, depth: 2, into: y) }
    }
    #expect(y == [0.6, 0.8, 0, 0])
  }

  @Test func bytesHaveLengthOne() {
    // 3 and 4 over 5 are 76.8 and 102.4 steps of 1/128.
    let signed = filled(2, with: Int8.min) { y in
      withBuffer([Int8(13), 14]) {
        Reference.normalize($0, zeroPoint: 10, depth: 2, center: 0, into: y)
      }
    }
    #expect(signed == [77, 102])
    let unsigned = filled(2, with: UInt8.min) { y in
      withBuffer([UInt8(13), 6]) {
        Reference.normalize($0, zeroPoint: 10, depth: 2, center: 128, into: y)
      }
    }
    #expect(unsigned == [205, 26])
  }
}
