import MartletTestSupport
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct LeakyReluTests {
  @Test func scalesNegativeValues() {
    let y = filled(4, with: Float.nan) { y in
      withBuffer([-4, 0, 2, -1]) { Reference.leakyRelu($0, alpha: 0.5, into: y) }
    }
    #expect(y == [-2, 0, 2, -0.5])
  }

  @Test(arguments: [(0.25, -2), (-0.25, 2), (0, 0)] as [(Float, Int32)])
  func alphaMayHaveAnySign(_ alpha: Float, _ expected: Int32) {
    let map = Quantization(scale: 1, zeroPoint: 10)
    let relu = QuantizedLeakyRelu(
      input: map, alpha: alpha, output: Quantization(scale: 1, zeroPoint: 0))
    #expect(relu(2) == expected)
    #expect(relu(15) == 5)
  }

  @Test func alphaIsBroadcast() {
    let walk = Broadcast([Shape(2, 2), Shape(2)], over: Shape(2, 2))
    let y = filled(4, with: Float.nan) { y in
      withBuffer([-1, -2, 3, -4]) { x in
        withBuffer([10, 100]) { Reference.prelu(x, alpha: $0, walk, into: y) }
      }
    }
    #expect(y == [-10, -200, 3, -400])
  }

  @Test func accepts16BitFactors() {
    let input = Quantization(scale: 0.01, zeroPoint: 0)
    let factors = Quantization(scale: 0.002, zeroPoint: 0)
    let relu = QuantizedLeakyRelu(input: input, alpha: factors, output: input)
    let x: [Int16] = [-4790, -100, -32768, 31000]
    let alpha: [Int16] = [433, -4839, 5864, 8883]
    let walk = Broadcast([Shape(4), Shape(4)], over: Shape(4))
    let found = combined(x, alpha, 4, of: Int16(0)) {
      Reference.prelu($0, alpha: $1, walk, relu, into: $2)
    }
    // -4790 · 433 · 0.002 and so on; the third is clamped.
    #expect(found == [-4148, 968, -32768, 31000])
  }
}
