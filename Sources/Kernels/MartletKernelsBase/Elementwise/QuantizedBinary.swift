//===--- QuantizedBinary.swift - quantized binary loops -------------------===//
//
// Sums and products, as in the reference kernels `QuantizedSum` and `QuantizedProduct`.
//
// Contract  `count` is a multiple of the lanes. y may be the memory of a or of b. Bit-exact with
//           the reference kernels. `type` is uint8, int8 or int16.
// Cost      Two or three fixed-point multiplications per element: an operand with the larger, or
//           the same, scale is only shifted.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

extension Level {
  package static func quantizedAdd(_ sum: QuantizedAdd) {
    switch sum.type {
    case .uint8: add(sum, as: UnsignedBytes.self, from: addSixteens(sum, flip: 0x80))
    case .int8: add(sum, as: SignedBytes.self, from: addSixteens(sum, flip: 0))
    default: add(sum, as: Shorts.self, from: 0)
    }
  }

  package static func quantizedMultiply(_ product: QuantizedMultiply) {
    switch product.type {
    case .uint8: multiply(product, as: UnsignedBytes.self)
    case .int8: multiply(product, as: SignedBytes.self)
    default: multiply(product, as: Shorts.self)
    }
  }
}

/// An `Addend` in all lanes.
private struct LaneAddend {
  private let zeroPoint: Sums
  private let bits: Sums
  private let factor: LaneFactor
  private let isShifted: Bool

  @inline(__always)
  init(_ addend: Addend, bits: Int32) {
    let factor = addend.scale
    // Halving a number with enough trailing zeros is exact.
    let whole = bits &+ factor.shift &- 1
    isShifted = factor.mantissa == 1 << 30 && factor.shift <= 0 && whole >= 0
    self.zeroPoint = Sums(repeating: addend.zeroPoint)
    self.bits = Sums(repeating: isShifted ? whole : bits)
    self.factor = LaneFactor(factor)
  }

  @inline(__always)
  func callAsFunction(_ value: Sums) -> Sums {
    let shifted = (value &- zeroPoint) &<< bits
    return isShifted ? shifted : factor.scaledDown(shifted)
  }
}

#if !arch(arm64)
  /// See `ByteAdd+NEON.swift`.
  @inline(__always)
  private func addSixteens(_ sum: QuantizedAdd, flip: UInt8) -> Int { 0 }
#endif

@inline(never)
private func add<Elements: QuantizedLanes>(
  _ sum: QuantizedAdd, as: Elements.Type, from first: Int
) {
  let run = sum.run
  let a = run.a.start.assumingMemoryBound(to: Elements.Scalar.self)
  let b = run.b.start.assumingMemoryBound(to: Elements.Scalar.self)
  let y = run.y.assumingMemoryBound(to: Elements.Scalar.self)
  let (repeatsA, repeatsB, count) = (run.a.isRepeated, run.b.isRepeated, run.count)
  let scaleA = LaneAddend(sum.a, bits: sum.extraBits)
  let scaleB = LaneAddend(sum.b, bits: sum.extraBits)
  let result = LaneResult(sum.y)
  var left = scaleA(Elements.repeating(a))
  var right = scaleB(Elements.repeating(b))
  var i = first
  while i < count {
    if !repeatsA { left = scaleA(Elements.load(a + i)) }
    if !repeatsB { right = scaleB(Elements.load(b + i)) }
    Elements.store(result(left &+ right), to: y + i)
    i &+= Sums.scalarCount
  }
}

@inline(never)
private func multiply<Elements: QuantizedLanes>(_ product: QuantizedMultiply, as: Elements.Type) {
  let run = product.run
  let a = run.a.start.assumingMemoryBound(to: Elements.Scalar.self)
  let b = run.b.start.assumingMemoryBound(to: Elements.Scalar.self)
  let y = run.y.assumingMemoryBound(to: Elements.Scalar.self)
  let (repeatsA, repeatsB, count) = (run.a.isRepeated, run.b.isRepeated, run.count)
  let zeroA = Sums(repeating: product.zeroPointA)
  let zeroB = Sums(repeating: product.zeroPointB)
  let result = LaneResult(product.y)
  var left = Elements.repeating(a)
  var right = Elements.repeating(b)
  var i = 0
  while i < count {
    if !repeatsA { left = Elements.load(a + i) }
    if !repeatsB { right = Elements.load(b + i) }
    Elements.store(result((left &- zeroA) &* (right &- zeroB)), to: y + i)
    i &+= Sums.scalarCount
  }
}

/// A `QuantizedResult` in all lanes.
private struct LaneResult {
  private let factor: LaneFactor
  private let zeroPoint: Sums
  private let low: Sums
  private let high: Sums

  @inline(__always)
  init(_ result: QuantizedResult) {
    factor = LaneFactor(result.scale)
    zeroPoint = Sums(repeating: result.zeroPoint)
    low = Sums(repeating: result.range.lowerBound)
    high = Sums(repeating: result.range.upperBound)
  }

  @inline(__always)
  func callAsFunction(_ value: Sums) -> Sums { clamp(factor(value) &+ zeroPoint, low, high) }
}
