import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct HybridTransposeConvolutionTests {
  @Test(arguments: Float32TransposeConvolutionTests.table)
  func sumsInTheDocumentedOrder(_ c: WindowCase) throws {
    var problem = try HybridTransposeProblem(c)
    let expected = problem.expected
    for run in Run.all {
      #expect(try problem.fast(run).map(\.bitPattern) == expected.map(\.bitPattern))
    }
  }

  @Test(arguments: Float32TransposeConvolutionTests.table)
  func differsFromTheReferenceByRounding(_ c: WindowCase) throws {
    var problem = try HybridTransposeProblem(c)
    for (found, expected) in zip(try problem.fast(.plain), problem.reference) {
      #expect((found - expected).magnitude < 1e-5)
    }
  }

  @Test func refusesHugeProducts() throws {
    let axis = try #require(WindowAxis(input: 1 << 14, filter: 2, stride: 2, isSame: true))
    let convolution = TransposeConvolution(
      window: SlidingWindow(batches: 1, rows: axis, columns: axis), inputRows: 1 << 13,
      inputColumns: 1 << 13, inputDepth: 1, outputDepth: 1)
    #expect(
      HybridTransposeConvolution(
        convolution, filter: UnsafeBufferPointer(start: nil, count: 0), factors: [1],
        bias: UnsafeBufferPointer(start: nil, count: 0), clampedTo: 0...1, workers: 1) == nil)
  }
}

/// Random numbers for a transposed convolution of floats with byte weights. The first image is all
/// zeros.
private struct HybridTransposeProblem {
  let convolution: TransposeConvolution
  var input: [Float]
  var filter: [Int8]
  let factors: [Float]
  var bias: [Float]
  let range: ClosedRange<Float> = -0.7...0.9
  private var values: [Int16]
  private var scales: [Float]

  init(_ c: WindowCase) throws {
    let floats = try TransposeProblem(c, seed: 51)
    convolution = floats.convolution
    var random = SplitMix64(seed: 52)
    input = floats.input
    if c.batches > 1 { for i in 0..<input.count / c.batches { input[i] = 0 } }
    filter = random.integers(floats.filter.count)
    // The first channel has zero weights, as after pruning.
    factors = [0] + random.floats(c.outputs - 1).map { ($0 + 1.5) / 1000 }
    bias = c.outputs % 2 == 0 ? floats.bias : []
    values = [Int16](repeating: 9, count: input.count)
    scales = [Float](repeating: 9, count: c.batches)
    buffer(&input) { x in
      buffer(&values) { values in
        buffer(&scales) { scales in
          Reference.quantizeRows(
            x, run: x.count / c.batches, isAsymmetric: true, into: values, scales: scales)
        }
      }
    }
  }

  private var outputCount: Int {
    let window = convolution.window
    return window.batches * window.rows.input * window.columns.input * convolution.outputDepth
  }

  /// The bias, then each input pixel's contribution: an integer times the channel's factor and the
  /// image's scale.
  var expected: [Float] {
    var (outputs, products): ([Float], [(pixel: Int, product: Int32)]) = ([], [])
    let (image, length) = (outputCount / scales.count, convolution.inputDepth)
    convolution.forEachSum { (_: inout Int32, input, weight) in
      products.append((input / length, Int32(values[input]) * Int32(filter[weight])))
    } finish: { _, output, channel in
      let pixels = Dictionary(grouping: products) { $0.pixel }.sorted { $0.key < $1.key }
      let sum = pixels.reduce(bias.isEmpty ? 0 : bias[channel]) { sum, pixel in
        let terms = pixel.value.reduce(0) { $0 + $1.product }
        return sum + Float(terms) * factors[channel] * scales[output / image]
      }
      outputs.append(min(max(sum, range.lowerBound), range.upperBound))
      products.removeAll(keepingCapacity: true)
    }
    return outputs
  }

  var reference: [Float] {
    mutating get {
      var result = [Float](repeating: .nan, count: outputCount)
      buffer(&values) { values in
        buffer(&scales) { scales in
          buffer(&filter) { w in
            buffer(&bias) { bias in
              buffer(&result) { y in
                Reference.convolve(
                  values: values, scales: scales, filter: w, factors: factors, factorsFirst: true,
                  bias: bias, convolution, clampedTo: range, into: y)
              }
            }
          }
        }
      }
      return result
    }
  }

  mutating func fast(_ run: Run) throws -> [Float] {
    let kernel = try #require(
      filter.withUnsafeBufferPointer { filter in
        bias.withUnsafeBufferPointer { bias in
          HybridTransposeConvolution(
            convolution, filter: filter, factors: factors, bias: bias, clampedTo: range,
            workers: run.workers.count, kernels: run.kernels)
        }
      })
    var bytes = [UInt8](repeating: 9, count: kernel.product.byteCount)
    var scales = [Float](repeating: 9, count: kernel.product.imageCount)
    var zeros = [Int32](repeating: 9, count: kernel.product.imageCount)
    var scratch = [Int32](repeating: 9, count: kernel.product.scratchCount)
    var products = [Float](repeating: .nan, count: kernel.sums.count)
    var result = [Float](repeating: .nan, count: outputCount)
    buffer(&input) { x in
      buffer(&bytes) { bytes in
        buffer(&scales) { scales in
          buffer(&zeros) { zeros in
            buffer(&scratch) { scratch in
              buffer(&products) { products in
                kernel.product(
                  x, bytes: bytes, scales: scales, zeros: zeros, scratch: scratch, into: products,
                  workers: run.workers)
                buffer(&result) { kernel.sums(products, into: $0, workers: run.workers) }
              }
            }
          }
        }
      }
    }
    return result
  }
}
