import MartletTestSupport
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct MaxPoolWithArgmaxTests {
  private func pool(
    _ x: [Float], rows: Int, columns: Int, filter: Int, stride: Int, isSame: Bool,
    range: ClosedRange<Float> = -100...100
  ) throws -> (maxima: [Float], taps: [Float]) {
    let window = SlidingWindow(
      batches: 1,
      rows: try #require(WindowAxis(input: rows, filter: filter, stride: stride, isSame: isSame)),
      columns: try #require(
        WindowAxis(input: columns, filter: filter, stride: stride, isSame: isSame)))
    var taps = [Float](repeating: .nan, count: window.outputCount)
    let maxima = filled(window.outputCount, with: Float.nan) { y in
      withBuffer(x) { x in
        taps.withUnsafeMutableBufferPointer {
          Reference.maxPoolWithArgmax(x, window, depth: 1, clampedTo: range, into: y, taps: $0)
        }
      }
    }
    return (maxima, taps)
  }

  @Test func returnsTheTapOfEachMaximum() throws {
    let result = try pool(
      [1, 2, 8, 4, 3, 0, 5, 6], rows: 2, columns: 4, filter: 2, stride: 2, isSame: false)
    #expect(result.maxima == [3, 8])
    #expect(result.taps == [2.1, 0.1])
  }

  @Test func countsTapsOutsideTheImage() throws {
    // Padding of one at the start: the first window's first row and column are outside.
    let result = try pool([7], rows: 1, columns: 1, filter: 3, stride: 1, isSame: true)
    #expect(result.maxima == [7])
    #expect(result.taps == [4.1])
  }

  @Test func returnsTheFirstOfEqualElements() throws {
    let result = try pool([5, 5, 5, 5], rows: 2, columns: 2, filter: 2, stride: 2, isSame: false)
    #expect(result.taps == [0.1])
  }

  @Test func clampsMaximaButNotTheirTaps() throws {
    let result = try pool(
      [1, 2, 3, 9], rows: 2, columns: 2, filter: 2, stride: 2, isSame: false, range: 0...6)
    #expect(result.maxima == [6])
    #expect(result.taps == [3.1])
  }

  @Test func windowsOfNaNReturnTheFirstTap() throws {
    let result = try pool(
      [.nan, .nan, .nan, -.infinity], rows: 2, columns: 2, filter: 2, stride: 2, isSame: false,
      range: -Float.greatestFiniteMagnitude...0)
    #expect(result.maxima == [-Float.greatestFiniteMagnitude])
    #expect(result.taps == [0.1])
  }
}
