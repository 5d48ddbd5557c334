//===--- Lanes.swift - vectors of the instruction set at hand -------------===//
//
// What a microkernel is written with: loads, stores and the multiply-add of floats. The widths are
// those of the instruction set that this folder is compiled for; the folder is compiled once for
// each.
//
// Contract  Everything in this folder uses raw pointers and SIMD values alone: a generic of the
//           standard library, compiled here for a newer processor, could be linked into code that
//           runs on an older one.
// Order     With fused multiply-add (x86-64-v3, v4, arm64) floats agree bit for bit; without it the
//           product is rounded before it is added.
//===----------------------------------------------------------------------===//

/// The innermost loops of one instruction set.
package enum Loops {
  // The rows of a full tile, and the widths that a panel may have: twice a vector.
  #if MARTLET_V4
    package static let tileRows = 12
    package static let tileWidths = [32, 16, 8]
  #elseif MARTLET_V3
    package static let tileRows = 6
    package static let tileWidths = [16, 8]
  #elseif arch(arm64)
    package static let tileRows = 8
    package static let tileWidths = [8]
  #else
    package static let tileRows = 5
    package static let tileWidths = [8]
  #endif
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
func multiplyAdd<V: SIMD>(_ sum: V, _ x: V, _ w: V) -> V where V.Scalar == Float {
  #if MARTLET_V3 || MARTLET_V4 || arch(arm64)
    sum.addingProduct(x, w)
  #else
    sum + x * w
  #endif
}

@inline(__always)
func clamp<V: SIMD>(_ value: V, _ low: V, _ high: V) -> V where V.Scalar: Comparable {
  let raised = value.replacing(with: low, where: value .< low)
  return raised.replacing(with: high, where: raised .> high)
}
