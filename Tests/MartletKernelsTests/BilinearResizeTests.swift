import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

/// A resized batch of images, and the coordinate convention.
struct ResizeCase: Sendable, CustomTestStringConvertible {
  let resize: Resize

  init(
    _ batches: Int, _ from: (Int, Int), _ to: (Int, Int), depth: Int, aligns: Bool = false,
    centers: Bool = false
  ) {
    func axis(_ input: Int, _ output: Int) -> ResizeAxis {
      ResizeAxis(input: input, output: output, alignsCorners: aligns, usesCenters: centers)
    }
    resize = Resize(
      batches: batches, rows: axis(from.0, to.0), columns: axis(from.1, to.1), depth: depth)
  }

  var inputCount: Int {
    resize.batches * resize.rows.input * resize.columns.input * resize.depth
  }
  var outputCount: Int {
    resize.batches * resize.rows.output * resize.columns.output * resize.depth
  }
  var testDescription: String { "\(resize)" }

  static let table = [
    ResizeCase(1, (3, 4), (6, 8), depth: 1), ResizeCase(2, (5, 3), (4, 7), depth: 3),
    ResizeCase(1, (1, 1), (9, 5), depth: 21),
    ResizeCase(2, (7, 9), (13, 11), depth: 16, aligns: true),
    ResizeCase(1, (8, 8), (16, 16), depth: 24, centers: true),
    ResizeCase(1, (9, 6), (3, 2), depth: 40, centers: true),
    ResizeCase(3, (20, 20), (40, 40), depth: 33),
    ResizeCase(1, (5, 5), (1, 1), depth: 4, aligns: true),
  ]
}

@Suite struct BilinearResizeTests {
  @Test(arguments: ResizeCase.table)
  func floatsHaveTheBitsOfTheReference(_ c: ResizeCase) {
    var random = SplitMix64(seed: 9)
    var x = random.floats(c.inputCount)
    let garbage = [Float](repeating: 99, count: c.outputCount)
    var expected = garbage
    buffer(&x) { x in buffer(&expected) { Reference.resizeBilinear(x, c.resize, into: $0) } }
    for run in Run.all {
      let resize = BilinearResize(floats: c.resize, kernels: run.kernels)
      var result = garbage
      buffer(&x) { x in buffer(&result) { resize(x, into: $0, workers: run.workers) } }
      #expect(result.map(\.bitPattern) == expected.map(\.bitPattern))
    }
  }

  @Test(arguments: ResizeCase.table)
  func bytesEqualTheReference(_ c: ResizeCase) throws {
    var random = SplitMix64(seed: 9)
    var unsigned: [UInt8] = random.integers(c.inputCount)
    var signed: [Int8] = random.integers(c.inputCount)
    var expectedUnsigned = [UInt8](repeating: 99, count: c.outputCount)
    var expectedSigned = [Int8](repeating: 99, count: c.outputCount)
    buffer(&unsigned) { x in
      buffer(&expectedUnsigned) { Reference.resizeBilinear(x, c.resize, into: $0) }
    }
    buffer(&signed) { x in
      buffer(&expectedSigned) { Reference.resizeBilinear(fixed: x, c.resize, into: $0) }
    }
    for run in Run.all {
      let floats = BilinearResize(floats: c.resize, kernels: run.kernels)
      var resultUnsigned = [UInt8](repeating: 7, count: c.outputCount)
      buffer(&unsigned) { x in
        buffer(&resultUnsigned) { floats(x, into: $0, workers: run.workers) }
      }
      #expect(resultUnsigned == expectedUnsigned)
      let fixed = try #require(BilinearResize(fixed: c.resize, kernels: run.kernels))
      var resultSigned = [Int8](repeating: 7, count: c.outputCount)
      buffer(&signed) { x in
        buffer(&resultSigned) { fixed(x, into: $0, workers: run.workers) }
      }
      #expect(resultSigned == expectedSigned)
    }
  }

  @Test func refusesPositionsFarFromTheirPixels() {
    // Steps of 2⁻¹⁰ are rounded to zero or up, so the millionth position is far from the last
    // pixel.
    let c = ResizeCase(1, (600, 1), (1_000_000, 1), depth: 1)
    #expect(BilinearResize(fixed: c.resize) == nil)
  }
}
