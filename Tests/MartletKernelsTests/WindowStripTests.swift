import MartletBase
import Testing

@testable import MartletKernels

@Suite struct WindowStripTests {
  @Test(arguments: WindowCase.geometries, [1, 2, 5])
  func stripsCoverEachOutputOnceWithItsTaps(_ c: WindowCase, parts: Int) throws {
    let window = try #require(c.window)
    var seen = [[[Int]]](repeating: [], count: window.outputCount)
    for part in 0..<parts {
      let lines = window.lineCount * part / parts..<window.lineCount * (part + 1) / parts
      window.forEachStrip(ofLines: lines) { strip in
        for index in 0..<strip.count {
          var taps: [[Int]] = []
          for (down, row) in strip.tapRows.enumerated() {
            for (across, column) in strip.tapColumns.enumerated() {
              let pixel =
                strip.input + index * strip.inputStep
                + down * window.rows.dilation * window.columns.input
                + across * window.columns.dilation
              taps.append([pixel, row * window.columns.filter + column])
            }
          }
          let output = strip.output + index * strip.outputStep
          #expect(lines.contains(output / window.columns.output))
          #expect(seen[output].isEmpty)
          seen[output] = [[output]] + taps
        }
      }
    }
    for output in 0..<window.outputCount {
      var expected = [[output]]
      window.forEachTap(ofOutput: output) { expected.append([$0, $1]) }
      #expect(seen[output] == expected)
    }
  }
}
