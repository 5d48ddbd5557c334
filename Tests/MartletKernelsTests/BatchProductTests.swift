import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct BatchProductTests {
  struct Case: Sendable {
    let left: [Int]
    let right: [Int]
    let batch: [Int]
    var adjoint = (false, false)

    var product: BatchMatMul {
      BatchMatMul(
        left: Shape(left), right: Shape(right), batch: Shape(batch),
        isLeftTransposed: adjoint.0, isRightTransposed: adjoint.1)
    }
  }

  static let cases = [
    Case(left: [1, 1], right: [1, 1], batch: []),
    Case(left: [70, 33], right: [33, 90], batch: []),
    Case(left: [5, 3, 7], right: [5, 7, 40], batch: [5]),
    Case(left: [2, 1, 9, 31], right: [3, 17, 31], batch: [2, 3], adjoint: (false, true)),
    Case(left: [3, 64, 50], right: [64, 9], batch: [3], adjoint: (true, false)),
    Case(left: [2, 65, 1], right: [2, 130, 65], batch: [2], adjoint: (true, true)),
    Case(left: [0, 4, 2], right: [2, 3], batch: [0]),
  ]

  @Test(arguments: cases)
  func floatsAreSummedInTheDocumentedOrder(_ test: Case) {
    let product = test.product.withLeftInRows
    var random = SplitMix64(seed: 21)
    var left = random.floats(Shape(test.left).elementCount)
    var right = random.floats(Shape(test.right).elementCount)
    let count = product.batches * product.rows * product.columns
    let expected = OrderedResults(of: product, left, right, [], -Float.infinity...Float.infinity)
    buffer(&left) { x in
      buffer(&right) { w in
        for run in Run.all {
          let kernel = Float32BatchProduct(
            product, workers: run.workers.count, kernels: run.kernels)
          var scratch = [Float](repeating: .nan, count: kernel.scratchCount)
          var result = [Float](repeating: .nan, count: count)
          buffer(&scratch) { scratch in
            buffer(&result) { y in kernel(x, w, scratch: scratch, into: y, workers: run.workers) }
          }
          expectSame(result, expected[run])
        }
      }
    }
  }

  @Test(arguments: cases)
  func bytesEqualTheReference(_ test: Case) {
    let product = test.product
    var random = SplitMix64(seed: 22)
    var left: [Int8] = random.integers(Shape(test.left).elementCount)
    var right: [Int8] = random.integers(Shape(test.right).elementCount)
    let count = product.batches * product.rows * product.columns
    let requantizer = Requantizer(
      multipliers: [FixedPointMultiplier](
        repeating: FixedPointMultiplier(0.0123), count: product.columns),
      zeroPoint: -7, range: -128...127)
    var none: [Int32] = []
    var expected = [Int8](repeating: 99, count: count)
    buffer(&left) { x in
      buffer(&right) { w in
        buffer(&none) { bias in
          buffer(&expected) { y in
            Reference.convolve(
              x, offset: 5, filter: w, offset: -11, bias: bias, product,
              requantizer: requantizer, into: y)
          }
        }
        for run in Run.all {
          let kernel = QuantizedBatchProduct(
            product, leftZero: -5, rightZero: 11, requantizer: requantizer,
            workers: run.workers.count, kernels: run.kernels)
          var scratch = [Int32](repeating: -1, count: kernel.scratchCount)
          var result = [Int8](repeating: 99, count: count)
          buffer(&scratch) { scratch in
            buffer(&result) { y in kernel(x, w, scratch: scratch, into: y, workers: run.workers) }
          }
          #expect(result == expected)
        }
      }
    }
  }
}
