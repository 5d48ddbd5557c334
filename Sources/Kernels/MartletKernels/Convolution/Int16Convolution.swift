//===--- Int16Convolution.swift - convolution of 16-bit pairs -------------===//
//
// Packing widens rows to 16 bits and subtracts zero points. Signed and unsigned images, and filters
// with one scale or one per output channel, therefore share the same code, and the padding is
// zeros.
//
// Contract  Bit-exact with `Reference.convolve`, for filters as deep as the image.
// Cost      outputs · taps · channels; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A convolution of byte images with packed weights.
package struct Int16Convolution: PackedConvolution {
  /// Converts sums to bytes.
  private enum Output {
    case fixed(OutputQuantization)
    case real(RealRequantizer)
  }

  private let zero: ByteZeroPoint
  private let output: Output
  private let columns: Int
  private let im2col: ByteIm2col<Int16>
  private let packed: Int16Panels
  let schedule: Schedule
  private let kernels: Microkernels

  var panels: [Panel] { packed.panels }

  /// Packs the weights, OHWI; an empty bias is zero.
  ///
  /// - Precondition: the filters are as deep as the image, and no weight exceeds ±255.
  init(
    _ convolution: Convolution, zero: ByteZeroPoint, filter: ByteWeights,
    bias: UnsafeBufferPointer<Int32>, requantizer: ByteRequantizer, workers: Int,
    kernels: Microkernels = .current
  ) {
    let window = convolution.window
    let depth = window.rows.filter * window.columns.filter * convolution.inputDepth
    var multipliers: [FixedPointMultiplier] = []
    switch requantizer {
    case .fixed(let requantizer):
      multipliers = requantizer.multipliers
      output = .fixed(requantizer.output)
    case .real(let requantizer): output = .real(requantizer)
    }
    self.kernels = kernels
    self.zero = zero
    columns = convolution.outputDepth
    packed = Int16Panels(
      columns: columns, depth: depth, weights: filter, bias: bias, multipliers: multipliers,
      widths: kernels.panelWidths)
    im2col = ByteIm2col(
      window: window, channels: convolution.inputDepth, rowLength: 2 * packed.pairs)
    schedule = Schedule(
      rows: window.outputCount, panels: packed.panels.count,
      multiplications: Schedule.product([window.outputCount, columns, depth]),
      // The pairs of a row, and its sums of one panel.
      rowBytes: (packed.pairs + 2 * kernels.lanes) * 4, tileRows: kernels.int16TileRows,
      workers: workers)
  }

  @inline(__always)
  func pack(
    _ rows: Range<Int>, of images: ByteImages, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    im2col.pack(rows, of: images.x, zero, into: block)
    return UnsafeRawPointer(block)
  }

  @inline(__always)
  func multiply(
    _ x: UnsafeRawPointer, _ rows: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of images: ByteImages, block: UnsafeMutableRawPointer
  ) {
    let x = Matrix(x.assumingMemoryBound(to: Int32.self), rowStride: packed.pairs)
    let sums = (block + schedule.blockRows * packed.pairs * 4).assumingMemoryBound(to: Int32.self)
    for panel in panels {
      let fields = packed.start + panel.offset
      let y = MutableMatrix(
        images.y + (rows.lowerBound &* columns &+ panel.first), rowStride: columns)
      kernels.int16GEMM(
        Int16GEMM(
          x: x, rows: rows.count, pairs: packed.pairs, panel: fields, width: panel.width,
          sums: MutableMatrix(sums, rowStride: panel.width)))
      switch output {
      case .fixed(let output):
        kernels.int32Requantize(
          Int32Requantize(
            sums: Matrix(sums, rowStride: panel.width), rows: rows.count, panel: fields,
            width: panel.width, y: y, columns: panel.columns, output: output))
      case .real(let requantize):
        for row in 0..<rows.count {
          for j in 0..<panel.columns {
            y.start[row &* columns &+ j] = UInt8(
              truncatingIfNeeded: requantize(
                sums[row &* panel.width &+ j], channel: panel.first &+ j))
          }
        }
      }
    }
  }
}
