//===--- InstructionSet.swift - what an instruction set implements --------===//
//
// A microkernel is an innermost loop written for the vectors of one instruction set. Its name has a
// grammar, `<Element><Job><Tile>`, everywhere: the function, the argument that it takes, what a
// benchmark prints.
//
//   Element  what is read: Float32, Int16 (quantized values widened, in pairs), Int8 (quantized values
//            as they are), Int32 (sums), or Quantized, of the type that an argument says
//   Job      GEMM a matrix by a panel of packed weights, GEMV one row by panels, Depthwise each
//            channel by its own filter, Requantize sums to bytes, Dequantize sums to floats, Unary,
//            Binary, Reduce, and so on
//   Tile     rows by columns that stay in registers, where there are such: Float32GEMM12x32
//
// Contract  A module conforms one type for each instruction set and holds nothing else that others
//           call. Functions take raw pointers and concrete vectors alone: a generic of the standard
//           library, compiled for a newer processor, could be linked into code that runs on an older
//           one (.ci/check-kernels).
// Checked   Tests/MartletKernelsTests, on every instruction set that the processor has
//===----------------------------------------------------------------------===//

import MartletTensor

/// The microkernels of one instruction set. What each does is said at the argument that it takes.
package protocol InstructionSet: SendableMetatype {
  /// How benchmarks call it.
  static var name: StaticString { get }
  /// The lanes of a vector of 32-bit numbers: panels are two vectors wide or one, integer depthwise
  /// convolutions take as many channels at a time, and element-wise counts are multiples.
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

  /// The maxima, clamped. NaN never becomes the maximum; of two equals the later is kept.
  static func float32MaxPool(_ pool: Float32Pool, clampedTo range: ClosedRange<Float>)
  /// The sums, each from zero in the order of memory.
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
  /// `quantizedAdd` of bytes in double precision, quicker where there is one: rounded once, so that it
  /// does not give the same for all scales.
  static var int8AddInDouble: (@Sendable (QuantizedAdd) -> Void)? { get }

  static func float32Quantize(
    _ x: UnsafePointer<Float>, count: Int, _ map: AffineMap, clampedTo range: ClosedRange<Int32>,
    into y: UnsafeMutableRawPointer)
  static func quantizedDequantize(
    _ x: UnsafeRawPointer, count: Int, _ map: AffineMap, into y: UnsafeMutablePointer<Float>)
  /// Bytes less their zero point.
  static func int8Widen(
    _ x: UnsafePointer<UInt8>, count: Int, _ zeroPoint: ByteZeroPoint,
    into y: UnsafeMutablePointer<Int16>)
  /// Widens a range so that all of `count` floats are within; NaN does not count.
  static func float32Range(
    _ x: UnsafePointer<Float>, count: Int, low: inout Float, high: inout Float)
  /// Quantized values of any `count` of floats, as unsigned bytes, each 128 more than it is.
  static func float32DynamicQuantize(
    _ x: UnsafePointer<Float>, count: Int, _ map: DynamicMap, into y: UnsafeMutablePointer<UInt8>)
  /// The same less the zero point, as floats.
  static func float32DynamicRound(
    _ x: UnsafePointer<Float>, count: Int, _ map: DynamicMap, into y: UnsafeMutablePointer<Float>)

  static func float32Bilinear(_ row: BilinearRow<Float, Float>)
  static func uint8Bilinear(_ row: BilinearRow<UInt8, Float>)
  /// Weights are in units of 2⁻¹⁰, of a magnitude of at most one.
  static func int8Bilinear(_ row: BilinearRow<Int8, Int32>)

  static func uint8BilinearPixels(_ row: Uint8BilinearPixels)
  static func uint8SlopePixels(_ slope: Uint8SlopePixels)

  /// Weighs pixels of a row; returns how many could be read, from the first on.
  static func uint8ResampleRow(_ row: Uint8ResampleRow) -> Int
  /// Weighs rows into one.
  static func uint8ResampleColumns(_ rows: Uint8ResampleColumns)

  static func uint8YCbCr(_ row: Uint8YCbCr)
  static func int16InverseDCT(_ line: Int16InverseDCT)

  static func float32Fourier(_ signals: Float32Fourier)

  static func float32Gradients(_ row: Float32Gradients)
  /// The sum of absolute differences of two blocks of 16 by 16, their rows `stride` apart.
  static func uint8BlockDifference(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, stride: Int
  ) -> Int
  static func uint8ColorVotes(_ row: Uint8ColorVotes)

  /// The multiply-adds of one round of `float32Throughput`; `int16Throughput` does twice as many.
  static var throughputRound: Int { get }
  /// Does `rounds` rounds in registers alone, the most that other kernels can reach, and leaves a vector
  /// of sums.
  static func float32Throughput(
    rounds: Int, _ x: Float, _ w: Float, into y: UnsafeMutablePointer<Float>)
  static func int16Throughput(rounds: Int, _ x: Int32, into y: UnsafeMutablePointer<Int32>)
}

/// The microkernels of an instruction set that multiplies bytes.
package protocol ByteInstructionSet: SendableMetatype {
  /// How benchmarks call it.
  static var name: StaticString { get }
  /// The rows and columns of the widest tile of `int8GEMM`, as benchmarks call them.
  static var int8TileName: StaticString { get }
  /// The rows of a tile of a panel of 16 columns.
  static var int8TileRows: Int { get }
  /// The widest panel of `int8GEMM` and `int8GEMMSums` in vectors of 16 columns.
  static var int8PanelVectors: Int { get }
  /// How many groups of four bytes along the depth lie together in packed weights, and are read at once.
  static var int8GroupQuads: Int { get }
  /// What is taken off unsigned bytes before they are multiplied, which biases make up for: 128 where the
  /// instruction multiplies signed bytes.
  static var byteOffset: Int32 { get }

  static func int8GEMM(_ product: Int8GEMM)
  static func int8GEMMSums(_ product: Int8GEMMSums)
  static func int8GEMV(_ product: Int8GEMV)
  static func int8RowSums(_ rows: Int8RowSums)
  static func int8Depthwise(_ convolution: Int8Depthwise)
}
