//===--- InstructionSet.swift - instruction-set interface -----------------===//
//
// A microkernel is an innermost loop written for the vectors of one instruction set. The name of
// the function, of its argument and of its benchmark has the same form, `<Element><Job><Tile>`.
//
//   Element  the input: Float32, Int16 (quantized values widened, in pairs), Int8 (quantized values
//            unchanged), Int32 (sums), or Quantized, of the type that an argument specifies
//   Job      GEMM a matrix by a panel of packed weights, GEMV one row by panels, Depthwise each
//            channel by its own filter, Requantize sums to bytes, Dequantize sums to floats, Unary,
//            Binary, Reduce, and so on
//   Tile     rows by columns that stay in registers, if there are any: Float32GEMM12x32
//
// Contract  A module conforms one type per instruction set; other modules call only this type.
//           Functions take raw pointers and concrete vectors only. A generic of the standard
//           library, compiled for a newer processor, could otherwise be linked into code that runs
//           on an older one (.ci/check/kernels).
//===----------------------------------------------------------------------===//

import MartletBase

/// The microkernels of one instruction set. The types of their arguments document them.
package protocol InstructionSet: SendableMetatype {
  /// The name in benchmarks.
  static var name: StaticString { get }
  /// The lanes of a vector of 32-bit numbers. Panels are one or two vectors wide, integer depthwise
  /// convolutions process one vector of channels at a time, and elementwise counts are multiples.
  static var lanes: Int { get }
  /// The rows of a full tile of `float32GEMM`.
  static var float32TileRows: Int { get }
  /// The rows of a full tile of `int16GEMM`.
  static var int16TileRows: Int { get }

  static func float32GEMM(_ product: Float32GEMM)
  static func float32GEMV(_ product: Float32GEMV)
  static func int16GEMM(_ product: Int16GEMM)
  static func int32Requantize(_ sums: Int32Requantize)
  static func int32Dequantize(_ sums: Int32Dequantize)
  static func float32ScaleColumns(_ matrix: Float32ScaleColumns)

  static func float32Depthwise(_ convolution: Float32Depthwise)
  static func int16Depthwise(_ convolution: Int16Depthwise)

  /// Computes maxima, clamped. NaN never becomes the maximum; of two equal values the later is
  /// kept.
  static func float32MaxPool(_ pool: Float32Pool, clampedTo range: ClosedRange<Float>)
  /// Computes sums, each starting from zero, in memory order.
  static func float32SumPool(_ pool: Float32Pool)
  /// y[i] = max(y[i], x[i] ^ flip), unsigned.
  static func uint8Maximum(
    _ x: UnsafePointer<UInt8>, count: Int, flip: UInt8, into y: UnsafeMutablePointer<UInt8>)
  /// y[i] += x[i] ^ flip, unsigned.
  static func uint8Add(
    _ x: UnsafePointer<UInt8>, count: Int, flip: UInt8, into y: UnsafeMutablePointer<Int32>)

  static func float32Unary(
    _ x: UnsafePointer<Float>, count: Int, _ function: FloatFunction,
    into y: UnsafeMutablePointer<Float>)
  static func float32Binary(_ arithmetic: Float32Binary)
  static func float32Reduce(_ rows: Float32Reduce)
  static func quantizedAdd(_ sum: QuantizedAdd)
  static func quantizedMultiply(_ product: QuantizedMultiply)
  /// `quantizedAdd` of bytes in double precision, if it is available and faster. It rounds once, so
  /// its results differ for some scales.
  static var int8AddInDouble: (@Sendable (QuantizedAdd) -> Void)? { get }

  static func float32Quantize(
    _ x: UnsafePointer<Float>, count: Int, _ map: AffineMap, clampedTo range: ClosedRange<Int32>,
    into y: UnsafeMutableRawPointer)
  static func quantizedDequantize(
    _ x: UnsafeRawPointer, count: Int, _ map: AffineMap, into y: UnsafeMutablePointer<Float>)
  /// Subtracts the zero point from bytes.
  static func int8Widen(
    _ x: UnsafePointer<UInt8>, count: Int, _ zeroPoint: ByteZeroPoint,
    into y: UnsafeMutablePointer<Int16>)
  /// Widens a range to contain all of `count` floats, ignoring NaN.
  static func float32Range(
    _ x: UnsafePointer<Float>, count: Int, low: inout Float, high: inout Float)
  /// Quantizes any `count` of floats to unsigned bytes, each the signed value plus 128.
  static func float32DynamicQuantize(
    _ x: UnsafePointer<Float>, count: Int, _ map: DynamicMap, into y: UnsafeMutablePointer<UInt8>)
  /// The same minus the zero point, as floats.
  static func float32DynamicRound(
    _ x: UnsafePointer<Float>, count: Int, _ map: DynamicMap, into y: UnsafeMutablePointer<Float>)

  static func float32Bilinear(_ row: BilinearRow<Float, Float>)
  static func uint8Bilinear(_ row: BilinearRow<UInt8, Float>)
  /// Weights are in units of 2⁻¹⁰, with a magnitude of at most one.
  static func int8Bilinear(_ row: BilinearRow<Int8, Int32>)

  static func uint8BilinearPixels(_ row: Uint8BilinearPixels)
  static func uint8SlopePixels(_ slope: Uint8SlopePixels)

  /// Computes weighted sums of pixels of a row; returns the number of pixels computed, starting
  /// from the first.
  static func uint8ResampleRow(_ row: Uint8ResampleRow) -> Int
  /// Computes the weighted sum of rows.
  static func uint8ResampleColumns(_ rows: Uint8ResampleColumns)

  static func uint8YCbCr(_ row: Uint8YCbCr)
  static func uint8ToYCbCr(_ row: Uint8ToYCbCr)
  static func int16InverseDCT(_ line: Int16InverseDCT)
  static func int16ForwardDCT(_ line: Int16ForwardDCT)

  static func float32Fourier(_ signals: Float32Fourier)

  static func float32Gradients(_ row: Float32Gradients)

  /// The multiply-adds of one round of `float32Throughput`; `int16Throughput` performs twice as
  /// many.
  static var throughputRound: Int { get }
  /// Performs `rounds` rounds in registers only, the upper limit for other kernels, and stores a
  /// vector of sums.
  static func float32Throughput(
    rounds: Int, _ x: Float, _ w: Float, into y: UnsafeMutablePointer<Float>)
  static func int16Throughput(rounds: Int, _ x: Int32, into y: UnsafeMutablePointer<Int32>)
}

/// The microkernels of an instruction set that multiplies bytes.
package protocol ByteInstructionSet: SendableMetatype {
  /// The name in benchmarks.
  static var name: StaticString { get }
  /// The rows and columns of the widest tile of `int8GEMM`, as named in benchmarks.
  static var int8TileName: StaticString { get }
  /// The rows of a tile of a panel of 16 columns.
  static var int8TileRows: Int { get }
  /// The widest panel of `int8GEMM` and `int8GEMMSums` in vectors of 16 columns.
  static var int8PanelVectors: Int { get }
  /// The groups of four bytes along the depth that are adjacent in packed weights and are read at
  /// once.
  static var int8GroupQuads: Int { get }
  /// The constant subtracted from unsigned bytes before they are multiplied, for which biases
  /// compensate: 128 if the instruction multiplies signed bytes.
  static var byteOffset: Int32 { get }
  /// The least weight that is multiplied as one byte.
  static var leastWeight: Int16 { get }
  /// Whether `int8Depthwise` computes runs that share taps.
  static var sharesDepthwiseColumns: Bool { get }

  static func int8GEMM(_ product: Int8GEMM)
  static func int8GEMMSums(_ product: Int8GEMMSums)
  static func int8GEMV(_ product: Int8GEMV)
  static func int8RowSums(_ rows: Int8RowSums)
  static func int8Depthwise(_ convolution: Int8Depthwise)
}
