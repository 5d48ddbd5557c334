import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct FullyConnectedTests {
  static let layers = [
    FullyConnected(rows: 1, depth: 1, units: 1), FullyConnected(rows: 1, depth: 33, units: 10),
    FullyConnected(rows: 3, depth: 64, units: 17), FullyConnected(rows: 9, depth: 7, units: 40),
    FullyConnected(rows: 1, depth: 1024, units: 1001),
    FullyConnected(rows: 70, depth: 90, units: 95),
  ]

  @Test(arguments: layers)
  func floatsAreSummedInTheDocumentedOrder(_ layer: FullyConnected) throws {
    var random = SplitMix64(seed: 8)
    var input = random.floats(layer.rows * layer.depth)
    var weights = random.floats(layer.units * layer.depth)
    var bias = random.floats(layer.units)
    let garbage = [Float](repeating: .nan, count: layer.rows * layer.units)
    let range: ClosedRange<Float> = -8...9
    let expected = OrderedResults(of: layer, input, weights, bias, range)
    let convolution = try #require(Convolution(layer))
    buffer(&input) { x in
      buffer(&weights) { w in
        buffer(&bias) { b in
          for run in Run.all {
            let kernel = Float32Convolution(
              convolution, filter: UnsafeBufferPointer(w), bias: UnsafeBufferPointer(b),
              clampedTo: range, workers: run.workers.count,
              kernels: run.kernels)
            #expect(kernel.scratchCount == 0)
            var result = garbage
            buffer(&result) { y in
              kernel(
                x, scratch: UnsafeMutableBufferPointer(start: nil, count: 0), into: y,
                workers: run.workers)
            }
            expectSame(result, expected[run])
          }
        }
      }
    }
  }

  @Test(arguments: layers)
  func signedBytesEqualTheReference(_ layer: FullyConnected) throws {
    try expectEqual(layer, as: Int8.self, zeroPoint: -9, weightZeroPoint: 5, range: -128...127)
  }

  @Test(arguments: layers)
  func unsignedBytesEqualTheReference(_ layer: FullyConnected) throws {
    try expectEqual(layer, as: UInt8.self, zeroPoint: 128, weightZeroPoint: 140, range: 4...255)
  }

  private func expectEqual<Scalar: FixedWidthInteger & BitwiseCopyable>(
    _ layer: FullyConnected, as: Scalar.Type, zeroPoint: Int32, weightZeroPoint: Int32,
    range: ClosedRange<Int32>
  ) throws {
    let convolution = try #require(Convolution(layer))
    var random = SplitMix64(seed: 9)
    var input: [Scalar] = random.integers(layer.rows * layer.depth)
    var weights: [Scalar] = random.integers(layer.units * layer.depth)
    var bias: [Int32] = random.integers(layer.units, in: -5000...5000)
    let requantizer = RealRequantizer(
      factors: (0..<layer.units).map { _ in Double.random(in: 0.0001...0.01, using: &random) },
      zeroPoint: range.lowerBound + 128, range: range)
    let garbage = [Scalar](repeating: 99, count: layer.rows * layer.units)
    buffer(&input) { x in
      buffer(&weights) { w in
        buffer(&bias) { b in
          var expected = garbage
          buffer(&expected) { y in
            Reference.convolve(
              x, offset: -zeroPoint, filter: w, offset: -weightZeroPoint, bias: b, layer,
              requantizer: requantizer, into: y)
          }
          for run in Run.all {
            let kernel = QuantizedConvolution(
              convolution, zero: ByteZeroPoint(isSigned: Scalar.isSigned, zeroPoint: zeroPoint),
              filter: ByteWeights(UnsafeBufferPointer(w), offset: -weightZeroPoint),
              bias: UnsafeBufferPointer(b), requantizer: .real(requantizer),
              workers: run.workers.count,
              kernels: run.kernels)
            let result = output(over: garbage, scratch: Int32(-1), count: kernel.scratchCount) {
              kernel(UnsafeMutableRawBufferPointer(x), scratch: $0, into: $1, workers: run.workers)
            }
            #expect(result == expected)
          }
        }
      }
    }
  }
}
