//===--- Quantizing.swift - QUANTIZE and DEQUANTIZE -----------------------===//
//
// Converts floats to uint8, int8 or int16 and back, if the whole tensor has one scale.
//
// Contract  Bit-exact with `Reference.quantize` and `Reference.dequantize`.
// Cost      One pass; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// The affine map of a tensor.
package struct Quantizing: Sendable {
  private let map: AffineMap
  private let kernels: Microkernels

  /// Creates the map of a tensor of `type`. Returns `nil` if there are several scales, if the type
  /// is none of the three, or if the zero point exceeds ±2¹⁵.
  package init?(_ layout: ScaleLayout, of type: ElementType, kernels: Microkernels = .current) {
    guard layout.scales.count == 1, type == .uint8 || type == .int8 || type == .int16,
      layout.zeroPoints[0].magnitude <= 1 << 15
    else { return nil }
    map = AffineMap(type: type, scale: layout.scales[0], zeroPoint: layout.zeroPoints[0])
    self.kernels = kernels
  }

  package func quantize(
    _ x: UnsafeMutableBufferPointer<Float>, clampedTo range: ClosedRange<Int32>,
    into y: UnsafeMutableRawPointer, workers: Workers
  ) {
    guard let source = x.baseAddress else { return }
    let runs = ElementRuns(size: (4, map.type.bitWidth / 8), lanes: kernels.lanes)
    runs.forEach(source, count: x.count, into: y, workers: workers) { x, count, y in
      kernels.float32Quantize(x.assumingMemoryBound(to: Float.self), count, map, range, y)
    }
  }

  package func dequantize(
    _ x: UnsafeRawPointer, into y: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let target = y.baseAddress else { return }
    let runs = ElementRuns(size: (map.type.bitWidth / 8, 4), lanes: kernels.lanes)
    runs.forEach(x, count: y.count, into: target, workers: workers) { x, count, y in
      kernels.quantizedDequantize(x, count, map, y.assumingMemoryBound(to: Float.self))
    }
  }
}
