import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct HybridConvolutionTests {
  @Test(arguments: WindowCase.table(outputs: [8, 1, 70, 24, 40]), [false, true])
  func hasTheBitsOfTheReference(_ c: WindowCase, _ isAsymmetric: Bool) throws {
    let convolution = Convolution(
      window: try #require(c.window), inputDepth: c.channels, filterDepth: c.channels,
      outputDepth: c.outputs)
    try expectEqual(
      convolution, images: c.batches, outputs: c.outputs,
      weights: c.filter.0 * c.filter.1 * c.channels * c.outputs, isAsymmetric: isAsymmetric,
      factorsFirst: isAsymmetric)
  }

  @Test(arguments: [(1, 640, 128), (7, 9, 5), (40, 33, 70)], [false, true])
  func eachRowHasItsScale(_ extents: (Int, Int, Int), _ isAsymmetric: Bool) throws {
    let layer = FullyConnected(rows: extents.0, depth: extents.1, units: extents.2)
    try expectEqual(
      try #require(Convolution(layer)), images: layer.rows, outputs: layer.units,
      weights: layer.depth * layer.units, isAsymmetric: isAsymmetric, factorsFirst: false)
  }

  @Test func imagesAreSplitAmongWorkers() throws {
    let c = WindowCase(height: 70, width: 61, channels: 17, outputs: 9)
    let convolution = Convolution(
      window: try #require(c.window), inputDepth: 17, filterDepth: 17, outputDepth: 9)
    try expectEqual(
      convolution, images: 1, outputs: 9, weights: 9 * 17 * 9, isAsymmetric: true,
      factorsFirst: true)
  }

  @Test(arguments: WindowCase.table(outputs: [1]))
  func depthwiseHasTheBitsOfTheReference(_ c: WindowCase) throws {
    let convolution = DepthwiseConvolution(
      window: try #require(c.window), inputDepth: c.channels, multiplier: 1)
    var problem = HybridProblem(
      images: c.batches, input: c.batches * c.height * c.width * c.channels,
      weights: c.filter.0 * c.filter.1 * c.channels, outputs: c.channels)
    let expected = problem.reference(
      convolution, count: convolution.window.outputCount * c.channels, isAsymmetric: true,
      factorsFirst: false)
    for run in Run.all {
      let kernel = try #require(
        problem.filter.withUnsafeBufferPointer { filter in
          problem.bias.withUnsafeBufferPointer { bias in
            HybridDepthwiseConvolution(
              convolution, filter: filter, factors: problem.factors, bias: bias,
              clampedTo: problem.range, workers: run.workers.count, kernels: run.kernels)
          }
        })
      var values = [Float](repeating: .nan, count: kernel.valueCount)
      var scales = [Float](repeating: .nan, count: kernel.imageCount)
      var result = [Float](repeating: .nan, count: expected.count)
      buffer(&problem.input) { x in
        buffer(&values) { values in
          buffer(&scales) { scales in
            buffer(&result) {
              kernel(x, values: values, scales: scales, into: $0, workers: run.workers)
            }
          }
        }
      }
      #expect(result.map(\.bitPattern) == expected.map(\.bitPattern))
    }
  }

  private func expectEqual(
    _ convolution: Convolution, images: Int, outputs: Int, weights: Int, isAsymmetric: Bool,
    factorsFirst: Bool
  ) throws {
    let window = convolution.window
    var problem = HybridProblem(
      images: images,
      input: window.batches * window.rows.input * window.columns.input * convolution.inputDepth,
      weights: weights, outputs: outputs)
    let expected = problem.reference(
      convolution, count: window.outputCount * outputs, isAsymmetric: isAsymmetric,
      factorsFirst: factorsFirst)
    for run in Run.all {
      let kernel = problem.bias.withUnsafeBufferPointer { bias in
        problem.filter.withUnsafeBufferPointer { filter in
          HybridConvolution(
            convolution, images: images, isAsymmetric: isAsymmetric,
            filter: ByteWeights(filter, offset: 0), factors: problem.factors,
            factorsFirst: factorsFirst, bias: bias, clampedTo: problem.range,
            workers: run.workers.count, kernels: run.kernels)
        }
      }
      let result = problem.run(kernel, count: expected.count, workers: run.workers)
      #expect(result.map(\.bitPattern) == expected.map(\.bitPattern))
    }
  }
}

/// Random numbers for a hybrid operator. One image is all zeros, and one has ties.
private struct HybridProblem {
  let images: Int
  var input: [Float]
  var filter: [Int8]
  let factors: [Float]
  var bias: [Float]
  let range: ClosedRange<Float> = -0.9...1.5

  init(images: Int, input count: Int, weights: Int, outputs: Int) {
    var random = SplitMix64(seed: 41)
    self.images = images
    input = random.floats(count)
    let length = count / images
    if images > 1 { for i in 0..<length { input[i] = 0 } }
    // Halves of quantized steps, which are ties.
    for i in count - length..<count { input[i] = (input[i] * 127).rounded() / 2 }
    if length > 0 { input[count - 1] = 63.5 }
    filter = random.integers(weights)
    factors = random.floats(outputs).map { ($0 + 1.5) / 1000 }
    bias = outputs % 2 == 0 ? random.floats(outputs) : []
  }

  mutating func reference<Layer: WeightedSums>(
    _ layer: Layer, count: Int, isAsymmetric: Bool, factorsFirst: Bool
  ) -> [Float] {
    var values = [Int16](repeating: 9, count: input.count)
    var scales = [Float](repeating: 9, count: images)
    var result = [Float](repeating: .nan, count: count)
    let run = input.count / images
    buffer(&input) { x in
      buffer(&values) { values in
        buffer(&scales) { scales in
          Reference.quantizeRows(
            x, run: run, isAsymmetric: isAsymmetric, into: values, scales: scales)
          buffer(&filter) { w in
            buffer(&bias) { bias in
              buffer(&result) { y in
                Reference.convolve(
                  values: values, scales: scales, filter: w, factors: factors,
                  factorsFirst: factorsFirst, bias: bias, layer, clampedTo: range, into: y)
              }
            }
          }
        }
      }
    }
    return result
  }

  mutating func run(_ kernel: HybridConvolution, count: Int, workers: Workers) -> [Float] {
    var bytes = [UInt8](repeating: 9, count: kernel.byteCount)
    var scales = [Float](repeating: 9, count: kernel.imageCount)
    var zeros = [Int32](repeating: 9, count: kernel.imageCount)
    var scratch = [Int32](repeating: 9, count: kernel.scratchCount)
    var result = [Float](repeating: .nan, count: count)
    buffer(&input) { x in
      buffer(&bytes) { bytes in
        buffer(&scales) { scales in
          buffer(&zeros) { zeros in
            buffer(&scratch) { scratch in
              buffer(&result) {
                kernel(
                  x, bytes: bytes, scales: scales, zeros: zeros, scratch: scratch, into: $0,
                  workers: workers)
              }
            }
          }
        }
      }
    }
    return result
  }
}
