//===--- Microkernels.swift - the innermost loops, by instruction set -----===//
//
// The table through which everything above calls the innermost loops. They are compiled once for
// each instruction set (the folder `MartletKernelsBase`, and links to it).
//
// Checked   Tests/MartletKernelsTests, which run on every set that the processor has
//===----------------------------------------------------------------------===//

/// One instruction set's innermost loops. What each does is said where it is defined.
package struct Microkernels: Sendable {
  /// The rows of a full tile.
  let tileRows: Int
  /// The same of tiles of integers.
  let sumRows: Int
  /// The lanes of a vector: panels are two vectors wide or one, and integer depthwise convolutions
  /// take as many channels at a time.
  package let lanes: Int
  let float32Multiply:
    @Sendable (
      _ x: UnsafePointer<Float>, _ xStride: Int, _ rows: Int,
      _ runs: Int, _ length: Int, _ runStride: Int,
      _ bias: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ weightStride: Int,
      _ width: Int,
      _ y: UnsafeMutablePointer<Float>, _ yStride: Int, _ columns: Int, _ low: Float, _ high: Float
    ) -> Void
  let float32Connect:
    @Sendable (
      _ x: UnsafePointer<Float>, _ depth: Int, _ panels: UnsafePointer<Float>, _ count: Int,
      _ y: UnsafeMutablePointer<Float>, _ columns: Int, _ low: Float, _ high: Float
    ) -> Void
  let int16Sums:
    @Sendable (
      _ x: UnsafePointer<Int32>, _ xStride: Int, _ rows: Int, _ pairs: Int,
      _ panel: UnsafePointer<Int32>, _ width: Int,
      _ y: UnsafeMutablePointer<Int32>, _ yStride: Int
    ) -> Void
  let requantize:
    @Sendable (
      _ sums: UnsafePointer<Int32>, _ rows: Int, _ panel: UnsafePointer<Int32>, _ width: Int,
      _ y: UnsafeMutablePointer<UInt8>, _ yStride: Int, _ columns: Int,
      _ zeroPoint: Int32, _ low: Int32, _ high: Int32, _ shiftsLeft: Bool
    ) -> Void
  let float32Depthwise:
    @Sendable (
      _ x: UnsafePointer<Float>, _ w: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
      _ pixels: Int, _ pixelStride: Int, _ channels: Int, _ rows: Int, _ columns: Int,
      _ rowStride: Int, _ columnStride: Int, _ weightRowStride: Int, _ weightColumnStride: Int,
      _ y: UnsafeMutablePointer<Float>, _ yStride: Int, _ low: Float, _ high: Float
    ) -> Void
  let int16Depthwise:
    @Sendable (
      _ x: UnsafePointer<Int16>, _ offsets: UnsafePointer<Int>, _ pairs: Int,
      _ weights: UnsafePointer<Int32>, _ pixels: Int, _ pixelStride: Int, _ channels: Int,
      _ y: UnsafeMutablePointer<UInt8>,
      _ zeroPoint: Int32, _ low: Int32, _ high: Int32, _ shiftsLeft: Bool
    ) -> Void
  let widen:
    @Sendable (
      _ source: UnsafePointer<UInt8>, _ count: Int, _ flip: UInt8, _ zeroPoint: Int16,
      _ dest: UnsafeMutablePointer<Int16>
    ) -> Void
  let float32Maximum:
    @Sendable (
      _ x: UnsafePointer<Float>, _ pixels: Int, _ pixelStride: Int, _ rows: Int, _ pitch: Int,
      _ columns: Int, _ depth: Int, _ low: Float, _ high: Float, _ y: UnsafeMutablePointer<Float>,
      _ yStride: Int
    ) -> Void
  let float32Sum:
    @Sendable (
      _ x: UnsafePointer<Float>, _ pixels: Int, _ pixelStride: Int, _ rows: Int, _ pitch: Int,
      _ columns: Int, _ depth: Int, _ y: UnsafeMutablePointer<Float>, _ yStride: Int
    ) -> Void
  let byteMax:
    @Sendable (
      _ x: UnsafePointer<UInt8>, _ count: Int, _ flip: UInt8, _ y: UnsafeMutablePointer<UInt8>
    ) -> Void
  let byteAdd:
    @Sendable (
      _ x: UnsafePointer<UInt8>, _ count: Int, _ flip: UInt8, _ y: UnsafeMutablePointer<Int32>
    ) -> Void
  let steps: StepLoops
  package let peakRound: Int
  package let float32Peak:
    @Sendable (_ rounds: Int, _ x: Float, _ w: Float, _ y: UnsafeMutablePointer<Float>) -> Void
  package let int16Peak:
    @Sendable (_ rounds: Int, _ x: Int32, _ y: UnsafeMutablePointer<Int32>) -> Void
  /// The loops over bytes as they are, where there is an instruction that multiplies them.
  var bytes: ByteLoops?

  /// The widths that a panel may have, the wider first.
  var widths: [Int] { [2 * lanes, lanes] }
}
