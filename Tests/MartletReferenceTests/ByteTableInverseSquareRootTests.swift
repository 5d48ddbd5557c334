import MartletBase
import MartletReference
import Testing

/// Compares results with real arithmetic. The operator cases check equality with LiteRT.
@Suite struct ByteTableInverseSquareRootTests {
  private let input = Quantization(scale: 0.02, zeroPoint: -100)
  private let output = Quantization(scale: 0.03, zeroPoint: -120)

  @Test func isNearTheRealRoot() {
    let table = ByteTable<Int8>.inverseSquareRoot(input: input, output: output)
    for element in Int8(-99)...127 {
      let argument = Double(input.scale) * Double(Int(element) + 100)
      let steps = 1 / argument.squareRoot() / Double(output.scale) - 120
      #expect((Double(table[element]) - min(steps, 127)).magnitude <= 0.51, "\(element)")
    }
  }

  @Test func nonpositiveInputsReturnTheMaximum() {
    let table = ByteTable<Int8>.inverseSquareRoot(input: input, output: output)
    #expect(table[-100] == 127)
    #expect(table[-128] == 127)
  }
}
