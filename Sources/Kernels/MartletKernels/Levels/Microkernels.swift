//===--- Microkernels.swift - tables of kernels ---------------------------===//
//
// The microkernels of the instruction set that was selected at startup.
//
// Contract  One table per instruction set, created by one initializer.
// Cost      A call through a pointer. Tables are shared, not copied.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// The microkernels of one instruction set, which `InstructionSet` documents.
package final class Microkernels: Sendable {
  package let name: StaticString
  package let lanes: Int
  package let float32TileRows: Int
  package let int16TileRows: Int

  package let float32GEMM: @Sendable (Float32GEMM) -> Void
  package let float32GEMV: @Sendable (Float32GEMV) -> Void
  package let int16GEMM: @Sendable (Int16GEMM) -> Void
  package let int32Requantize: @Sendable (Int32Requantize) -> Void
  package let int32Dequantize: @Sendable (Int32Dequantize) -> Void
  package let float32ScaleColumns: @Sendable (Float32ScaleColumns) -> Void

  package let float32Depthwise: @Sendable (Float32Depthwise) -> Void
  package let int16Depthwise: @Sendable (Int16Depthwise) -> Void

  package let float32MaxPool: @Sendable (Float32Pool, ClosedRange<Float>) -> Void
  package let float32SumPool: @Sendable (Float32Pool) -> Void
  package let uint8Maximum:
    @Sendable (
      UnsafePointer<UInt8>, _ count: Int, _ flip: UInt8, UnsafeMutablePointer<UInt8>
    ) -> Void
  package let uint8Add:
    @Sendable (
      UnsafePointer<UInt8>, _ count: Int, _ flip: UInt8, UnsafeMutablePointer<Int32>
    ) -> Void

  package let float32Unary:
    @Sendable (
      UnsafePointer<Float>, _ count: Int, FloatFunction, UnsafeMutablePointer<Float>
    ) -> Void
  package let float32Binary: @Sendable (Float32Binary) -> Void
  package let float32Reduce: @Sendable (Float32Reduce) -> Void
  package let quantizedAdd: @Sendable (QuantizedAdd) -> Void
  package let quantizedMultiply: @Sendable (QuantizedMultiply) -> Void
  package let int8AddInDouble: (@Sendable (QuantizedAdd) -> Void)?

  package let float32Quantize:
    @Sendable (
      UnsafePointer<Float>, _ count: Int, AffineMap, ClosedRange<Int32>, UnsafeMutableRawPointer
    ) -> Void
  package let quantizedDequantize:
    @Sendable (
      UnsafeRawPointer, _ count: Int, AffineMap, UnsafeMutablePointer<Float>
    ) -> Void
  package let int8Widen:
    @Sendable (
      UnsafePointer<UInt8>, _ count: Int, ByteZeroPoint, UnsafeMutablePointer<Int16>
    ) -> Void
  package let float32Range:
    @Sendable (
      UnsafePointer<Float>, _ count: Int, _ low: inout Float, _ high: inout Float
    ) -> Void
  package let float32DynamicQuantize:
    @Sendable (
      UnsafePointer<Float>, _ count: Int, DynamicMap, UnsafeMutablePointer<UInt8>
    ) -> Void
  package let float32DynamicRound:
    @Sendable (
      UnsafePointer<Float>, _ count: Int, DynamicMap, UnsafeMutablePointer<Float>
    ) -> Void

  package let float32Bilinear: @Sendable (BilinearRow<Float, Float>) -> Void
  package let uint8Bilinear: @Sendable (BilinearRow<UInt8, Float>) -> Void
  package let int8Bilinear: @Sendable (BilinearRow<Int8, Int32>) -> Void

  package let uint8BilinearPixels: @Sendable (Uint8BilinearPixels) -> Void
  package let uint8SlopePixels: @Sendable (Uint8SlopePixels) -> Void

  package let uint8ResampleRow: @Sendable (Uint8ResampleRow) -> Int
  package let uint8ResampleColumns: @Sendable (Uint8ResampleColumns) -> Void

  package let uint8YCbCr: @Sendable (Uint8YCbCr) -> Void
  package let uint8ToYCbCr: @Sendable (Uint8ToYCbCr) -> Void
  package let int16InverseDCT: @Sendable (Int16InverseDCT) -> Void
  package let int16ForwardDCT: @Sendable (Int16ForwardDCT) -> Void

  package let float32Fourier: @Sendable (Float32Fourier) -> Void

  package let float32Gradients: @Sendable (Float32Gradients) -> Void

  package let throughputRound: Int
  package let float32Throughput:
    @Sendable (_ rounds: Int, _ x: Float, _ w: Float, UnsafeMutablePointer<Float>) -> Void
  package let int16Throughput:
    @Sendable (_ rounds: Int, _ x: Int32, UnsafeMutablePointer<Int32>) -> Void

  /// The kernels that multiply bytes, if the processor has an instruction for it.
  package let bytes: ByteMicrokernels?

  /// Creates the table of an instruction set, optionally with one that multiplies bytes.
  init<Level: InstructionSet>(_: Level.Type, bytes: ByteMicrokernels? = nil) {
    name = Level.name
    lanes = Level.lanes
    float32TileRows = Level.float32TileRows
    int16TileRows = Level.int16TileRows
    float32GEMM = Level.float32GEMM
    float32GEMV = Level.float32GEMV
    int16GEMM = Level.int16GEMM
    int32Requantize = Level.int32Requantize
    int32Dequantize = Level.int32Dequantize
    float32ScaleColumns = Level.float32ScaleColumns
    float32Depthwise = Level.float32Depthwise
    int16Depthwise = Level.int16Depthwise
    float32MaxPool = Level.float32MaxPool
    float32SumPool = Level.float32SumPool
    uint8Maximum = Level.uint8Maximum
    uint8Add = Level.uint8Add
    float32Unary = Level.float32Unary
    float32Binary = Level.float32Binary
    float32Reduce = Level.float32Reduce
    quantizedAdd = Level.quantizedAdd
    quantizedMultiply = Level.quantizedMultiply
    int8AddInDouble = Level.int8AddInDouble
    float32Quantize = Level.float32Quantize
    quantizedDequantize = Level.quantizedDequantize
    int8Widen = Level.int8Widen
    float32Range = Level.float32Range
    float32DynamicQuantize = Level.float32DynamicQuantize
    float32DynamicRound = Level.float32DynamicRound
    float32Bilinear = Level.float32Bilinear
    uint8Bilinear = Level.uint8Bilinear
    int8Bilinear = Level.int8Bilinear
    uint8BilinearPixels = Level.uint8BilinearPixels
    uint8SlopePixels = Level.uint8SlopePixels
    uint8ResampleRow = Level.uint8ResampleRow
    uint8ResampleColumns = Level.uint8ResampleColumns
    uint8YCbCr = Level.uint8YCbCr
    uint8ToYCbCr = Level.uint8ToYCbCr
    int16InverseDCT = Level.int16InverseDCT
    int16ForwardDCT = Level.int16ForwardDCT
    float32Fourier = Level.float32Fourier
    float32Gradients = Level.float32Gradients
    throughputRound = Level.throughputRound
    float32Throughput = Level.float32Throughput
    int16Throughput = Level.int16Throughput
    self.bytes = bytes
  }

  /// The name of the instruction set that the kernels are compiled for.
  package var instructionSet: String { bytes.map { "\(name) with \($0.name)" } ?? "\(name)" }

  /// The widths that a panel may have, widest first.
  package var panelWidths: [Int] { [2 * lanes, lanes] }

  /// The names of the matrix products, each with its widest tile.
  package var tileNames: [String] {
    let int8 = bytes.map { ["Int8GEMM\($0.int8TileName)"] } ?? []
    return [
      "Float32GEMM\(float32TileRows)x\(2 * lanes)", "Int16GEMM\(int16TileRows)x\(2 * lanes)",
    ] + int8
  }
}

/// The microkernels of an instruction set that multiplies bytes.
package final class ByteMicrokernels: Sendable {
  package let name: StaticString
  package let int8TileName: StaticString
  package let int8TileRows: Int
  package let int8PanelVectors: Int
  package let int8GroupQuads: Int
  package let byteOffset: Int32
  package let leastWeight: Int16
  package let sharesDepthwiseColumns: Bool
  package let int8GEMM: @Sendable (Int8GEMM) -> Void
  package let int8GEMMSums: @Sendable (Int8GEMMSums) -> Void
  package let int8GEMV: @Sendable (Int8GEMV) -> Void
  package let int8RowSums: @Sendable (Int8RowSums) -> Void
  package let int8Depthwise: @Sendable (Int8Depthwise) -> Void

  init<Level: ByteInstructionSet>(_: Level.Type) {
    name = Level.name
    int8TileName = Level.int8TileName
    int8TileRows = Level.int8TileRows
    int8PanelVectors = Level.int8PanelVectors
    int8GroupQuads = Level.int8GroupQuads
    byteOffset = Level.byteOffset
    leastWeight = Level.leastWeight
    sharesDepthwiseColumns = Level.sharesDepthwiseColumns
    int8GEMM = Level.int8GEMM
    int8GEMMSums = Level.int8GEMMSums
    int8GEMV = Level.int8GEMV
    int8RowSums = Level.int8RowSums
    int8Depthwise = Level.int8Depthwise
  }
}
