//===--- IntegerPairs.swift - two quantised integers to one ---------------===//
//
// The innermost loops of `QuantizedSum` and `QuantizedProduct`. An operand of step 0 is one number
// for the whole run.
//
// Contract  `count` is a multiple of the lanes. y may be the memory of a or of b. Bit for bit the
//           reference kernels. `type` is uint8, int8 or int16.
// Cost      Two or three fixed-point multiplications for an element: an operand whose scale is the
//           larger, or the same, is only shifted.
// Checked   Tests/MartletKernelsTests/IntegerPairsTests.swift
//===----------------------------------------------------------------------===//

import MartletMath

import MartletReference

import MartletTensor

extension Loops {
  package static func quantizedSum(
    _ a: UnsafeRawPointer, _ aStep: Int, _ b: UnsafeRawPointer, _ bStep: Int, count: Int,
    _ sum: QuantizedSum, as type: ElementType, into y: UnsafeMutableRawPointer
  ) {
    switch type {
    case .uint8: add(a, aStep, b, bStep, count, sum, y, as: UnsignedBytes.self)
    case .int8: add(a, aStep, b, bStep, count, sum, y, as: SignedBytes.self)
    default: add(a, aStep, b, bStep, count, sum, y, as: Shorts.self)
    }
  }

  package static func quantizedProduct(
    _ a: UnsafeRawPointer, _ aStep: Int, _ b: UnsafeRawPointer, _ bStep: Int, count: Int,
    _ product: QuantizedProduct, as type: ElementType, into y: UnsafeMutableRawPointer
  ) {
    switch type {
    case .uint8: multiply(a, aStep, b, bStep, count, product, y, as: UnsignedBytes.self)
    case .int8: multiply(a, aStep, b, bStep, count, product, y, as: SignedBytes.self)
    default: multiply(a, aStep, b, bStep, count, product, y, as: Shorts.self)
    }
  }
}

/// An operand of a sum on the common scale.
private struct Addend {
  private let zeroPoint: Sums
  private let bits: Sums
  private let factor: LaneFactor
  private let isShifted: Bool

  @inline(__always)
  init(zeroPoint: Int32, bits: Int32, factor: FixedPointMultiplier) {
    // Half of what ends in zeros, and so on, is exact.
    let whole = bits &+ factor.shift &- 1
    isShifted = factor.mantissa == 1 << 30 && factor.shift <= 0 && whole >= 0
    self.zeroPoint = Sums(repeating: zeroPoint)
    self.bits = Sums(repeating: isShifted ? whole : bits)
    self.factor = LaneFactor(factor)
  }

  @inline(__always)
  func callAsFunction(_ value: Sums) -> Sums {
    let shifted = (value &- zeroPoint) &<< bits
    return isShifted ? shifted : factor.scaledDown(shifted)
  }
}

@inline(never)
private func add<Elements: QuantizedLanes>(
  _ a: UnsafeRawPointer, _ aStep: Int, _ b: UnsafeRawPointer, _ bStep: Int, _ count: Int,
  _ sum: QuantizedSum, _ y: UnsafeMutableRawPointer, as: Elements.Type
) {
  let a = a.assumingMemoryBound(to: Elements.Scalar.self)
  let b = b.assumingMemoryBound(to: Elements.Scalar.self)
  let y = y.assumingMemoryBound(to: Elements.Scalar.self)
  let scaleA = Addend(zeroPoint: sum.zeroPointA, bits: sum.extraBits, factor: sum.scaleA)
  let scaleB = Addend(zeroPoint: sum.zeroPointB, bits: sum.extraBits, factor: sum.scaleB)
  let result = Result(sum.scaleY, zeroPoint: sum.zeroPointY, range: sum.range)
  var left = scaleA(Elements.repeating(a))
  var right = scaleB(Elements.repeating(b))
  var i = 0
  while i < count {
    if aStep != 0 { left = scaleA(Elements.load(a + i)) }
    if bStep != 0 { right = scaleB(Elements.load(b + i)) }
    Elements.store(result(left &+ right), to: y + i)
    i &+= Sums.scalarCount
  }
}

@inline(never)
private func multiply<Elements: QuantizedLanes>(
  _ a: UnsafeRawPointer, _ aStep: Int, _ b: UnsafeRawPointer, _ bStep: Int, _ count: Int,
  _ product: QuantizedProduct, _ y: UnsafeMutableRawPointer, as: Elements.Type
) {
  let a = a.assumingMemoryBound(to: Elements.Scalar.self)
  let b = b.assumingMemoryBound(to: Elements.Scalar.self)
  let y = y.assumingMemoryBound(to: Elements.Scalar.self)
  let zeroA = Sums(repeating: product.zeroPointA)
  let zeroB = Sums(repeating: product.zeroPointB)
  let result = Result(product.scale, zeroPoint: product.zeroPointY, range: product.range)
  var left = Elements.repeating(a)
  var right = Elements.repeating(b)
  var i = 0
  while i < count {
    if aStep != 0 { left = Elements.load(a + i) }
    if bStep != 0 { right = Elements.load(b + i) }
    Elements.store(result((left &- zeroA) &* (right &- zeroB)), to: y + i)
    i &+= Sums.scalarCount
  }
}

/// What is stored for a sum or a product.
private struct Result {
  private let factor: LaneFactor
  private let zeroPoint: Sums
  private let low: Sums
  private let high: Sums

  @inline(__always)
  init(_ factor: FixedPointMultiplier, zeroPoint: Int32, range: ClosedRange<Int32>) {
    self.factor = LaneFactor(factor)
    self.zeroPoint = Sums(repeating: zeroPoint)
    low = Sums(repeating: range.lowerBound)
    high = Sums(repeating: range.upperBound)
  }

  @inline(__always)
  func callAsFunction(_ value: Sums) -> Sums { clamp(factor(value) &+ zeroPoint, low, high) }
}
