import MartletBase
import MartletReference
import Testing

/// Compares results with real arithmetic. The operator cases check equality with LiteRT.
@Suite struct ShortTableQuantizedTests {
  // Half a step each for the sample, its shift and the line, and 65536 / 65535 of the range.
  @Test func isNearTheRealFunction() {
    let input = Quantization(scale: 2 / 32768, zeroPoint: 0)
    let output = Quantization(scale: 8 / 32768, zeroPoint: 0)
    let table = ShortTable(input: input, output: output) { $0 * $0 - 1 }
    for element in stride(from: -32768, through: 32767, by: 97) {
      let x = Double(element) * 2 / 32768
      let steps = (x * x - 1) / (8 / 32768)
      #expect((Double(table[Int16(element)]) - steps).magnitude <= 2, "\(element)")
    }
  }

  @Test func saturates() {
    let input = Quantization(scale: 1, zeroPoint: 0)
    let output = Quantization(scale: 0.001, zeroPoint: 0)
    let table = ShortTable(input: input, output: output) { $0 }
    #expect(table[32000] == 32767)
    #expect(table[-32000] == -32768)
  }
}
