//===--- ElementwiseLoops.swift - loops over elements, by instruction set -===//
//
// The table through which element-wise kernels call their innermost loops, which are compiled once
// for each instruction set as `Microkernels` are.
//
// Checked   Tests/MartletKernelsTests, which run on every set that the processor has
//===----------------------------------------------------------------------===//

import MartletKernelsBase
import MartletReference
import MartletTensor

#if MARTLET_LEVELS
  import MartletKernelsV3
  import MartletKernelsV4
#endif

/// One instruction set's loops. What each does is said where it is defined.
package struct ElementwiseLoops: Sendable {
  typealias SumLoop =
    @Sendable (
      _ a: UnsafeRawPointer, _ aStep: Int, _ b: UnsafeRawPointer, _ bStep: Int, _ count: Int,
      _ sum: QuantizedSum, _ type: ElementType, _ y: UnsafeMutableRawPointer
    ) -> Void

  /// What counts are multiples of.
  let lanes: Int
  let float32Combine:
    @Sendable (
      _ a: UnsafePointer<Float>, _ aStep: Int, _ b: UnsafePointer<Float>, _ bStep: Int,
      _ count: Int, _ combination: FloatCombination, _ low: Float, _ high: Float,
      _ y: UnsafeMutablePointer<Float>
    ) -> Void
  let quantizedSum: SumLoop
  let quantizedProduct:
    @Sendable (
      _ a: UnsafeRawPointer, _ aStep: Int, _ b: UnsafeRawPointer, _ bStep: Int, _ count: Int,
      _ product: QuantizedProduct, _ type: ElementType, _ y: UnsafeMutableRawPointer
    ) -> Void
  let float32Map:
    @Sendable (
      _ x: UnsafePointer<Float>, _ count: Int, _ function: FloatFunction,
      _ y: UnsafeMutablePointer<Float>
    ) -> Void
  let float32Reduce:
    @Sendable (
      _ x: UnsafePointer<Float>, _ rows: Int, _ depth: Int, _ reduction: FloatReduction,
      _ y: UnsafeMutablePointer<Float>
    ) -> Void
  let quantize:
    @Sendable (
      _ x: UnsafePointer<Float>, _ count: Int, _ scale: Float, _ zeroPoint: Int32,
      _ range: ClosedRange<Int32>, _ type: ElementType, _ y: UnsafeMutableRawPointer
    ) -> Void
  let dequantize:
    @Sendable (
      _ x: UnsafeRawPointer, _ count: Int, _ type: ElementType, _ scale: Float,
      _ zeroPoint: Int32, _ y: UnsafeMutablePointer<Float>
    ) -> Void
  let float32Resize:
    @Sendable (
      _ above: UnsafePointer<Float>, _ below: UnsafePointer<Float>, _ down: Float,
      _ columns: UnsafePointer<ResizePlace<Float>>, _ count: Int, _ depth: Int,
      _ y: UnsafeMutablePointer<Float>
    ) -> Void
  let uint8Resize:
    @Sendable (
      _ above: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>, _ down: Float,
      _ columns: UnsafePointer<ResizePlace<Float>>, _ count: Int, _ depth: Int,
      _ y: UnsafeMutablePointer<UInt8>
    ) -> Void
  let int8Resize:
    @Sendable (
      _ above: UnsafePointer<Int8>, _ below: UnsafePointer<Int8>, _ down: Int32,
      _ columns: UnsafePointer<ResizePlace<Int32>>, _ count: Int, _ depth: Int,
      _ y: UnsafeMutablePointer<Int8>
    ) -> Void
  /// The same for bytes, quicker, where it gives the same: not all sums do.
  var byteSum: SumLoop?
}

extension ElementwiseLoops {
  /// The instruction sets that were compiled and that this processor has, the plainest first.
  package static let available: [ElementwiseLoops] = {
    #if MARTLET_LEVELS
      switch ProcessorLevel.current {
      case .v4, .vnni: [plain, v3, v4]
      case .v3: [plain, v3]
      case .v1: [plain]
      }
    #else
      [plain]
    #endif
  }()

  /// The loops for the processor at hand.
  package static let current = available.last ?? plain

  private typealias Plain = MartletKernelsBase.Loops
  private static let plain = ElementwiseLoops(
    lanes: Plain.lanes, float32Combine: Plain.float32Combine, quantizedSum: Plain.quantizedSum,
    quantizedProduct: Plain.quantizedProduct, float32Map: Plain.float32Map,
    float32Reduce: Plain.float32Reduce,
    quantize: Plain.quantize, dequantize: Plain.dequantize, float32Resize: Plain.float32Resize,
    uint8Resize: Plain.uint8Resize, int8Resize: Plain.int8Resize)

  #if MARTLET_LEVELS
    private typealias V3 = MartletKernelsV3.Loops
    private static let v3 = ElementwiseLoops(
      lanes: V3.lanes, float32Combine: V3.float32Combine, quantizedSum: V3.quantizedSum,
      quantizedProduct: V3.quantizedProduct, float32Map: V3.float32Map,
      float32Reduce: V3.float32Reduce, quantize: V3.quantize,
      dequantize: V3.dequantize, float32Resize: V3.float32Resize, uint8Resize: V3.uint8Resize,
      int8Resize: V3.int8Resize)

    private typealias V4 = MartletKernelsV4.Loops
    private static let v4 = ElementwiseLoops(
      lanes: V4.lanes, float32Combine: V4.float32Combine, quantizedSum: V4.quantizedSum,
      quantizedProduct: V4.quantizedProduct, float32Map: V4.float32Map,
      float32Reduce: V4.float32Reduce, quantize: V4.quantize,
      dequantize: V4.dequantize, float32Resize: V4.float32Resize, uint8Resize: V4.uint8Resize,
      int8Resize: V4.int8Resize, byteSum: V4.byteSum)
  #endif
}
