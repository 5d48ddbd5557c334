import MartletTestSupport
import Testing

@testable import MartletBase

@Suite struct SlidingWindowTests {
  /// input, filter, stride, dilation, SAME, and the output and padding by LiteRT's rules.
  static let cases: [(Int, Int, Int, Int, Bool, Int, Int)] = [
    (224, 3, 2, 1, true, 112, 0),  // one pixel of border, at the end
    (7, 3, 2, 1, true, 4, 1),
    (8, 3, 1, 1, true, 8, 1),
    (8, 3, 1, 2, true, 8, 2),
    (5, 1, 3, 1, true, 2, 0),
    (8, 3, 1, 1, false, 6, 0),
    (8, 3, 2, 2, false, 2, 0),
    (3, 3, 5, 1, false, 1, 0),
    (0, 3, 1, 1, true, 0, 0),
  ]

  @Test(arguments: cases)
  func computesOutputAndBorder(
    _ c: (input: Int, filter: Int, stride: Int, dilation: Int, same: Bool, output: Int, border: Int)
  ) throws {
    let axis = try #require(
      WindowAxis(
        input: c.input, filter: c.filter, stride: c.stride, dilation: c.dilation, isSame: c.same))
    #expect(axis.output == c.output)
    #expect(axis.border == c.border)
  }

  @Test(arguments: [
    (2, 3, 1, 1), (4, 3, 1, 2), (4, 0, 1, 1), (4, 1, 0, 1), (4, 1, 1, 0), (-1, 1, 1, 1),
  ])
  func refusesInvalidParameters(_ c: (input: Int, filter: Int, stride: Int, dilation: Int)) {
    let axis = WindowAxis(
      input: c.input, filter: c.filter, stride: c.stride, dilation: c.dilation, isSame: false)
    #expect(axis == nil)
  }

  @Test func hugeExtentsDoNotOverflow() {
    let limit = Int(Int32.max)
    for isSame in [true, false] {
      _ = WindowAxis(input: limit, filter: limit, stride: limit, dilation: limit, isSame: isSame)
      _ = WindowAxis(input: limit, filter: 1, stride: 1, dilation: limit, isSame: isSame)
    }
  }

  /// All taps of all outputs, found by exhaustive search in a small image.
  @Test(arguments: [
    (5, 4, 3, 1, 1, true), (5, 6, 2, 2, 1, true), (7, 7, 3, 1, 2, false), (6, 5, 3, 2, 2, true),
  ])
  func visitsTapsInsideTheImage(
    _ c: (height: Int, width: Int, filter: Int, stride: Int, dilation: Int, same: Bool)
  ) throws {
    func axis(_ input: Int) throws -> WindowAxis {
      try #require(
        WindowAxis(
          input: input, filter: c.filter, stride: c.stride, dilation: c.dilation, isSame: c.same))
    }
    let window = SlidingWindow(batches: 2, rows: try axis(c.height), columns: try axis(c.width))
    var index = 0
    for image in 0..<2 {
      for y in 0..<window.rows.output {
        for x in 0..<window.columns.output {
          var expected: [[Int]] = []
          for ky in 0..<c.filter {
            for kx in 0..<c.filter {
              let row = y * c.stride - window.rows.border + ky * c.dilation
              let column = x * c.stride - window.columns.border + kx * c.dilation
              guard (0..<c.height).contains(row), (0..<c.width).contains(column) else { continue }
              expected.append(
                [(image * c.height + row) * c.width + column, ky * c.filter + kx])
            }
          }
          var found: [[Int]] = []
          window.forEachTap(ofOutput: index) { found.append([$0, $1]) }
          #expect(found == expected)
          index += 1
        }
      }
    }
    #expect(index == window.outputCount)
  }
}
