import Foundation
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct ByteTableTests {
  @Test func containsTheRoundedFunction() {
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

  @Test func infinityAndNaNAreClamped() {
    let plain = Quantization(scale: 1, zeroPoint: 0)
    #expect(ByteTable<UInt8>(input: plain, output: plain) { _ in .infinity }[3] == 255)
    #expect(ByteTable<UInt8>(input: plain, output: plain) { _ in -.infinity }[3] == 0)
    #expect(ByteTable<UInt8>(input: plain, output: plain) { _ in .nan }[3] == 0)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 40, 256], [0, 3, 128])
  func shiftedBytesUseTable(count: Int, shift: UInt8) {
    let table = ByteTable<Int8>(of: { (x: UInt8) in Int8(bitPattern: x &+ shift) })
    var bytes = (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0) }
    let expected = bytes.map { Int8(bitPattern: $0 &+ shift) }
    var result = [Int8](repeating: 99, count: count)
    bytes.withUnsafeMutableBufferPointer { x in
      result.withUnsafeMutableBufferPointer { y in Reference.lookUp(x, in: table, into: y) }
      #expect(result == expected)
      // Input and output may share memory.
      x.withMemoryRebound(to: Int8.self) { y in Reference.lookUp(x, in: table, into: y) }
    }
    #expect(bytes.map { Int8(bitPattern: $0) } == expected)
  }
}
