import MartletBase
import MartletReference
import Testing

@Suite struct MapTests {
  @Test(arguments: [0, 1, 7, 8, 9, 16, 27])
  func mapsEveryElement(_ count: Int) {
    let x = (0..<count).map { Float($0) - 3 }
    let found = combined(x, [UInt8](), count, of: Float.nan) { x, _, y in
      Reference.mapLanes(x, into: y) { $0 * $0 }
    }
    #expect(found == x.map { $0 * $0 })
  }

  @Test func computesMagnitudesOfQuantizedIntegers() {
    let x: [Int8] = [-128, -10, 0, 10, 127]
    func absolute(_ scale: FixedPointMultiplier?) -> [Int8] {
      combined(x, [UInt8](), 5, of: 0) { x, _, y in
        Reference.absolute(x, zeroPoint: 10, scale: scale, zeroPoint: -20, into: y)
      }
    }
    #expect(absolute(nil) == [118, 0, -10, -20, 97])
    #expect(absolute(FixedPointMultiplier(0.5)) == [49, -10, -15, -20, 39])
    #expect(absolute(FixedPointMultiplier(4)) == [127, 60, 20, -20, 127])
  }
}
