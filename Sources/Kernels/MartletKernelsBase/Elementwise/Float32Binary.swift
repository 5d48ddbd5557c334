//===--- Float32Binary.swift - binary float loops -------------------------===//
//
// y[i] = clamp(f(a[i], b[i])).
//
// Contract  `count` is a multiple of the lanes. y may be the memory of a or of b. Bit-exact with
//           the reference kernels: each operation is rounded separately. The clamp keeps NaN.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

extension Level {
  package static func float32Binary(_ arithmetic: Float32Binary) {
    switch arithmetic.function {
    case .sum: compute(arithmetic, Sum.self)
    case .difference: compute(arithmetic, Difference.self)
    case .product: compute(arithmetic, Product.self)
    case .quotient: compute(arithmetic, Quotient.self)
    case .squaredDifference: compute(arithmetic, SquaredDifference.self)
    case .maximum: compute(arithmetic, Maximum.self)
    case .minimum: compute(arithmetic, Minimum.self)
    case .leakyRelu: compute(arithmetic, LeakyRelu.self)
    }
  }
}

/// A function of two vectors. It is a type, because a closure would be called for each vector.
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
private func compute<Function: Combination>(_ arithmetic: Float32Binary, _: Function.Type) {
  let run = arithmetic.run
  let a = run.a.start.assumingMemoryBound(to: Float.self)
  let b = run.b.start.assumingMemoryBound(to: Float.self)
  let y = run.y.assumingMemoryBound(to: Float.self)
  let (repeatsA, repeatsB, count) = (run.a.isRepeated, run.b.isRepeated, run.count)
  let low = Lanes(repeating: arithmetic.range.lowerBound)
  let high = Lanes(repeating: arithmetic.range.upperBound)
  let isClamped =
    arithmetic.range.lowerBound > -.infinity || arithmetic.range.upperBound < .infinity
  var left = Registers4<Lanes>(repeating: Lanes(repeating: a[0]))
  var right = Registers4<Lanes>(repeating: Lanes(repeating: b[0]))
  let lanes = Lanes.scalarCount
  var i = 0
  while i &+ 4 &* lanes <= count {
    if !repeatsA { for k in 0..<4 { left[k] = load(a + (i &+ k &* lanes)) } }
    if !repeatsB { for k in 0..<4 { right[k] = load(b + (i &+ k &* lanes)) } }
    var result = left
    for k in 0..<4 { result[k] = Function.of(left[k], right[k]) }
    if isClamped { for k in 0..<4 { result[k] = clamp(result[k], low, high) } }
    for k in 0..<4 { store(result[k], to: y + (i &+ k &* lanes)) }
    i &+= 4 &* lanes
  }
  while i < count {
    if !repeatsA { left[0] = load(a + i) }
    if !repeatsB { right[0] = load(b + i) }
    store(clamp(Function.of(left[0], right[0]), low, high), to: y + i)
    i &+= lanes
  }
}
