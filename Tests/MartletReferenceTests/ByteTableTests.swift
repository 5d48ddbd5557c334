import Foundation
import Testing

@testable import MartletReference

@testable import MartletTensor

@Suite struct ByteTableTests {
  @Test func holdsTheRoundedFunction() {
    let input = Quantization(scale: 0.05, zeroPoint: 10)
    let output = Quantization(scale: 1 / 256, zeroPoint: -128)
    let table = ByteTable<Int8>(input: input, output: output) { 1 / (1 + Foundation.exp(-$0)) }
    for x in Int8.min...Int8.max {
      let real = Double(Float(0.05)) * Double(Int(x) - 10)
      let exact = min(256 / (1 + exp(-real)), 255)
      let error = abs(Double(table[x]) + 128 - exact)
      #expect(error <= 0.5001)
    }
  }

  @Test func infinityAndNaNAreHeld() {
    let plain = Quantization(scale: 1, zeroPoint: 0)
    #expect(ByteTable<UInt8>(input: plain, output: plain) { _ in .infinity }[3] == 255)
    #expect(ByteTable<UInt8>(input: plain, output: plain) { _ in -.infinity }[3] == 0)
    #expect(ByteTable<UInt8>(input: plain, output: plain) { _ in .nan }[3] == 0)
  }
}
