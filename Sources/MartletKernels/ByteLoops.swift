//===--- ByteLoops.swift - the innermost loops over bytes -----------------===//
//
// What each does is said where it is defined, in `MartletKernelsBase`.
//
// Checked   Tests/MartletKernelsTests, which run on every set that the processor has
//===----------------------------------------------------------------------===//

/// The innermost loops over bytes of an instruction set that multiplies them.
struct ByteLoops: Sendable {
  /// The rows of a tile of a narrow panel, a multiple of those of a wide one.
  static let tileRows = 12

  let multiply:
    @Sendable (
      _ x: UnsafePointer<UInt8>, _ xStride: Int, _ rows: Int, _ quads: Int,
      _ terms: UnsafePointer<Int32>, _ termStride: Int, _ panel: UnsafePointer<Int32>,
      _ vectors: Int, _ y: UnsafeMutablePointer<UInt8>, _ yStride: Int, _ columns: Int,
      _ zeroPoint: Int16, _ low: UInt8, _ high: UInt8, _ flip: UInt8, _ isRectified: Bool
    ) -> Void
  let connect:
    @Sendable (
      _ x: UnsafePointer<UInt8>, _ quads: Int, _ term: Int32, _ panel: UnsafePointer<Int32>,
      _ y: UnsafeMutablePointer<UInt8>, _ columns: Int,
      _ zeroPoint: Int32, _ low: Int32, _ high: Int32, _ flip: UInt8
    ) -> Void
  let rowSums:
    @Sendable (
      _ x: UnsafePointer<UInt8>, _ xStride: Int, _ rows: Int, _ depth: Int, _ flip: UInt8,
      _ factor: Int32, _ terms: UnsafeMutablePointer<Int32>
    ) -> Void
  let depthwise:
    @Sendable (
      _ taps: UnsafePointer<UnsafePointer<UInt8>>, _ quads: Int, _ parts: Int,
      _ weights: UnsafePointer<Int32>, _ runs: Int, _ length: Int, _ runStride: Int,
      _ y: UnsafeMutablePointer<UInt8>,
      _ zeroPoint: Int16, _ low: UInt8, _ high: UInt8, _ flip: UInt8, _ isRectified: Bool
    ) -> Void
  let sums:
    @Sendable (
      _ x: UnsafePointer<UInt8>, _ xStride: Int, _ rows: Int, _ quads: Int,
      _ panel: UnsafePointer<Int32>, _ vectors: Int, _ y: UnsafeMutablePointer<Int32>
    ) -> Void
}
