import Foundation
import MartletTestSupport
import Testing

@testable import MartletBase

@Suite struct RemainderTests {
  @Test func matchesTheLibraryForEveryKindOfFloat() {
    var numbers: [Float] = [0, 1, .infinity, .nan, .greatestFiniteMagnitude]
    for pattern in stride(from: UInt32(1), to: 0x7f80_0000, by: 7_654_321) {
      numbers.append(Float(bitPattern: pattern))
    }
    numbers += numbers.map { -$0 }
    for x in numbers {
      for y in numbers {
        let want: Float = Foundation.fmod(x, y)
        #expect(isSame(VectorMath.remainder(x, y), want), "\(x) \(y)")
      }
    }
  }
}
