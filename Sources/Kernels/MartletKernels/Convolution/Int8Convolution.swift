//===--- Int8Convolution.swift - convolution of bytes ---------------------===//
//
// Rows are read directly from the image if each output depends on one pixel. Otherwise each
// output's window is packed into a row, byte for byte; the padding is the zero point.
//
// Contract  Bit-exact with `Reference.convolve`, for filters as deep as the image.
// Cost      outputs · taps · channels; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A convolution of byte images with weights packed as bytes.
package struct Int8Convolution: PackedConvolution {
  /// Converts sums to bytes.
  private enum Output {
    case fixed(ByteOutput)
    case real(zeroPoint: Int32, range: ClosedRange<Int32>)
  }

  private let zero: ByteZeroPoint
  private let output: Output
  private let depth: Int
  private let columns: Int
  private let isInPlace: Bool
  /// Whether rows have correction terms: if packed weights are shifted, and always in double
  /// precision.
  private let hasTerms: Bool
  private let packed: Int8Panels
  private let im2col: ByteIm2col<UInt8>
  let schedule: Schedule
  private let bytes: ByteMicrokernels

  var panels: [Panel] { packed.panels }

  /// Packs the weights; returns `nil` if the microkernels do not support bytes, or these factors.
  init?(
    _ convolution: Convolution, zero: ByteZeroPoint, filter: ByteWeights,
    bias: UnsafeBufferPointer<Int32>, requantizer: ByteRequantizer, workers: Int,
    kernels: Microkernels
  ) {
    guard let bytes = kernels.bytes, filter.fitsShiftedBytes(from: bytes.leastWeight) else {
      return nil
    }
    let window = convolution.window
    let depth = window.rows.filter * window.columns.filter * convolution.inputDepth
    let scaling: ByteScaling
    var tileRows = bytes.int8TileRows
    switch requantizer {
    case .fixed(let requantizer):
      guard
        let factors = Int8Factors(
          requantizer, flip: zero.flip, depth: depth, bias: bias)
      else { return nil }
      scaling = .fixed(factors)
      output = .fixed(factors.output)
    case .real(let requantizer):
      scaling = .real(requantizer.factors)
      output = .real(zeroPoint: requantizer.zeroPoint, range: requantizer.range)
      tileRows = 1
    }
    self.bytes = bytes
    self.zero = zero
    columns = convolution.outputDepth
    self.depth = depth
    packed = Int8Panels(
      columns: columns, depth: depth, weights: filter, bias: bias, zero: zero, scaling: scaling,
      kernels: bytes)
    im2col = ByteIm2col(
      window: window, channels: convolution.inputDepth, rowLength: 4 * packed.quads)
    isInPlace = window.isPointwise && depth == 4 * packed.quads
    if case .real = output { hasTerms = true } else { hasTerms = packed.shift != 0 }
    schedule = Schedule(
      rows: window.outputCount, columnsInPlace: isInPlace ? columns : 0,
      panels: packed.panels.count,
      multiplications: Schedule.product([window.outputCount, columns, depth]),
      // Each row's bytes are followed by its term, and by room to write past the end of the last
      // row.
      rowBytes: isInPlace && !hasTerms ? 0 : 4 * packed.quads + ByteIm2col<UInt8>.overrun,
      tileRows: tileRows, workers: workers)
  }

  /// Packs rows that are not read in place, and computes their terms.
  @inline(__always)
  func pack(
    _ rows: Range<Int>, of images: ByteImages, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    var first = UnsafeRawPointer(block)
    if isInPlace, let x = images.x.baseAddress {
      first = x + rows.lowerBound &* depth
    } else {
      im2col.pack(rows, of: images.x, zero, into: block)
    }
    if hasTerms {
      bytes.int8RowSums(
        Int8RowSums(
          x: Matrix(first.assumingMemoryBound(to: UInt8.self), rowStride: 4 &* packed.quads),
          rows: rows.count, depth: depth, flip: zero.flip, factor: packed.shift,
          terms: terms(in: block)))
    }
    return first
  }

  @inline(__always)
  func multiply(
    _ x: UnsafeRawPointer, _ rows: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of images: ByteImages, block: UnsafeMutableRawPointer
  ) {
    let x = Matrix(x.assumingMemoryBound(to: UInt8.self), rowStride: 4 &* packed.quads)
    let y = images.y + rows.lowerBound &* columns
    let terms = UnsafePointer(terms(in: block))
    switch output {
    case .fixed(let output):
      let terms = hasTerms ? RowTerms(start: terms, stride: 1) : packed.noTerms
      for panel in panels {
        bytes.int8GEMM(
          Int8GEMM(
            x: x, rows: rows.count, quads: packed.quads, terms: terms,
            panel: packed.start + panel.offset, vectors: panel.width / 16,
            y: MutableMatrix(y + panel.first, rowStride: columns), columns: panel.columns,
            output: output))
      }
    case .real(let zeroPoint, let range):
      for panel in panels {
        for row in 0..<rows.count {
          bytes.int8GEMV(
            Int8GEMV(
              x: x.start + row &* x.rowStride, quads: packed.quads, term: terms[row],
              panel: packed.start + panel.offset, y: y + (row &* columns &+ panel.first),
              columns: panel.columns, zeroPoint: zeroPoint, low: range.lowerBound,
              high: range.upperBound, flip: zero.flip))
        }
      }
    }
  }

  /// The terms of the rows of a block, stored after the rows.
  private func terms(in block: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Int32> {
    (block + schedule.blockRows &* 4 &* packed.quads).assumingMemoryBound(to: Int32.self)
  }
}
