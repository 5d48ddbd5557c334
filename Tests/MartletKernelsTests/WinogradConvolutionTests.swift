import MartletBase
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct WinogradConvolutionTests {
  @Test(arguments: [
    WindowCase(height: 1, width: 1, outputs: 3),
    WindowCase(batches: 3, height: 6, width: 5, channels: 16, outputs: 20),
    WindowCase(batches: 2, height: 8, width: 31, isSame: false, channels: 24, outputs: 12),
    WindowCase(height: 2, width: 64, channels: 64, outputs: 8),
  ])
  func tilesEqualTheReference(_ c: WindowCase) throws {
    let problem = try QuantizedProblem<Int8>(
      c, zeroPoint: 11, filterZeroPoint: 0, perChannel: true, range: -128...127)
    let expected = problem.reference()
    for run in Run.all {
      #expect(problem.fast(ByteZeroPoint(isSigned: true, zeroPoint: 11), run) == expected)
    }
  }
}
