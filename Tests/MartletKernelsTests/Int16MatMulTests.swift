import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct Int16MatMulTests {
  static let layers = [
    FullyConnected(rows: 1, depth: 1, units: 1), FullyConnected(rows: 3, depth: 33, units: 10),
    FullyConnected(rows: 70, depth: 90, units: 95), FullyConnected(rows: 2, depth: 64, units: 320),
  ]

  @Test(arguments: layers)
  func sumsEqualTheReference(_ layer: FullyConnected) {
    var random = SplitMix64(seed: 31)
    let pitch = (layer.depth + 1) / 2 * 2
    var values: [Int16] = random.integers(layer.rows * pitch, in: -255...255)
    for row in 0..<layer.rows where pitch > layer.depth { values[(row + 1) * pitch - 1] = 0 }
    var weights: [Int8] = random.integers(layer.units * layer.depth)
    var expected = [Int32](repeating: 0, count: layer.rows * layer.units)
    buffer(&values) { x in
      buffer(&weights) { w in
        buffer(&expected) { y in
          guard let x = x.baseAddress, let w = w.baseAddress, let y = y.baseAddress else { return }
          Reference.multiply(
            x, rowPitch: pitch, rows: layer.rows, depth: layer.depth, by: w, units: layer.units,
            into: y, pitch: layer.units)
        }
      }
      for run in Run.all {
        let kernel = buffer(&weights) {
          Int16MatMul(
            rows: layer.rows, depth: layer.depth, units: layer.units,
            weights: ByteWeights(UnsafeBufferPointer($0), offset: 0),
            workers: run.workers.count, kernels: run.kernels)
        }
        var sums = [Int32](repeating: -1, count: layer.rows * kernel.sumLength)
        buffer(&sums) { y in
          guard let x = x.baseAddress, let y = y.baseAddress else { return }
          kernel(x, into: y, workers: run.workers)
        }
        let result = (0..<layer.rows).flatMap {
          sums[$0 * kernel.sumLength..<$0 * kernel.sumLength + layer.units]
        }
        #expect(result == expected)
      }
    }
  }

  @Test(arguments: layers, [false, true])
  func hybridsEqualTheReference(_ layer: FullyConnected, _ isAsymmetric: Bool) {
    var random = SplitMix64(seed: 32)
    var rows = random.floats(layer.rows * layer.depth)
    let weights: [Int8] = random.integers(layer.units * layer.depth)
    let factors = random.floats(layer.units)
    let shape = Shape([layer.rows, layer.depth])
    let product = BatchMatMul(
      left: shape, right: Shape([layer.units, layer.depth]), batch: Shape([]),
      isLeftTransposed: false, isRightTransposed: true)
    var expected = [Float](repeating: .nan, count: layer.rows * layer.units)
    var (values, scales) = (
      [Int16](repeating: 9, count: rows.count), [Float](repeating: 9, count: layer.rows)
    )
    var right = weights
    buffer(&rows) { x in
      buffer(&values) { values in
        buffer(&scales) { scales in
          Reference.quantizeRows(
            x, run: layer.depth, isAsymmetric: isAsymmetric, into: values, scales: scales)
          buffer(&right) { w in
            buffer(&expected) { y in
              Reference.multiply(
                values: values, scales: scales, by: w, factors: factors, product, into: y)
            }
          }
        }
      }
      for run in Run.all {
        let kernel = HybridMatMul(
          rows: layer.rows, depth: layer.depth, weights: weights, factors: factors,
          workers: run.workers.count, kernels: run.kernels)
        var values = [Int16](repeating: 9, count: kernel.valueCount)
        var scales = [Float](repeating: 9, count: kernel.rows)
        var sums = [Int32](repeating: 9, count: kernel.sumCount)
        var result = [Float](repeating: .nan, count: expected.count)
        buffer(&values) { values in
          buffer(&scales) { scales in
            buffer(&sums) { sums in
              buffer(&result) { y in
                Reference.quantizeRows(
                  x, run: layer.depth, pitch: kernel.pitch, isAsymmetric: isAsymmetric,
                  into: values, scales: scales)
                kernel(values, scales: scales, sums: sums, into: y, workers: run.workers)
              }
            }
          }
        }
        #expect(result == expected)
      }
    }
  }
}
