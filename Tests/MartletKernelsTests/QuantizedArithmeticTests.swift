import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct QuantizedArithmeticTests {
  /// Scales of two operands and a result: equal, a power of two apart, and arbitrary.
  struct Scales: Sendable {
    let a: Float
    let b: Float
    let y: Float
    let zeroPoints: [Int]
  }
  static let scales = [
    Scales(a: 0.1, b: 0.1, y: 0.15, zeroPoints: [0, 0, 0]),
    Scales(a: 0.5, b: 0.125, y: 0.25, zeroPoints: [3, -7, 11]),
    Scales(a: 0.031, b: 0.27, y: 0.3, zeroPoints: [-128, 127, -5]),
    Scales(a: 0.27, b: 0.031, y: 0.001, zeroPoints: [5, 90, -128]),
    // Scales for which no pair is near a tie.
    Scales(a: 0.0407, b: 0.0412, y: 0.0584, zeroPoints: [-2, -1, -3]),
    Scales(a: 1e-6, b: 3, y: 40, zeroPoints: [1, 2, 3]),
    // Scales for which results are shifted left.
    Scales(a: 2, b: 3, y: 1e-6, zeroPoints: [1, 2, 3]),
  ]

  @Test(arguments: PairCase.table, scales)
  func equalsTheReference(_ c: PairCase, _ scales: Scales) throws {
    try expectEqual(c, scales, of: Int8.self, range: -128...127)
    try expectEqual(c, scales, of: Int8.self, range: -30...60)
    try expectEqual(c, scales, of: UInt8.self, range: 3...250, shift: 128)
    try expectEqual(c, scales, of: Int16.self, range: -32768...32767)
  }

  private func expectEqual<Scalar: Element & FixedWidthInteger>(
    _ c: PairCase, _ scales: Scales, of: Scalar.Type, range: ClosedRange<Int32>, shift: Int = 0
  ) throws {
    let maps = zip([scales.a, scales.b, scales.y], scales.zeroPoints).map {
      Quantization(scale: $0, zeroPoint: $1 + shift)
    }
    let walk = try c.walk()
    let bits: Int32 = Scalar.bitWidth == 16 ? 15 : 20
    let sums = [QuantizedSum.Kind.sum, .difference].map {
      QuantizedSum($0, maps[0], maps[1], to: maps[2], extraBits: bits, range: range)
    }
    for sum in sums {
      try expectEqual(c, walk, of: Scalar.self) { a, b, y in
        Reference.add(a, b, walk, sum, into: y)
      } pairs: {
        try #require(
          QuantizedArithmetic(
            sum, walk, of: Scalar.elementType, workers: $0.workers.count, kernels: $0.kernels))
      }
    }
    let product = QuantizedProduct(maps[0], maps[1], to: maps[2], range: range)
    try expectEqual(c, walk, of: Scalar.self) { a, b, y in
      Reference.multiply(a, b, walk, product, into: y)
    } pairs: {
      QuantizedArithmetic(
        product, walk, of: Scalar.elementType, workers: $0.workers.count, kernels: $0.kernels)
    }
  }

  private func expectEqual<Scalar: Element & FixedWidthInteger>(
    _ c: PairCase, _ walk: Broadcast, of: Scalar.Type,
    reference: (
      UnsafeMutableBufferPointer<Scalar>, UnsafeMutableBufferPointer<Scalar>,
      UnsafeMutableBufferPointer<Scalar>
    ) -> Void, pairs: (Run) throws -> QuantizedArithmetic
  ) throws {
    var random = SplitMix64(seed: 6)
    var a: [Scalar] = random.integers(c.a.elementCount)
    var b: [Scalar] = random.integers(c.b.elementCount)
    let garbage = [Scalar](repeating: 99, count: walk.shape.elementCount)
    try buffer(&a) { a in
      try buffer(&b) { b in
        var expected = garbage
        buffer(&expected) { reference(a, b, $0) }
        for run in Run.all {
          let pairs = try pairs(run)
          var result = garbage
          buffer(&result) { y in
            guard let a = a.baseAddress, let b = b.baseAddress, let y = y.baseAddress else {
              return
            }
            pairs(a, b, into: y, workers: run.workers)
          }
          #expect(result == expected)
        }
      }
    }
  }
}
