import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

/// Two shapes that broadcast.
struct PairCase: Sendable, CustomTestStringConvertible {
  let a: Shape
  let b: Shape

  init(_ a: [Int], _ b: [Int]) {
    self.a = Shape(a)
    self.b = Shape(b)
  }

  var testDescription: String { "\(a) \(b)" }

  /// A single run, also with a scalar operand; repeated rows of either operand, shorter and longer
  /// than a vector; several axes; and enough elements for several chunks.
  static let table = [
    PairCase([7], [7]), PairCase([64], [64]), PairCase([3, 37], [3, 37]), PairCase([50], []),
    PairCase([1, 1], [2, 19]), PairCase([6, 5, 3], [3]), PairCase([24], [9, 4, 24]),
    PairCase([1000, 33], [33]), PairCase([3, 2000], [2000]), PairCase([5, 4, 16], [5, 4, 1]),
    PairCase([4, 1, 5], [3, 1]), PairCase([2, 1, 3, 1, 2], [1, 4, 1, 2, 2]), PairCase([0, 3], [3]),
    PairCase([300, 200], [300, 200]), PairCase([9000, 8], [8]), PairCase([500, 1, 40], [2, 40]),
    PairCase([1], [70_000]),
  ]

  func walk() throws -> Broadcast { Broadcast([a, b], over: try a.broadcast(with: b)) }
}

@Suite struct BroadcastRunsTests {
  /// The reference kernels' result for two numbers.
  private static func combine(_ combination: FloatCombination, _ a: Float, _ b: Float) -> Float {
    switch combination {
    case .sum: a + b
    case .difference: a - b
    case .product: a * b
    case .quotient: a / b
    case .squaredDifference: (a - b) * (a - b)
    case .maximum: a > b ? a : b
    case .minimum: a < b ? a : b
    case .leakyRelu: a >= 0 ? a : a * b
    }
  }

  @Test(arguments: PairCase.table, FloatCombination.allCases)
  func floatsHaveTheBitsOfTheReference(_ c: PairCase, _ combination: FloatCombination) throws {
    let walk = try c.walk()
    var random = SplitMix64(seed: 5)
    var a = random.floats(c.a.elementCount)
    var b = random.floats(c.b.elementCount)
    // The parameters that distinguish clamps and comparisons.
    for (index, value) in [Float.nan, 0, -0.0, .infinity, -0.75, 0.5].enumerated() {
      if index < a.count { a[index] = value }
      if index < b.count { b[b.count - 1 - index] = value }
    }
    let range: ClosedRange<Float> = -0.75...0.5
    let garbage = [Float](repeating: 99, count: walk.shape.elementCount)
    buffer(&a) { a in
      buffer(&b) { b in
        var expected = garbage
        buffer(&expected) {
          walk.combine(a, b, into: $0) {
            Reference.clamp(Self.combine(combination, $0, $1), range)
          }
        }
        for run in Run.all {
          let pairs = Float32Arithmetic(
            combination, walk, clampedTo: range, workers: run.workers.count, kernels: run.kernels)
          var result = garbage
          buffer(&result) { pairs(a, b, into: $0, workers: run.workers) }
          #expect(result.map(\.bitPattern) == expected.map(\.bitPattern))
        }
      }
    }
  }

  @Test func writesOverAnOperand() throws {
    let shape = Shape(3, 50, 7)
    let walk = Broadcast([shape, Shape(7)], over: shape)
    var b: [Float] = [1, 2, 3, 4, 5, 6, 7]
    let numbers = (0..<shape.elementCount).map { Float($0) }
    let expected = numbers.indices.map { (index: Int) -> Float in numbers[index] + b[index % 7] }
    for run in Run.all {
      var a = numbers
      let pairs = Float32Arithmetic(.sum, walk, workers: run.workers.count, kernels: run.kernels)
      buffer(&a) { a in buffer(&b) { pairs(a, $0, into: a, workers: run.workers) } }
      #expect(a == expected)
    }
  }
}
