//===--- Lanes.swift - vectors of the instruction set at hand -------------===//
//
// What microkernels are written with: the vectors of the instruction set that this folder is
// compiled for, loads, stores, and the few operations that differ between sets.
//
// Contract  Everything in this folder uses raw pointers and concrete vectors alone. A generic of
//           the standard library, compiled here for a newer processor, could be linked into code
//           that runs on an older one; and generic vectors are compiled lane by lane.
// Order     With fused multiply-add (x86-64-v3, v4, arm64) floats agree bit for bit; without it the
//           product is rounded before it is added.
//===----------------------------------------------------------------------===//

#if MARTLET_V4
  typealias Lanes = SIMD16<Float>
  typealias Sums = SIMD16<Int32>
  typealias WideSums = SIMD8<UInt64>
#elseif MARTLET_V3
  typealias Lanes = SIMD8<Float>
  typealias Sums = SIMD8<Int32>
  typealias WideSums = SIMD4<UInt64>
#else
  typealias Lanes = SIMD4<Float>
  typealias Sums = SIMD4<Int32>
  typealias WideSums = SIMD2<UInt64>
#endif

/// The innermost loops of one instruction set.
package enum Loops {
  // The rows of a full tile. Its accumulators, twice as many, the weights and a spare fill the
  // registers.
  #if MARTLET_V4
    package static var tileRows: Int { 12 }
  #elseif arch(arm64)
    package static var tileRows: Int { 8 }
  #elseif MARTLET_V3
    package static var tileRows: Int { 6 }
  #else
    package static var tileRows: Int { 5 }
  #endif

  /// The same of integer tiles, of which the compiler unrolls fewer.
  #if MARTLET_V4
    package static var sumRows: Int { 10 }
  #else
    package static var sumRows: Int { tileRows }
  #endif

  /// The lanes of a vector: a panel is as wide as two vectors, or one.
  package static var lanes: Int { Lanes.scalarCount }
}

@inline(__always)
func load<V: SIMD>(_ p: UnsafePointer<V.Scalar>) -> V {
  UnsafeRawPointer(p).loadUnaligned(as: V.self)
}

@inline(__always)
func store<V: SIMD>(_ vector: V, to p: UnsafeMutablePointer<V.Scalar>) {
  UnsafeMutableRawPointer(p).storeBytes(of: vector, as: V.self)
}

/// `sum + x * w`, fused where the instruction set can.
@inline(__always)
func multiplyAdd(_ sum: Lanes, _ x: Lanes, _ w: Lanes) -> Lanes {
  #if MARTLET_V3 || MARTLET_V4 || arch(arm64)
    sum.addingProduct(x, w)
  #else
    sum + x * w
  #endif
}

@inline(__always)
func clamp(_ value: Lanes, _ low: Lanes, _ high: Lanes) -> Lanes {
  let raised = value.replacing(with: low, where: value .< low)
  return raised.replacing(with: high, where: raised .> high)
}

#if MARTLET_V3 || MARTLET_V4
  @inline(__always)
  func multiplyAdd(_ sum: SIMD4<Float>, _ x: SIMD4<Float>, _ w: SIMD4<Float>) -> SIMD4<Float> {
    sum.addingProduct(x, w)
  }

  @inline(__always)
  func clamp(_ value: SIMD4<Float>, _ low: SIMD4<Float>, _ high: SIMD4<Float>) -> SIMD4<Float> {
    let raised = value.replacing(with: low, where: value .< low)
    return raised.replacing(with: high, where: raised .> high)
  }
#endif

@inline(__always)
func clamp(_ value: Sums, _ low: Sums, _ high: Sums) -> Sums {
  let raised = value.replacing(with: low, where: value .< low)
  return raised.replacing(with: high, where: raised .> high)
}
