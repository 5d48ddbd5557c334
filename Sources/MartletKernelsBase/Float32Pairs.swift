//===--- Float32Pairs.swift - two floats to one, element by element -------===//
//
// y[i] = clamp(f(a[i], b[i])): the innermost loops of arithmetic. An operand of step 0 is one number
// for the whole run.
//
// Contract  `count` is a multiple of the lanes. y may be the memory of a or of b. Bit for bit the
//           reference kernels: one operation after the other, each rounded once; the clamp leaves
//           NaN.
// Cost      One pass.
// Checked   Tests/MartletKernelsTests/PairedRunsTests.swift
//===----------------------------------------------------------------------===//

import MartletTensor

extension Loops {
  package static func float32Combine(
    _ a: UnsafePointer<Float>, _ aStep: Int, _ b: UnsafePointer<Float>, _ bStep: Int, count: Int,
    _ combination: FloatCombination, low: Float, high: Float, into y: UnsafeMutablePointer<Float>
  ) {
    switch combination {
    case .sum: combine(a, aStep, b, bStep, count, low, high, y, by: Sum.self)
    case .difference: combine(a, aStep, b, bStep, count, low, high, y, by: Difference.self)
    case .product: combine(a, aStep, b, bStep, count, low, high, y, by: Product.self)
    case .quotient: combine(a, aStep, b, bStep, count, low, high, y, by: Quotient.self)
    case .squaredDifference:
      combine(a, aStep, b, bStep, count, low, high, y, by: SquaredDifference.self)
    case .maximum: combine(a, aStep, b, bStep, count, low, high, y, by: Maximum.self)
    case .minimum: combine(a, aStep, b, bStep, count, low, high, y, by: Minimum.self)
    case .leakyRelu: combine(a, aStep, b, bStep, count, low, high, y, by: LeakyRelu.self)
    }
  }
}

/// A function of two vectors: a type and not a closure, which would be called for each vector.
private protocol Combination {
  static func of(_ a: Lanes, _ b: Lanes) -> Lanes
}

private enum Sum: Combination {
  @inline(__always) static func of(_ a: Lanes, _ b: Lanes) -> Lanes { a + b }
}
private enum Difference: Combination {
  @inline(__always) static func of(_ a: Lanes, _ b: Lanes) -> Lanes { a - b }
}
private enum Product: Combination {
  @inline(__always) static func of(_ a: Lanes, _ b: Lanes) -> Lanes { a * b }
}
private enum Quotient: Combination {
  @inline(__always) static func of(_ a: Lanes, _ b: Lanes) -> Lanes { a / b }
}
private enum SquaredDifference: Combination {
  @inline(__always) static func of(_ a: Lanes, _ b: Lanes) -> Lanes { (a - b) * (a - b) }
}
private enum Maximum: Combination {
  @inline(__always) static func of(_ a: Lanes, _ b: Lanes) -> Lanes {
    b.replacing(with: a, where: a .> b)
  }
}
private enum Minimum: Combination {
  @inline(__always) static func of(_ a: Lanes, _ b: Lanes) -> Lanes {
    b.replacing(with: a, where: a .< b)
  }
}
private enum LeakyRelu: Combination {
  @inline(__always) static func of(_ x: Lanes, _ alpha: Lanes) -> Lanes {
    (x * alpha).replacing(with: x, where: x .>= Lanes.zero)
  }
}

@inline(__always)
private func combine<Function: Combination>(
  _ a: UnsafePointer<Float>, _ aStep: Int, _ b: UnsafePointer<Float>, _ bStep: Int, _ count: Int,
  _ low: Float, _ high: Float, _ y: UnsafeMutablePointer<Float>, by: Function.Type
) {
  let low = Lanes(repeating: low)
  let high = Lanes(repeating: high)
  var left = Lanes(repeating: a[0])
  var right = Lanes(repeating: b[0])
  var i = 0
  while i < count {
    if aStep != 0 { left = load(a + i) }
    if bStep != 0 { right = load(b + i) }
    store(clamp(Function.of(left, right), low, high), to: y + i)
    i &+= Lanes.scalarCount
  }
}
