import MartletBase
import Testing

@testable import MartletKernels

@Suite struct WindowAxisTests {
  @Test(arguments: [1, 2, 5, 8, 13], [1, 2, 3, 5])
  func interiorHasOutputsWithAllTaps(input: Int, filter: Int) {
    for stride in 1...4 {
      for dilation in 1...3 {
        for isSame in [false, true] {
          guard
            let axis = WindowAxis(
              input: input, filter: filter, stride: stride, dilation: dilation, isSame: isSame)
          else { continue }
          let whole = (0..<axis.output).filter {
            axis.taps(from: axis.origin(of: $0)).count == filter
          }
          #expect(Array(axis.interior) == whole)
          #expect(axis.interior.upperBound <= axis.output)
        }
      }
    }
  }
}
