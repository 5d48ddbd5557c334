//===--- StepLoops.swift - the innermost loops of hybrid operators --------===//
//
// What each does is said where it is defined, in `MartletKernelsBase`.
//
// Checked   Tests/MartletKernelsTests, which run on every set that the processor has
//===----------------------------------------------------------------------===//

/// The innermost loops of operators that quantise floats while a graph runs.
struct StepLoops: Sendable {
  let range:
    @Sendable (
      _ x: UnsafePointer<Float>, _ count: Int, _ low: inout Float, _ high: inout Float
    ) -> Void
  let bytes:
    @Sendable (
      _ x: UnsafePointer<Float>, _ count: Int, _ inverse: Float, _ zeroPoint: Float,
      _ y: UnsafeMutablePointer<UInt8>
    ) -> Void
  let whole:
    @Sendable (
      _ x: UnsafePointer<Float>, _ count: Int, _ inverse: Float, _ zeroPoint: Float,
      _ y: UnsafeMutablePointer<Float>
    ) -> Void
  let realSums:
    @Sendable (
      _ sums: UnsafePointer<Int32>, _ width: Int, _ rows: Int,
      _ zeroSums: UnsafePointer<Int32>, _ factors: UnsafePointer<Float>,
      _ biases: UnsafePointer<Float>, _ scales: UnsafePointer<Float>,
      _ zeros: UnsafePointer<Int32>, _ rowStep: Int, _ factorsFirst: Bool,
      _ y: UnsafeMutablePointer<Float>, _ yStride: Int, _ columns: Int, _ low: Float, _ high: Float
    ) -> Void
  let scaleSums:
    @Sendable (
      _ y: UnsafeMutablePointer<Float>, _ columns: Int, _ rows: Int,
      _ factors: UnsafePointer<Float>, _ biases: UnsafePointer<Float>, _ scale: Float,
      _ low: Float, _ high: Float
    ) -> Void
}
